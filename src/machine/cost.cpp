#include "warpfold/machine/cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>
#include <map>

#include "core/quantity.hpp"
#include "machine/mapping.hpp"
#include "machine/picture.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/machine/stages.hpp"

namespace warpfold::machine {

namespace {

constexpr std::uint64_t words_of_a_memory = std::uint64_t{1} << 32;

/// Assigns a stage to each word of one part of a warp, from stage `first` on. The DMM serves the words of a bank in the
/// order of their addresses. The UMM serves address groups in their order. The number of stages is that of `stages`.
void serve(const Machine& machine, std::span<Served> words, std::uint32_t first) {
  std::map<std::uint32_t, std::vector<Address>> queues;  // keyed by bank; the UMM has one queue of groups
  const auto queue_of = [&](const Served& word) { return machine.kind == Kind::dmm ? word.bank : 0; };
  const auto ticket = [&](const Served& word) {
    return machine.kind == Kind::dmm ? word.word : word.word / machine.width;
  };
  for (const Served& word : words) queues[queue_of(word)].push_back(ticket(word));
  for (auto& [bank, queue] : queues) {
    std::ranges::sort(queue);
    queue.erase(std::ranges::unique(queue).begin(), queue.end());
  }
  for (Served& word : words) {
    const auto& queue = queues[queue_of(word)];
    word.stage = first + static_cast<std::uint32_t>(std::ranges::lower_bound(queue, ticket(word)) - queue.begin());
  }
}

constexpr std::uint32_t bytes_per_word = 4;

/// The words of an element. Elements of less than a word share one.
struct Words {
  std::uint64_t first = 0;
  std::uint32_t count = 1;
};

Words words_of(Address element, std::uint32_t bytes) {
  return {std::uint64_t{element} * bytes / bytes_per_word, std::max(bytes / bytes_per_word, 1u)};
}

WarpCost warp_cost(const Machine& machine, const WarpAccess& access, std::uint32_t bytes) {
  WarpCost cost;
  const std::uint32_t words_of_lane = words_of(0, bytes).count;
  const std::uint32_t lanes_of_part = machine.warp_size() / words_of_lane;
  std::vector<Address> addresses;
  for (std::uint32_t part = 0; part < words_of_lane; ++part) {
    const std::size_t begin = cost.words.size();
    addresses.clear();
    for (const auto& [lane, element] : access.lanes) {
      if (lane / lanes_of_part != part) continue;
      for (std::uint32_t k = 0; k < words_of_lane; ++k) {
        const auto word = static_cast<Address>(words_of(element, bytes).first) + k;
        const Address place = mapped(machine, word);
        addresses.push_back(place);
        cost.words.push_back({lane, word, place % machine.width, 0});
      }
    }
    serve(machine, std::span(cost.words).subspan(begin), cost.stages);
    cost.stages += stages(machine.kind, machine.width, addresses);
  }
  return cost;
}

}  // namespace

StepCost step_cost(const Machine& machine, const std::vector<WarpAccess>& warps, std::uint32_t bytes) {
  if (machine.kind != Kind::dmm && machine.kind != Kind::umm) {
    throw Error(ErrorKind::usage, fmt::format("machine is {}: the cost of addresses is that of the dmm or the umm",
                                              to_string(machine.kind)));
  }
  if (!std::has_single_bit(bytes) || bytes > 16) {
    throw Error(ErrorKind::usage, fmt::format("bytes is {}: 1, 2, 4, 8 or 16 is accepted", bytes));
  }
  const std::uint32_t warp_size = machine.warp_size();
  const char* const lanes = machine.warp == 0 ? "width" : "warp";
  validate(machine, warp_size);
  if (warp_size % words_of(0, bytes).count != 0) {
    throw Error(ErrorKind::usage, fmt::format("{} is {}: a multiple of {} is accepted with {} bytes an access", lanes,
                                              warp_size, words_of(0, bytes).count, bytes));
  }
  StepCost cost;
  std::uint64_t total = 0;
  for (std::size_t warp = 0; warp < warps.size(); ++warp) {
    for (const auto& [lane, address] : warps[warp].lanes) {
      if (lane >= warp_size) {
        throw Error(ErrorKind::input, fmt::format("warp {} has an address for lane {}: at most {}, the {}, are "
                                                  "accepted",
                                                  warp, lane, warp_size, lanes));
      }
      const Words words = words_of(address, bytes);
      if (words.first + words.count > words_of_a_memory) {
        throw Error(ErrorKind::input, fmt::format("warp {}, lane {}: address {} of {} bytes lies beyond 2^32 words",
                                                  warp, lane, address, bytes));
      }
    }
    cost.warps.push_back(warp_cost(machine, warps[warp], bytes));
    total += cost.warps.back().stages;
  }
  cost.time_units = {total == 0 ? 0 : total + machine.latency - 1};
  return cost;
}

std::vector<WarpAccess> read_accesses(std::string_view text, const std::string& name) {
  std::vector<WarpAccess> warps;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    line = line.substr(0, line.find('#'));
    WarpAccess warp;
    bool started = false;
    std::uint32_t lane = 0;
    while (true) {
      const std::size_t begin = line.find_first_not_of(" \t\r,");
      if (begin == std::string_view::npos) break;
      line.remove_prefix(begin);
      const std::string_view token = line.substr(0, line.find_first_of(" \t\r,"));
      line.remove_prefix(token.size());
      const auto refuse = [&](const char* accepted) {
        throw Error(ErrorKind::input, fmt::format("{}:{}: '{}' is not understood: {} is accepted", name, number,
                                                  token.substr(0, 40), accepted));
      };
      if (!started) {
        if (token != "R" && token != "W") refuse("R or W and then the addresses of one warp");
        warp.write = token == "W";
        started = true;
        continue;
      }
      Address address = 0;
      const std::string_view digits = token.substr(token.starts_with('+') ? 1 : 0);
      const auto [last, error] = std::from_chars(digits.data(), digits.data() + digits.size(), address);
      const bool idle = token == "-";
      if (!idle && (error != std::errc() || last != digits.data() + digits.size())) {
        refuse("an integer below 2^32, or '-' for a lane that sits out,");
      }
      if (!idle) warp.lanes.push_back({lane, address});
      ++lane;
    }
    if (started) warps.push_back(std::move(warp));
  }
  if (warps.empty())
    throw Error(ErrorKind::input, fmt::format("{}: there is no access: lines 'R 0 32 64 ..' are accepted", name));
  return warps;
}

std::vector<WarpAccess> indexed_accesses(const Expression& index, std::uint32_t threads, std::uint32_t width,
                                         std::uint32_t warp) {
  constexpr std::uint32_t max_threads = 1u << 22;
  if (width == 0) throw Error(ErrorKind::usage, "width is 0: 1 or more is accepted");
  if (threads > max_threads) {
    throw Error(ErrorKind::memory_limit,
                fmt::format("threads is {}: one step of at most {} is accepted", threads, max_threads));
  }
  if (warp == 0) warp = width;
  std::vector<WarpAccess> warps((threads + warp - 1) / warp);
  for (std::uint32_t thread = 0; thread < threads; ++thread) {
    const std::int64_t address = index.value(thread, threads, width);
    if (address < 0 || address > std::numeric_limits<Address>::max()) {
      throw Error(ErrorKind::input, fmt::format("thread {}: index is {}: 0 to 2^32 - 1 is accepted", thread, address));
    }
    warps[thread / warp].lanes.push_back({thread % warp, static_cast<Address>(address)});
  }
  return warps;
}

std::string cost_text(const Machine& machine, const StepCost& cost) {
  constexpr std::string_view symbols = "0123456789abcdefghijklmnopqrstuvwxyz";
  std::string text;
  for (std::size_t warp = 0; warp < cost.warps.size(); ++warp) {
    const WarpCost& of_warp = cost.warps[warp];
    text +=
        fmt::format("warp {}: {}; lane x bank, each access with its stage\n", warp, quantity(of_warp.stages, "stage"));
    for (std::size_t first = 0; first < of_warp.words.size();) {
      const std::uint32_t lane = of_warp.words[first].lane;
      std::string row(machine.width, '.');
      for (; first < of_warp.words.size() && of_warp.words[first].lane == lane; ++first) {
        const Served& word = of_warp.words[first];
        row[word.bank] = word.stage < symbols.size() ? symbols[word.stage] : '+';
      }
      text += fmt::format("{:>6} {}\n", lane, row);
    }
  }
  return text;
}

std::string cost_svg(const Machine& machine, const StepCost& cost) {
  std::vector<Grid> grids;
  for (const WarpCost& warp : cost.warps) {
    grids.push_back({fmt::format("warp {}: {} (lane down, bank across)", grids.size(), quantity(warp.stages, "stage")),
                     machine.width,
                     machine.warp_size(),
                     warp.words,
                     {}});
    for (const Served& word : warp.words) grids.back().columns_of_words.push_back(word.bank);
  }
  return grids_svg(fmt::format("{}: {}", to_string(machine), quantity(cost.time_units.count, "time unit")), grids);
}

}  // namespace warpfold::machine
