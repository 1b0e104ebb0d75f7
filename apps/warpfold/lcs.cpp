#include "warpfold/sequence/lcs.hpp"

#include <fmt/format.h>

#include "arguments.hpp"
#include "core/quantity.hpp"
#include "estimate.hpp"
#include "lcs_result.hpp"
#include "ranks_option.hpp"
#include "result.hpp"
#include "sequence_batches.hpp"
#include "sequence_input.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::app {

using sequence::Subsequence;

namespace {

void check_patch(const SequenceOptions& options, const SequencePair& pair) {
  if (io::extension(options.solve.output) != ".patch") return;
  if (pair.as == "lines" && !options.input.ignore_ends) return;
  throw Error(ErrorKind::usage, fmt::format("--output is '{}': a patch is of lines with their ends, --as lines is "
                                            "accepted",
                                            options.solve.output));
}

void print_subsequence(const SequenceOptions& options, const SequencePair& pair, const Subsequence& found) {
  const std::string lengths = fmt::format("{} and {}", pair.n(), quantity(pair.m(), "symbol"));
  if (!found.length) {
    return fmt::print("insert/delete distance more than {} between {}\n", *options.request.max_distance, lengths);
  }
  fmt::print("longest common subsequence {} of {}\n", *found.length, lengths);
  if (options.script) fmt::print("{}\n", found.script.cigar());
}

void run(const SequenceOptions& options) {
  if (wants_batch(options)) return run_batch_of_distances(options, sequence::Measure::indel);
  const Stopwatch total;
  check_sequence_options(options, {".cigar", ".patch", ".txt", ".svg"}, sequence::lcs_algorithms());
  const std::optional<Ranks> ranks = ranks_of(options.solve);
  std::optional<Checkpoint> checkpointer = options.solve.checkpointer();
  const SequencePair pair = read_by(ranks, [&] { return read_given_sequences(options.words, options.input); });
  check_patch(options, pair);
  const double read_seconds = total.seconds();
  Options limits = options.solve.resolve();
  if (checkpointer) limits.checkpointer = &*checkpointer;
  if (options.solve.estimate) return estimate_subsequence("lcs", options, pair, limits, total);
  const sequence::Request request = options.resolved_request();
  const auto [found, report] =
      ranks ? ranks->lcs(pair.codes, limits, request) : sequence::lcs(pair.codes, limits, request);
  if (ranks && !ranks->is_first()) return;
  found.length ? write_script(options, pair, found.script) : leave_script_unwritten(options);
  Json object = subsequence_json("lcs", options, pair, found, report, read_seconds, total);
  if (ranks) add_ranks(object, *ranks, report);
  if (checkpointer) object["checkpoint"] = checkpoint_json(*checkpointer);
  finish(options.solve, std::move(object), [&, &solution = found] { print_subsequence(options, pair, solution); });
}

}  // namespace

void estimate_subsequence(const std::string& command, const SequenceOptions& options, const SequencePair& pair,
                          const Options& limits, const Stopwatch& total) {
  const Spent before = spent(total);
  const sequence::Request request = options.resolved_request();
  print_estimate(options.solve, before,
                 {.command = command,
                  .n = pair.n(),
                  .solve = sequence::estimate_lcs(pair.codes, limits, request),
                  .after_bytes = script_json_bytes(pair, request)});
}

Json subsequence_json(const std::string& command, const SequenceOptions& options, const SequencePair& pair,
                      const Subsequence& found, const Report& report, double read_seconds, const Stopwatch& total) {
  Summary summary{.command = command, .n = pair.n(), .dtype = "i64"};
  if (!found.length) summary.status = "more than";
  if (found.length) summary.cost = *found.length;
  summary.of(report, read_seconds, total);
  Json object = common_keys(summary);
  add_input_keys(object, pair, options.input);
  object["length"] = summary.cost;
  object["distance"] = nullptr;
  if (!found.length) {
    object["more_than"] = *options.request.max_distance;
    return object;
  }
  const auto length = static_cast<std::uint64_t>(*found.length);
  object["distance"] = pair.n() + pair.m() - 2 * length;
  object["matches"] = length;
  object["identity"] = identity_of(length, pair.n() + pair.m() - length);
  if (options.script) add_script_keys(object, found.script, options.ties);
  return object;
}

void add_lcs(Command command) {
  command.examples("warpfold lcs a.txt b.txt --script", "warpfold lcs --strings ABCBDAB BDCABA --json");
  auto options = std::make_shared<SequenceOptions>();
  add_symbol_options(command, options->input);
  add_batch_options(command, *options);
  add_sequence_options(command, *options, ".json|.cigar|.patch|.txt|.svg; of many pairs .tsv");
  add_ranks_option(command, options->solve);
  add_checkpoint_options(command, options->solve);
  command.runs([options] { run(*options); });
}

}  // namespace warpfold::app
