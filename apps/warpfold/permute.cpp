#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>

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
#include "warpfold/run/team.hpp"

namespace warpfold::app {

namespace {

using permutation::Moved;
using Places = std::vector<std::uint32_t>;

struct PermuteOptions {
  std::string input;
  std::string data;
  std::string output;
  std::string device = "auto";
  std::string algorithm;
  bool inverse = false;
  bool bench = false;
  std::uint32_t width = 32;
  int threads = 0;
  std::uint64_t seed = 1;
  bool json = false;
};

/// Reads a list of numbers: the permutation or the words.
io::NpyArray read_list(const std::string& path) {
  io::NpyArray array = io::read_npy(path);
  if (array.shape.size() == 1) return array;
  throw Error(ErrorKind::input,
              fmt::format("{}: the array has {}: 1 is accepted", path, quantity(array.shape.size(), "dimension")));
}

Places inverse_of(const Places& places) {
  Places inverse(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) inverse[places[i]] = static_cast<std::uint32_t>(i);
  return inverse;
}

/// The permutation of the file, or its inverse.
Places read_permutation(const PermuteOptions& options) {
  Places places = read_list(options.input).values<std::uint32_t>();
  io::with_file_context(options.input, [&] { permutation::check_permutation(places); });
  return options.inverse ? inverse_of(places) : places;
}

/// The words that are moved: the entries of a file, whatever their type is.
struct Words {
  io::NpyArray file;
  std::size_t count = 0;
  std::size_t bytes = 8;  ///< of a word

  [[nodiscard]] std::byte* data() { return reinterpret_cast<std::byte*>(file.content.data()) + file.first_byte; }
};

Words read_words(const std::string& path, std::size_t count) {
  Words words{read_list(path)};
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

/// Moves the words by one algorithm, and checks that each has arrived.
Moved move_checked(const Places& target, Words& words, std::string& moved, const Options& options) {
  moved.resize(words.count * words.bytes);
  const Moved found =
      permutation::move_words(target, words.bytes, words.data(), reinterpret_cast<std::byte*>(moved.data()), options);
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
      moves.push_back(move_checked(target, words, moved, options));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::usage) throw;  // an algorithm for other permutations
    }
  }
  return moves;
}

double fraction_of_copy(const Moved& moved) {
  return moved.move_seconds > 0 ? moved.copy_seconds / moved.move_seconds : 1;
}

/// The stages of a UMM with warps of 32 lanes and groups of 32 bytes: reading in order and writing to the places of a
/// scatter, or reading from the places of a gather and writing in order.
Json umm_stages(const Places& target, std::size_t word_bytes) {
  const auto group = static_cast<std::uint32_t>(std::max<std::size_t>(32 / word_bytes, 1));
  const std::size_t in_order = (target.size() + group - 1) / group;
  return {{"copy", 2 * in_order},
          {"scatter", in_order + permutation::group_stages(target, 32, group)},
          {"gather", in_order + permutation::group_stages(inverse_of(target), 32, group)}};
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

void print_moved(const Moved& moved, std::size_t word_bytes) {
  fmt::print("{}: {:.3g} s for words of {}, {:.2f} of a copy's rate, {} moved; plan {:.3g} s\n", moved.algorithm,
             moved.move_seconds, quantity(word_bytes, "byte"), fraction_of_copy(moved),
             quantity(moved.bytes_moved, "byte"), moved.plan_seconds);
}

/// --bench: every algorithm, and what the memory machines say of them.
void bench(const PermuteOptions& options, const Places& target) {
  Words words = options.data.empty() ? counted_words(target.size()) : read_words(options.data, target.size());
  const std::vector<Moved> moves = compare(target, words, options);
  Json json = common_json(options, target.size());
  json["word_bytes"] = words.bytes;
  json["umm_stages"] = umm_stages(target, words.bytes);
  json["moves"] = Json::array();
  for (const Moved& moved : moves) json["moves"].push_back(json_of(moved));
  if (options.json) return print_json(json);
  for (const Moved& moved : moves) print_moved(moved, words.bytes);
  fmt::print("UMM, 32 lanes, groups of 32 bytes: copy {}, scatter {}, gather {} stages\n",
             json["umm_stages"]["copy"].get<std::size_t>(), json["umm_stages"]["scatter"].get<std::size_t>(),
             json["umm_stages"]["gather"].get<std::size_t>());
}

/// --data: moves the words of a file.
void move_file(const PermuteOptions& options, const Places& target) {
  Words words = read_words(options.data, target.size());
  std::string moved;
  const Moved found = move_checked(target, words, moved, solving_options(options));
  if (!options.output.empty()) {
    std::memcpy(words.data(), moved.data(), moved.size());
    io::write_file(options.output, words.file.content);
  }
  Json json = common_json(options, target.size());
  json["word_bytes"] = words.bytes;
  json.update(json_of(found));
  if (options.json) return print_json(json);
  print_moved(found, words.bytes);
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

/// The stages of the writes if the words are moved in order.
std::size_t stages_in_order(const Places& target, std::uint32_t width) {
  Places in_order(target.size());
  std::iota(in_order.begin(), in_order.end(), 0);
  return permutation::write_stages(target, in_order, width);
}

/// Without --data: the schedule for the banks of a DMM.
void plan_schedule(const PermuteOptions& options, const Places& target) {
  const Stopwatch coloring;
  const auto schedule = permutation::conflict_free_schedule(target, options.width, options.seed);
  const double seconds = coloring.seconds();
  if (!verify_schedule(schedule, target)) throw Error(ErrorKind::internal, "the schedule has a conflict");
  if (!options.output.empty()) write_schedule(options, schedule);
  const std::size_t in_order = stages_in_order(target, options.width);
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

void permute(const PermuteOptions& options) {
  require_extension("--output", options.output, ".npy");
  check_outputs({options.output});
  const Places target = read_permutation(options);
  if (options.bench) return bench(options, target);
  if (!options.data.empty()) return move_file(options, target);
  plan_schedule(options, target);
}

}  // namespace

void add_permute(Command command) {
  command.examples("warpfold permute permutation.npy --width 32",
                   "warpfold permute permutation.npy --data words.npy -o moved.npy");
  auto options = std::make_shared<PermuteOptions>();
  command.option("INPUT", options->input, "permutation as .npy: the word at i moves to entry i").required();
  command.option("--data", options->data, "words to move, a list as .npy of any type").takes("FILE");
  const Command solving = command.in(Group::solving);
  solving.flag("--inverse", options->inverse, "moves the word at entry i to i");
  solving.option("--device", options->device, "device that moves the words; auto: the CPU")
      .takes("auto|cpu|cuda|cuda:N");
  solving
      .option("-a,--algorithm", options->algorithm,
              "scatter, two-passes or three-steps; on a GPU two-passes, gather, scatter, axes or rotation")
      .takes("NAME");
  solving.flag("--bench", options->bench, "times every algorithm, and counts the stages of the memory machines");
  solving.number("--width", options->width, "number of memory banks of the schedule", 1, permutation::max_banks);
  solving.number("--threads", options->threads, threads_help, 0);
  solving.number("--seed", options->seed, "seed of the coloring's random walks");
  const Command output = command.in(Group::output);
  output
      .option("-o,--output", options->output,
              ".npy file for the moved words (with --data) or the schedule [rounds][banks] of sources")
      .takes("FILE");
  output.flag("--json", options->json, json_help);
  add_limits(command);
  command.runs([options] { permute(*options); });
}

}  // namespace warpfold::app
