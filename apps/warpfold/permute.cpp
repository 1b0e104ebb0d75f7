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
#include "warpfold/permutation/plan.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold::app {

namespace {

struct PermuteOptions {
  std::string input;
  std::string data;
  std::string output;
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

/// Executes the bank schedule word by word. Every word must reach its place.
bool verify_schedule(const permutation::BankSchedule& schedule, const std::vector<std::uint32_t>& target) {
  std::vector<bool> arrived(target.size());
  for (const std::uint32_t source : schedule.sources) {
    if (source == permutation::idle) continue;
    if (arrived[target[source]]) return false;
    arrived[target[source]] = true;
  }
  return std::all_of(arrived.begin(), arrived.end(), [](bool there) { return there; }) &&
         permutation::write_stages(target, schedule.sources, schedule.width) == schedule.rounds();
}

struct Moves {
  double plan_seconds = 0;
  double three_step_seconds = 0;
  double scatter_seconds = 0;
};

/// The bytes of an entry of any type, at the beginning if it has fewer than 8.
using Word = std::uint64_t;

std::size_t entry_bytes(const io::NpyArray& array) {
  return (array.content.size() - array.first_byte) / std::max<std::size_t>(array.size(), 1);
}

std::vector<Word> words_of(const io::NpyArray& array) {
  std::vector<Word> words(array.size());
  const std::size_t bytes = entry_bytes(array);
  const char* first = array.content.data() + array.first_byte;
  for (std::size_t i = 0; i < words.size(); ++i) std::memcpy(&words[i], first + i * bytes, bytes);
  return words;
}

/// Writes the file again with each entry moved.
void write_words(const std::string& path, io::NpyArray array, const std::vector<Word>& words) {
  const std::size_t bytes = entry_bytes(array);
  char* first = array.content.data() + array.first_byte;
  for (std::size_t i = 0; i < words.size(); ++i) std::memcpy(first + i * bytes, &words[i], bytes);
  io::write_file(path, array.content);
}

/// Moves `words` by the three-step plan and by the plain scatter. Both results must be equal.
Moves move_both(const std::vector<std::uint32_t>& target, std::vector<Word>& words, int threads, std::uint64_t seed) {
  Moves moves;
  const Stopwatch planning;
  const permutation::ThreeStepPlan plan = permutation::plan_three_steps(target, seed);
  moves.plan_seconds = planning.seconds();
  std::vector<Word> by_plan(words.size()), scattered(words.size()), spare(spare_words(plan));
  // Both write their results twice, so that the second run of each does not touch new memory.
  for (int repeat = 0; repeat < 2; ++repeat) {
    const Stopwatch moving;
    permutation::move<Word>(plan, words, by_plan, spare, threads);
    moves.three_step_seconds = moving.seconds();
    const Stopwatch scattering;
    constexpr std::size_t at_once = 1 << 16;
    Team(threads).parallel_for((words.size() + at_once - 1) / at_once, [&](std::size_t part, int) {
      const std::size_t end = std::min(words.size(), (part + 1) * at_once);
      for (std::size_t i = part * at_once; i < end; ++i) scattered[target[i]] = words[i];
    });
    moves.scatter_seconds = scattering.seconds();
  }
  if (by_plan != scattered) throw Error(ErrorKind::internal, "the three-step plan moved a word to a wrong place");
  words = std::move(scattered);
  return moves;
}

void write_schedule(const PermuteOptions& options, const permutation::BankSchedule& schedule) {
  std::vector<std::int64_t> sources;
  for (const std::uint32_t source : schedule.sources) {
    sources.push_back(source == permutation::idle ? -1 : static_cast<std::int64_t>(source));
  }
  io::write_npy<std::int64_t>(options.output, sources, {schedule.rounds(), schedule.width});
}

/// A permutation, and the words that it moves.
struct PermuteInput {
  std::vector<std::uint32_t> target;
  std::vector<Word> words;
  std::optional<io::NpyArray> data;  ///< the content of --data
};

/// Without --data, the words are 0, 1, 2, ..
PermuteInput read_permute_input(const PermuteOptions& options) {
  PermuteInput input{read_list(options.input).values<std::uint32_t>(), {}, {}};
  io::with_file_context(options.input, [&] { permutation::check_permutation(input.target); });
  input.words.resize(input.target.size());
  std::iota(input.words.begin(), input.words.end(), Word{0});
  if (!options.data.empty()) input.words = words_of(input.data.emplace(read_list(options.data)));
  if (input.words.size() == input.target.size()) return input;
  throw Error(ErrorKind::input, fmt::format("{}: has {}: {}, as the permutation has, are accepted", options.data,
                                            quantity(input.words.size(), "word"), input.target.size()));
}

/// The stages of the writes if the words are moved in order.
std::size_t stages_in_order(const std::vector<std::uint32_t>& target, std::uint32_t width) {
  std::vector<std::uint32_t> in_order(target.size());
  std::iota(in_order.begin(), in_order.end(), 0);
  return permutation::write_stages(target, in_order, width);
}

/// The command's results.
struct Permuted {
  std::size_t words = 0;
  std::size_t rounds = 0;        ///< rounds of the schedule
  std::size_t plain_stages = 0;  ///< stages of the writes in order
  int threads = 0;
  double read_seconds = 0;
  double schedule_seconds = 0;
  Moves moves = {};
};

Json json_of(const PermuteOptions& options, const Permuted& found, double total_seconds) {
  return {{"command", "permute"},
          {"version", version},
          {"n", found.words},
          {"width", options.width},
          {"rounds", found.rounds},
          {"write_stages", {{"scheduled", found.rounds}, {"in_order", found.plain_stages}}},
          {"verified", true},
          {"threads", found.threads},
          {"peak_bytes", peak_bytes()},
          {"seconds",
           {{"read", found.read_seconds},
            {"schedule", found.schedule_seconds},
            {"three_step_plan", found.moves.plan_seconds},
            {"three_step_move", found.moves.three_step_seconds},
            {"scatter", found.moves.scatter_seconds},
            {"total", total_seconds}}}};
}

void print_permuted(const PermuteOptions& options, const Permuted& found) {
  fmt::print("{}, {}: {} without a conflict; in order the writes would take {}\n", quantity(found.words, "word"),
             quantity(options.width, "bank"), quantity(found.rounds, "round"), quantity(found.plain_stages, "stage"));
  fmt::print("schedule {:.3g} s; executed: every word arrived\n", found.schedule_seconds);
  fmt::print("moving words of 8 bytes on {}: three steps {:.3g} s (plan {:.3g} s), plain scatter {:.3g} s\n",
             quantity(found.threads, "thread"), found.moves.three_step_seconds, found.moves.plan_seconds,
             found.moves.scatter_seconds);
}

void permute(const PermuteOptions& options) {
  const Stopwatch total;
  require_extension("--output", options.output, ".npy");
  check_outputs({options.output});
  Permuted found{.threads = thread_count(options.threads)};
  PermuteInput input = read_permute_input(options);
  found.words = input.target.size();
  found.read_seconds = total.seconds();

  const Stopwatch coloring;
  const auto schedule = permutation::conflict_free_schedule(input.target, options.width, options.seed);
  found.schedule_seconds = coloring.seconds();
  if (!verify_schedule(schedule, input.target)) throw Error(ErrorKind::internal, "the schedule has a conflict");
  found.rounds = schedule.rounds();
  found.plain_stages = stages_in_order(input.target, options.width);
  found.moves = move_both(input.target, input.words, found.threads, options.seed);
  if (!options.output.empty() && input.data) write_words(options.output, *std::move(input.data), input.words);
  if (!options.output.empty() && options.data.empty()) write_schedule(options, schedule);

  if (options.json) return print_json(json_of(options, found, total.seconds()));
  print_permuted(options, found);
}

}  // namespace

void add_permute(Command command) {
  command.examples("warpfold permute permutation.npy --width 32",
                   "warpfold permute permutation.npy --data words.npy -o moved.npy");
  auto options = std::make_shared<PermuteOptions>();
  command.option("INPUT", options->input, "permutation as .npy: the word at i moves to entry i").required();
  command.option("--data", options->data, "words to move, a list as .npy of any type; default: 0, 1, 2 ..")
      .takes("FILE");
  const Command solving = command.in(Group::solving);
  solving.number("--width", options->width, "number of memory banks", 1, permutation::max_banks);
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
