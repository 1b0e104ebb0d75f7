#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>
#include <ostream>

#include "arguments.hpp"
#include "core/quantity.hpp"
#include "io/text.hpp"
#include "limits.hpp"
#include "memory.hpp"
#include "outputs.hpp"
#include "result.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/version.hpp"
#include "warpfold/io/file.hpp"
#include "warpfold/io/npy.hpp"
#include "warpfold/permutation/move.hpp"
#include "warpfold/permutation/plan.hpp"
#include "warpfold/permutation/stored_plan.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold::app {

namespace {

using permutation::Moved;
using permutation::StoredPlan;
using permutation::TwoPassPlan;
using Places = std::vector<std::uint32_t>;

struct PermuteOptions {
  std::string input;
  std::string data;
  std::string output;
  std::string plan;  ///< where to keep it
  std::string device = "auto";
  std::string algorithm;
  bool inverse = false;
  bool bench = false;
  std::uint32_t width = 32;
  int threads = 0;
  std::uint64_t seed = 1;
  bool json = false;
};

/// Parses a list of numbers: the permutation or the words.
io::NpyArray parse_list(const std::string& path, std::string content) {
  io::NpyArray array = io::parse_npy(path, std::move(content));
  if (array.shape.size() == 1) return array;
  throw Error(ErrorKind::input,
              fmt::format("{}: the array has {}: 1 is accepted", path, quantity(array.shape.size(), "dimension")));
}

Places inverse_of(const Places& places) {
  Places inverse(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) inverse[places[i]] = static_cast<std::uint32_t>(i);
  return inverse;
}

/// A permutation, as a list or as the plan that a file has kept.
class Input {
 public:
  explicit Input(Places target) : target_(std::move(target)) {}
  explicit Input(StoredPlan plan) : plan_(std::move(plan)) {}

  [[nodiscard]] std::size_t size() const { return plan_ ? plan_->size() : target_->size(); }
  /// The list. A plan of few bytes may expand to many places.
  [[nodiscard]] const Places& target() {
    if (!target_) target_ = plan_->permutation();
    return *target_;
  }
  [[nodiscard]] const StoredPlan* plan() const { return plan_ ? &*plan_ : nullptr; }
  void set_plan(StoredPlan plan) { plan_ = std::move(plan); }

 private:
  std::optional<Places> target_;
  std::optional<StoredPlan> plan_;
};

/// The entries as a permutation. Those of floats are rejected by name if they are no integers.
Places places_of(const io::NpyArray& array) {
  if (array.is_integral()) {
    const std::vector<std::int64_t> entries = array.values<std::int64_t>();
    return io::with_file_context(array.path, [&] { return permutation::permutation_of(entries); });
  }
  Places places = array.values<std::uint32_t>();
  io::with_file_context(array.path, [&] { permutation::check_permutation(places); });
  return places;
}

/// The permutation of the file, or its inverse.
Input read_permutation(const PermuteOptions& options) {
  std::string content = io::read_file(options.input);
  if (StoredPlan::is_plan(content) || io::extension(options.input) == ".plan") {
    StoredPlan plan = StoredPlan::parse(options.input, content);
    if (options.inverse) plan = std::move(plan).inverse();
    return Input(std::move(plan));
  }
  Places places = places_of(parse_list(options.input, std::move(content)));
  return Input(options.inverse ? inverse_of(places) : std::move(places));
}

/// The words that are moved: the entries of a file, whatever their type is.
struct Words {
  io::NpyArray file;
  std::size_t count = 0;
  std::size_t bytes = 8;  ///< of a word

  [[nodiscard]] std::byte* data() { return reinterpret_cast<std::byte*>(file.content.data()) + file.first_byte; }
};

Words read_words(const std::string& path, std::size_t count) {
  Words words{parse_list(path, io::read_file(path))};
  words.count = words.file.size();
  words.bytes = (words.file.content.size() - words.file.first_byte) / std::max<std::size_t>(words.count, 1);
  if (words.count == count) return words;
  throw Error(ErrorKind::input, fmt::format("{}: has {}: {}, as the permutation has, are accepted", path,
                                            quantity(words.count, "word"), count));
}

/// 0, 1, 2, .. as words of 8 bytes, in host order.
Words counted_words(std::size_t count) {
  Words words;
  words.count = count;
  words.file.content.resize(count * words.bytes);
  for (std::uint64_t i = 0; i < count; ++i) std::memcpy(words.file.content.data() + i * words.bytes, &i, words.bytes);
  return words;
}

/// Moves the words by the plan, or else by one algorithm, and checks that each has arrived.
Moved move_checked(const Places& target, const StoredPlan* plan, Words& words, std::string& moved,
                   const Options& options) {
  moved.resize(words.count * words.bytes);
  auto* const to = reinterpret_cast<std::byte*>(moved.data());
  const Moved found = plan != nullptr ? permutation::move_words(*plan, words.bytes, words.data(), to, options)
                                      : permutation::move_words(target, words.bytes, words.data(), to, options);
  for (std::size_t i = 0; i < words.count; ++i) {
    if (std::memcmp(&moved[target[i] * words.bytes], words.data() + i * words.bytes, words.bytes) == 0) continue;
    throw Error(ErrorKind::internal, fmt::format("{} moved word {} to a wrong place", found.algorithm, i));
  }
  return found;
}

Options solving_options(const PermuteOptions& given) {
  Options options;
  options.device = parse_device(given.device);
  options.threads = given.threads;
  options.algorithm = given.algorithm;
  return options;
}

bool is_on_gpu(const PermuteOptions& options) { return parse_device(options.device).kind == Device::Kind::cuda; }

/// The algorithms that --bench compares: all that move this permutation.
std::vector<Moved> compare(const Places& target, Words& words, const PermuteOptions& given) {
  std::vector<Moved> moves;
  std::string moved;
  Options options = solving_options(given);
  const Device::Kind kind = is_on_gpu(given) ? Device::Kind::cuda : Device::Kind::cpu;
  for (const std::string& name : permutation::move_algorithms(kind)) {
    options.algorithm = name;
    try {
      moves.push_back(move_checked(target, nullptr, words, moved, options));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::usage) throw;  // an algorithm for other permutations
    }
  }
  return moves;
}

double fraction_of_copy(const Moved& moved) {
  return moved.move_seconds > 0 ? moved.copy_seconds / moved.move_seconds : 1;
}

constexpr std::uint32_t lanes = 32, banks = 32;

/// The stages of a UMM with warps of 32 lanes and groups of 32 bytes: reading in order and writing to the places of a
/// scatter, or reading from the places of a gather and writing in order. Two passes are in order but for the runs.
Json umm_stages(const Places& target, const TwoPassPlan& passes, std::size_t word_bytes) {
  const auto group = static_cast<std::uint32_t>(std::max<std::size_t>(32 / word_bytes, 1));
  const std::size_t in_order = (target.size() + group - 1) / group;
  return {{"copy", 2 * in_order},
          {"scatter", in_order + permutation::group_stages(target, lanes, group)},
          {"gather", in_order + permutation::group_stages(inverse_of(target), lanes, group)},
          {"two-passes", 3 * in_order + permutation::group_stages(passes.middle_places(), lanes, group)}};
}

/// The stages in which a DMM reads or writes these places in their order, `width` at a time.
std::size_t bank_stages(const Places& places, std::uint32_t width = banks) {
  Places in_order(places.size());
  std::iota(in_order.begin(), in_order.end(), 0);
  return permutation::write_stages(places, in_order, width);
}

/// The stages of a DMM. The blocks of two passes are stored in order, and read as their places fall.
Json dmm_stages(const Places& target, const TwoPassPlan& passes) {
  const std::size_t in_order = (target.size() + banks - 1) / banks;
  const auto& [block, first, second, run_starts, shift] = passes.arrays();
  return {{"copy", 2 * in_order},
          {"scatter", in_order + bank_stages(target)},
          {"gather", in_order + bank_stages(inverse_of(target))},
          {"two-passes",
           2 * in_order + bank_stages({first.begin(), first.end()}) + bank_stages({second.begin(), second.end()})}};
}

Json json_of(const Moved& moved) {
  return {{"algorithm", moved.algorithm},
          {"bytes_moved", moved.bytes_moved},
          {"fraction_of_copy", fraction_of_copy(moved)},
          {"seconds", {{"plan", moved.plan_seconds}, {"move", moved.move_seconds}, {"copy", moved.copy_seconds}}}};
}

Json common_json(const PermuteOptions& options, std::size_t n) {
  Json json = {
      {"command", "permute"}, {"version", version}, {"n", n}, {"verified", true}, {"peak_bytes", peak_bytes()}};
  if (is_on_gpu(options)) {
    json["device"] = to_string(parse_device(options.device));
  } else {
    json["device"] = "cpu";
    json["threads"] = thread_count(options.threads);
  }
  return json;
}

void print_stages(const char* machine, const Json& stages) {
  const auto count = [&](const char* algorithm) { return stages[algorithm].get<std::size_t>(); };
  fmt::print("{}: copy {}, scatter {}, gather {}, two passes {} stages\n", machine, count("copy"), count("scatter"),
             count("gather"), count("two-passes"));
}

void print_moved(const Moved& moved, std::size_t word_bytes) {
  fmt::print("{}: {:.3g} s for words of {}, {:.2f} of a copy's rate, {} moved; plan {:.3g} s\n", moved.algorithm,
             moved.move_seconds, quantity(word_bytes, "byte"), fraction_of_copy(moved),
             quantity(moved.bytes_moved, "byte"), moved.plan_seconds);
}

/// --bench: every algorithm, and what the memory machines say of them.
void bench(const PermuteOptions& options, Input& input) {
  Words words = options.data.empty() ? counted_words(input.size()) : read_words(options.data, input.size());
  const Places& target = input.target();
  const std::vector<Moved> moves = compare(target, words, options);
  Json json = common_json(options, target.size());
  json["word_bytes"] = words.bytes;
  const TwoPassPlan passes(target, 0, options.threads);
  json["umm_stages"] = umm_stages(target, passes, words.bytes);
  json["dmm_stages"] = dmm_stages(target, passes);
  json["moves"] = Json::array();
  for (const Moved& moved : moves) json["moves"].push_back(json_of(moved));
  if (options.json) return print_json(json);
  for (const Moved& moved : moves) print_moved(moved, words.bytes);
  print_stages("UMM, 32 lanes, groups of 32 bytes", json["umm_stages"]);
  print_stages("DMM, 32 banks", json["dmm_stages"]);
}

/// --save-plan: makes a plan unless there is one, and writes it.
double save_plan(const PermuteOptions& options, Input& input, std::size_t word_bytes) {
  const Stopwatch planning;
  if (!input.plan()) input.set_plan(permutation::stored_plan(input.target(), word_bytes, solving_options(options)));
  const double seconds = planning.seconds();
  io::write_file(options.plan, [&](std::ostream& out) { input.plan()->write(out); });
  return seconds;
}

/// --save-plan without words to move.
void plan_moves(const PermuteOptions& options, Input& input) {
  constexpr std::size_t word_bytes = 8;
  const double seconds = save_plan(options, input, word_bytes);
  Json json = common_json(options, input.size());
  json["verified"] = input.plan()->permutation() == input.target();
  json["algorithm"] = input.plan()->algorithm();
  json["seconds"] = {{"plan", seconds}};
  if (options.json) return print_json(json);
  fmt::print("{}: plan of {} in {:.3g} s\n", input.plan()->algorithm(), quantity(input.size(), "word"), seconds);
}

/// --data: moves the words of a file.
void move_file(const PermuteOptions& options, Input& input) {
  Words words = read_words(options.data, input.size());
  double plan_seconds = 0;
  if (!options.plan.empty()) plan_seconds = save_plan(options, input, words.bytes);
  std::string moved;
  Moved found = move_checked(input.target(), input.plan(), words, moved, solving_options(options));
  found.plan_seconds += plan_seconds;
  if (!options.output.empty()) {
    std::memcpy(words.data(), moved.data(), moved.size());
    io::write_file(options.output, words.file.content);
  }
  Json json = common_json(options, input.size());
  json["word_bytes"] = words.bytes;
  json.update(json_of(found));
  if (options.json) return print_json(json);
  print_moved(found, words.bytes);
  if (options.output.empty()) fmt::print("the words are not written: --output writes them\n");
}

/// Executes the bank schedule word by word. Every word must reach its place.
bool verify_schedule(const permutation::BankSchedule& schedule, const Places& target) {
  std::vector<bool> arrived(target.size());
  for (const std::uint32_t source : schedule.sources) {
    if (source == permutation::idle) continue;
    if (arrived[target[source]]) return false;
    arrived[target[source]] = true;
  }
  return std::all_of(arrived.begin(), arrived.end(), [](bool there) { return there; }) &&
         permutation::write_stages(target, schedule.sources, schedule.width) == schedule.rounds();
}

void write_schedule(const PermuteOptions& options, const permutation::BankSchedule& schedule) {
  std::vector<std::int64_t> sources;
  for (const std::uint32_t source : schedule.sources) {
    sources.push_back(source == permutation::idle ? -1 : static_cast<std::int64_t>(source));
  }
  io::write_npy<std::int64_t>(options.output, sources, {schedule.rounds(), schedule.width});
}

/// Without --data: the schedule for the banks of a DMM.
void plan_schedule(const PermuteOptions& options, const Places& target) {
  const Stopwatch coloring;
  const auto schedule = permutation::conflict_free_schedule(target, options.width, options.seed);
  const double seconds = coloring.seconds();
  if (!verify_schedule(schedule, target)) throw Error(ErrorKind::internal, "the schedule has a conflict");
  if (!options.output.empty()) write_schedule(options, schedule);
  const std::size_t in_order = bank_stages(target, options.width);
  if (options.json) {
    Json json = common_json(options, target.size());
    json["width"] = options.width;
    json["rounds"] = schedule.rounds();
    json["write_stages"] = {{"scheduled", schedule.rounds()}, {"in_order", in_order}};
    json["seconds"] = {{"schedule", seconds}};
    return print_json(json);
  }
  fmt::print("{}, {}: {} without a conflict; in order the writes would take {}\n", quantity(target.size(), "word"),
             quantity(options.width, "bank"), quantity(schedule.rounds(), "round"), quantity(in_order, "stage"));
  fmt::print("schedule {:.3g} s; executed: every word arrived\n", seconds);
}

/// A saved plan has its algorithm.
void check_algorithm(const PermuteOptions& options, const Input& input) {
  if (!input.plan() || options.algorithm.empty()) return;
  throw Error(ErrorKind::usage, fmt::format("--algorithm is '{}': a saved plan takes none, {} moves by {}",
                                            options.algorithm, options.input, input.plan()->algorithm()));
}

/// Raises Error{usage} for an option that has no effect without another one.
void reject_options_without_effect(const PermuteOptions& options) {
  const bool has_moves = !options.data.empty() || !options.plan.empty();
  reject_without_effect("--algorithm", !options.algorithm.empty(), has_moves, "--data or --save-plan");
  reject_without_effect("--device", is_on_gpu(options), has_moves || options.bench, "--data, --save-plan or --bench");
  reject_without_effect("--output", !options.output.empty(), options.plan.empty() || !options.data.empty(),
                        "--data when --save-plan is given");
}

void permute(const PermuteOptions& options) {
  reject_options_without_effect(options);
  require_extension("--output", options.output, ".npy");
  check_outputs({options.output, options.plan});
  Input input = read_permutation(options);
  if (options.bench) return bench(options, input);
  check_algorithm(options, input);
  if (!options.data.empty()) return move_file(options, input);
  if (!options.plan.empty()) return plan_moves(options, input);
  plan_schedule(options, input.target());
}

}  // namespace

void add_permute(Command command) {
  command.examples("warpfold permute permutation.npy --width 32",
                   "warpfold permute permutation.npy --data words.npy -o moved.npy");
  auto options = std::make_shared<PermuteOptions>();
  command.option("INPUT", options->input, "permutation as .npy: the word at i moves to entry i; or a saved plan")
      .required();
  const Argument data =
      command.option("--data", options->data, "words to move, a list as .npy of any type").takes("FILE");
  const Command solving = command.in(Group::solving);
  solving.flag("--inverse", options->inverse, "moves the word at entry i to i");
  solving.option("--device", options->device, "device that moves the words; auto: the CPU")
      .takes("auto|cpu|cuda|cuda:N");
  const Argument algorithm =
      solving
          .option("-a,--algorithm", options->algorithm,
                  "scatter, two-passes or three-steps; on a GPU two-passes, gather, scatter, axes or rotation")
          .takes("NAME");
  const Argument bench =
      solving.flag("--bench", options->bench, "times every algorithm, and counts the stages of the memory machines");
  const Argument width =
      solving.number("--width", options->width, "number of memory banks of the schedule", 1, permutation::max_banks);
  solving.number("--threads", options->threads, threads_help, 0);
  const Argument seed = solving.number("--seed", options->seed, "seed of the coloring's random walks");
  const Command output = command.in(Group::output);
  const Argument moved = output
                             .option("-o,--output", options->output,
                                     ".npy file for the moved words (with --data) or the schedule [rounds][banks] of "
                                     "sources")
                             .takes("FILE");
  const Argument plan = output.option("--save-plan", options->plan, "plan that later runs take as INPUT").takes("FILE");
  for (const Argument& other : {algorithm, width, seed, moved, plan}) other.excludes(bench);
  for (const Argument& of_schedule : {width, seed}) of_schedule.excludes(data).excludes(plan);
  output.flag("--json", options->json, json_help);
  add_limits(command);
  command.runs([options] { permute(*options); });
}

}  // namespace warpfold::app
