#include "warpfold/machine/kernel_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "core/quantity.hpp"
#include "machine/picture.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::machine {

namespace {

constexpr std::uint32_t lanes = 32;
constexpr std::uint32_t bytes_per_line = 128;   // a word of every bank
constexpr std::size_t longest_line = 1u << 16;  // longer ones are no accesses
constexpr std::size_t max_instructions = 1u << 17;
constexpr std::string_view beginning = "MEMTRACE:";

/// Removes the part of the text before `end`, and `end`. Returns nothing if the text does not have it.
std::optional<std::string_view> take_until(std::string_view& text, std::string_view end) {
  const std::size_t at = text.find(end);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(at + end.size());
  return part;
}

template <class T>
bool parse(std::string_view text, T& number, int base = 10) {
  const auto [last, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return error == std::errc() && last == text.data() + text.size();
}

/// Removes `word` from the beginning.
bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

struct Line {
  std::uint64_t launch = 0;
  std::string_view opcode;
  TracedAccess access;
};

bool parse_cta(std::string_view text, std::array<std::uint32_t, 3>& cta) {
  const auto x = take_until(text, ","), y = take_until(text, ",");
  return x && y && parse(*x, cta[0]) && parse(*y, cta[1]) && parse(text, cta[2]);
}

bool parse_addresses(std::string_view text, std::array<std::uint64_t, lanes>& addresses) {
  for (std::uint64_t& address : addresses) {
    while (take(text, " ")) continue;
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(word.size());
    if (!word.starts_with("0x") || !parse(word.substr(2), address, 16)) return false;
  }
  return text.find_first_not_of(" \r") == std::string_view::npos;
}

bool is_opcode(std::string_view text) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._";
  return !text.empty() && text.find_first_not_of(letters) == std::string_view::npos;
}

/// Returns what a line lacks; null: it is an access.
const char* parse_line(std::string_view text, Line& line) {
  const auto context = take_until(text, "CTX ");
  if (!context || !take_until(text, " - ")) return "CTX and an address";
  if (!take(text, "grid_launch_id ")) return "grid_launch_id";
  const auto launch = take_until(text, " - ");
  if (!launch || !parse(*launch, line.launch)) return "an integer after grid_launch_id";
  if (!take(text, "CTA ")) return "CTA";
  const auto cta = take_until(text, " - ");
  if (!cta || !parse_cta(*cta, line.access.cta)) return "three integers X,Y,Z after CTA";
  if (!take(text, "warp ")) return "warp";
  const auto warp = take_until(text, " - ");
  if (!warp || !parse(*warp, line.access.warp)) return "an integer after warp";
  const auto opcode = take_until(text, " - ");
  if (!opcode || !is_opcode(*opcode)) return "an opcode";
  line.opcode = *opcode;
  return parse_addresses(text, line.access.addresses) ? nullptr : "32 addresses 0x..";
}

/// The lanes' elements, in a space where the lines of memory that they touch are side by side. The stages of any access
/// remain.
WarpAccess compacted(const Opcode& opcode, const TracedAccess& access) {
  std::vector<std::uint64_t> lines;
  for (const std::uint64_t address : access.addresses) {
    if (address != 0) lines.push_back(address / bytes_per_line);
  }
  std::ranges::sort(lines);
  const auto doubles = std::ranges::unique(lines);
  lines.erase(doubles.begin(), doubles.end());
  WarpAccess result;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    const std::uint64_t address = access.addresses[lane];
    if (address == 0) continue;
    const auto line = std::ranges::lower_bound(lines, address / bytes_per_line) - lines.begin();
    const std::uint64_t place = static_cast<std::uint64_t>(line) * bytes_per_line + address % bytes_per_line;
    result.lanes.push_back({lane, static_cast<Address>(place / opcode.bytes)});
  }
  return result;
}

std::uint64_t fewest_stages(const Opcode& opcode, const TracedAccess& access) {
  std::set<std::uint64_t> elements;
  for (const std::uint64_t address : access.addresses) {
    if (address != 0) elements.insert(address / opcode.bytes);
  }
  const std::uint64_t bytes = elements.size() * opcode.bytes, of_stage = machine_of(opcode.space).width * 4;
  return (bytes + of_stage - 1) / of_stage;
}

std::uint64_t lost_stages(const TracedInstruction& instruction) {
  return instruction.stages - instruction.fewest_stages;
}

}  // namespace

std::string to_string(Space space) { return space == Space::shared ? "shared" : "global"; }

Machine machine_of(Space space) {
  Machine machine = space == Space::shared ? dmm(32, 1) : umm(8, 1);
  machine.warp = lanes;
  return machine;
}

std::optional<Opcode> parse_opcode(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto part = take_until(text, ".");
    parts.push_back(part.value_or(text));
    if (!part) break;
  }
  const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, parts[0]) != names.end();
  };
  Opcode opcode;
  if (is_one_of({"LDS", "STS", "ATOMS"})) {
    opcode.space = Space::shared;
  } else if (!is_one_of({"LDG", "STG", "ATOMG", "RED", "REDG"})) {
    return std::nullopt;
  }
  static const std::map<std::string_view, std::uint32_t> sizes = {
      {"U8", 1}, {"S8", 1}, {"U16", 2}, {"S16", 2}, {"64", 8}, {"U64", 8}, {"S64", 8}, {"F64", 8}, {"128", 16}};
  for (const std::string_view part : parts) {
    if (const auto size = sizes.find(part); size != sizes.end()) opcode.bytes = size->second;
  }
  return opcode;
}

std::string trace_line(std::uint64_t launch, std::string_view opcode, const TracedAccess& access) {
  const auto& [x, y, z] = access.cta;
  std::string line = fmt::format("{} CTX 0x{:016x} - grid_launch_id {} - CTA {},{},{} - warp {} - {} -", beginning, 0,
                                 launch, x, y, z, access.warp, opcode);
  for (const std::uint64_t address : access.addresses) line += fmt::format(" 0x{:016x}", address);
  return line;
}

WarpCost cost_of(const Opcode& opcode, const TracedAccess& access) {
  return step_cost(machine_of(opcode.space), {compacted(opcode, access)}, opcode.bytes).warps[0];
}

void KernelTrace::add(std::string_view bytes) {
  while (true) {
    const std::size_t end = bytes.find('\n');
    add_part(bytes.substr(0, end));
    if (end == std::string_view::npos) return;
    bytes.remove_prefix(end + 1);
    this->end();
  }
}

/// Keeps a part of a line. Of a line that is too long nothing is kept.
void KernelTrace::add_part(std::string_view part) {
  if (!skips_line_ && pending_.size() + part.size() <= longest_line) {
    pending_ += part;
  } else {
    skips_line_ = true;
  }
}

void KernelTrace::end() {
  if (pending_.empty() && !skips_line_) {
    ++line_;
    return;
  }
  add_line(skips_line_ ? std::string_view() : std::string_view(pending_));
  pending_.clear();
  skips_line_ = false;
}

void KernelTrace::add_line(std::string_view text) {
  ++line_;
  if (!text.starts_with(beginning)) {
    ++other_lines_;
    return;
  }
  Line line;
  if (const char* missing = parse_line(text, line)) {
    throw Error(ErrorKind::input,
                fmt::format("{}:{}: an access lacks {}: 'MEMTRACE: CTX 0x.. - grid_launch_id 0 - CTA 0,0,0 - warp 0 - "
                            "LDG.E - ' and 32 addresses are accepted",
                            name_, line_, missing));
  }
  const auto kind = parse_opcode(line.opcode);
  if (!kind) {
    ++unknown_[std::string(line.opcode)];
    if (unknown_.size() <= max_instructions) return;
  }
  if (instructions_.size() >= max_instructions || unknown_.size() > max_instructions) {
    throw Error(ErrorKind::memory_limit,
                fmt::format("{}:{}: the trace has more than {} instructions: fewer launches of kernels are accepted",
                            name_, line_, max_instructions));
  }
  TracedInstruction& instruction = instructions_[{line.launch, std::string(line.opcode)}];
  if (instruction.requests++ == 0) {
    instruction.launch = line.launch;
    instruction.opcode = line.opcode;
    instruction.kind = *kind;
  }
  const std::uint32_t stages = cost_of(*kind, line.access).stages;
  instruction.stages += stages;
  instruction.fewest_stages += fewest_stages(*kind, line.access);
  if (stages <= instruction.worst_stages) return;
  instruction.worst_stages = stages;
  instruction.worst_line = line_;
  instruction.worst = line.access;
}

std::vector<TracedInstruction> KernelTrace::instructions() const {
  std::vector<TracedInstruction> all;
  for (const auto& [key, instruction] : instructions_) all.push_back(instruction);
  std::ranges::stable_sort(all, std::greater(), lost_stages);
  return all;
}

std::string trace_svg(const std::vector<TracedInstruction>& instructions) {
  std::vector<Grid> grids;
  for (const TracedInstruction& instruction : instructions) {
    const bool banks = instruction.kind.space == Space::shared;
    const WarpCost cost = cost_of(instruction.kind, instruction.worst);
    Grid grid{fmt::format("launch {}, {}: {} (lane down, {} across)", instruction.launch, instruction.opcode,
                          quantity(cost.stages, "stage"), banks ? "bank" : "sector"),
              banks ? machine_of(Space::shared).width : std::max(cost.stages, 1u),
              lanes,
              cost.words,
              {}};
    for (const Served& word : cost.words) grid.columns_of_words.push_back(banks ? word.bank : word.stage);
    grids.push_back(std::move(grid));
  }
  return grids_svg("The worst access of each instruction", grids);
}

}  // namespace warpfold::machine
