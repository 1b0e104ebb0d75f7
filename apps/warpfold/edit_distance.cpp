#include "warpfold/sequence/edit_distance.hpp"

#include <fmt/format.h>

#include "arguments.hpp"
#include "core/quantity.hpp"
#include "estimate.hpp"
#include "number_lists.hpp"
#include "ranks_option.hpp"
#include "result.hpp"
#include "sequence_batches.hpp"
#include "sequence_input.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::app {

using sequence::Distance;

namespace {

struct EditDistanceOptions : SequenceOptions {
  std::string costs;
};

sequence::Costs costs_of(const std::string& text, bool transpositions) {
  if (text.empty()) return {};
  const auto costs = option_integers<std::int64_t>("--costs", text);
  const std::size_t count = transpositions ? 4 : 3;
  if (costs.size() != count) {
    throw Error(
        ErrorKind::usage,
        fmt::format("--costs has {}: INSERTION,DELETION,SUBSTITUTION{} is accepted", quantity(costs.size(), "number"),
                    transpositions ? ",TRANSPOSITION" : " (and with --transpositions a fourth)"));
  }
  return {costs[0], costs[1], costs[2], transpositions ? costs[3] : 1};
}

sequence::Request request_of(const EditDistanceOptions& options) {
  sequence::Request request = options.resolved_request();
  if (request.unrestricted) request.transpositions = true;
  request.costs = costs_of(options.costs, request.transpositions);
  return request;
}

Json costs_json(const sequence::Request& request) {
  Json costs = {{"insertion", request.costs.insertion},
                {"deletion", request.costs.deletion},
                {"substitution", request.costs.substitution}};
  if (request.transpositions) costs["transposition"] = request.costs.transposition;
  return costs;
}

void add_solution_keys(Json& object, const EditDistanceOptions& options, const sequence::Request& request,
                       const Distance& found) {
  if (!options.costs.empty() || request.transpositions) object["costs"] = costs_json(request);
  if (request.unrestricted) object["unrestricted_transpositions"] = true;
  object["distance"] = object["cost"];
  if (!found.distance) object["more_than"] = *request.max_distance;
  if (!found.distance || !options.script) return;
  const std::uint64_t matches = found.script.count(sequence::Edit::match);
  object["matches"] = matches;
  object["identity"] = identity_of(matches, columns_of(found.script));
  add_script_keys(object, found.script, options.ties);
}

void print_distance(const EditDistanceOptions& options, const SequencePair& pair, const Distance& found) {
  const std::string distance =
      found.distance ? fmt::format("{}", *found.distance) : fmt::format("more than {}", *options.request.max_distance);
  fmt::print("edit distance {} between {} and {}\n", distance, pair.n(), quantity(pair.m(), "symbol"));
  if (found.distance && options.script) fmt::print("{}\n", found.script.cigar());
}

void estimate(const EditDistanceOptions& options, const SequencePair& pair, const sequence::Request& request,
              const Options& limits, const Stopwatch& total) {
  const Spent before = spent(total);
  print_estimate(options.solve, before,
                 {.command = "edit-distance",
                  .n = pair.n(),
                  .solve = sequence::estimate_edit_distance(pair.codes, limits, request),
                  .after_bytes = script_json_bytes(pair, request)});
}

void run(const EditDistanceOptions& options) {
  if (wants_batch(options)) {
    if (!options.costs.empty())
      throw Error(ErrorKind::usage, "--costs is for one pair: --pairs, --all and --nearest have costs of 1");
    return run_batch_of_distances(options, sequence::Measure::edit);
  }
  const Stopwatch total;
  check_sequence_options(options, {".cigar", ".txt", ".svg"}, sequence::edit_distance_algorithms());
  const std::optional<Ranks> ranks = ranks_of(options.solve);
  std::optional<Checkpoint> checkpointer = options.solve.checkpointer();
  const sequence::Request request = request_of(options);
  const SequencePair pair = read_by(ranks, [&] { return read_given_sequences(options.words, options.input); });
  const double read_seconds = total.seconds();
  Options limits = options.solve.resolve();
  if (checkpointer) limits.checkpointer = &*checkpointer;
  if (options.solve.estimate) return estimate(options, pair, request, limits, total);
  const auto [found, report] =
      ranks ? ranks->edit_distance(pair.codes, limits, request) : sequence::edit_distance(pair.codes, limits, request);
  if (ranks && !ranks->is_first()) return;
  found.distance ? write_script(options, pair, found.script) : leave_script_unwritten(options);
  Summary summary{.command = "edit-distance", .n = pair.n(), .dtype = "i64"};
  if (!found.distance) summary.status = "more than";
  if (found.distance) summary.cost = *found.distance;
  summary.of(report, read_seconds, total);
  Json object = common_keys(summary);
  add_input_keys(object, pair, options.input);
  add_solution_keys(object, options, request, found);
  if (ranks) add_ranks(object, *ranks, report);
  if (checkpointer) object["checkpoint"] = checkpoint_json(*checkpointer);
  finish(options.solve, std::move(object), [&, &solution = found] { print_distance(options, pair, solution); });
}

}  // namespace

void add_edit_distance(Command command) {
  command.examples("warpfold edit-distance a.txt b.txt --as words --script",
                   "warpfold edit-distance --strings kitten sitting --json");
  auto options = std::make_shared<EditDistanceOptions>();
  add_symbol_options(command, options->input);
  command
      .option("--costs", options->costs,
              "costs of an insertion, a deletion and a substitution, and with "
              "--transpositions of a transposition; default: 1 each")
      .takes("INSERTION,DELETION,SUBSTITUTION");
  command.flag("--transpositions", options->request.transpositions,
               "neighbors that swap are one edit, T in the script, and are not edited again");
  command.flag("--unrestricted-transpositions", options->request.unrestricted,
               "the same, and symbols between the two that swap may be deleted before or inserted afterwards");
  add_batch_options(command, *options);
  add_sequence_options(command, *options, ".json|.cigar|.txt|.svg; of many pairs .tsv");
  add_ranks_option(command, options->solve);
  add_checkpoint_options(command, options->solve);
  command.runs([options] { run(*options); });
}

}  // namespace warpfold::app
