#include "warpfold/knapsack/subset_sum.hpp"

#include <fmt/format.h>

#include "algorithms.hpp"
#include "arguments.hpp"
#include "core/quantity.hpp"
#include "dtypes.hpp"
#include "estimate.hpp"
#include "knapsack_input.hpp"
#include "outputs.hpp"
#include "result.hpp"
#include "solve_options.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::app {

namespace {

struct SubsetSumOptions {
  SolveOptions solve;
  std::vector<std::string> input;
  std::optional<std::string> target;
  std::string format;
  bool count = false;
  std::uint64_t modulus = 0;
};

void print_estimate(const SubsetSumOptions& options, const knapsack::SubsetSum& problem, const Options& limits,
                    const Stopwatch& total) {
  const Spent before = spent(total);
  Expected expected{.command = "subset-sum", .n = problem.numbers().size()};
  expected.solve = knapsack::estimate(problem, limits);
  if (options.count)
    expected.solve = one_after_the_other(expected.solve, knapsack::estimate_count(problem, options.modulus));
  JsonSize json;
  json.add_list(expected.n, 0, expected.n);
  expected.after_bytes = json.bytes();
  print_estimate(options.solve, before, expected);
}

void run(const SubsetSumOptions& options) {
  const Stopwatch total;
  if (!options.solve.dtype.empty()) check_dtype(options.solve.dtype, {"i64"});
  if (options.modulus != 0 && !options.count) {
    throw Error(ErrorKind::usage, "--modulus belongs to --count: both are needed");
  }
  require_extension("--output", options.solve.output, ".json");
  const Options limits = options.solve.resolve();
  check_algorithm(options.solve, knapsack::subset_sum_algorithms());
  const SubsetSumInput input = read_subset_sum(options.input, options.format, options.target);
  if (options.target && input.states_target) {
    throw Error(ErrorKind::usage,
                fmt::format("{} states a target: no --target beside it is accepted", names_of_files(options.input)));
  }
  const knapsack::SubsetSum& problem = input.problem;
  const double read_seconds = total.seconds();
  if (options.solve.estimate) return print_estimate(options, problem, limits, total);
  const auto [solution, report] = knapsack::solve(problem, limits);
  std::string count;
  if (options.count) count = knapsack::count_subsets(problem, options.modulus, limits).solution.digits;
  Summary summary{.command = "subset-sum", .n = problem.numbers().size(), .dtype = "i64"};
  const Json sum = amount_json(solution.sum, input.places);
  summary.cost = sum;
  summary.of(report, read_seconds, total);
  Json object = common_keys(summary);
  object["value"] = sum;
  object["weight"] = sum;
  object["items"] = solution.items;
  object["target"] = amount_json(problem.target(), input.places);
  object["reached"] = solution.sum == problem.target();
  object["reason"] = solution.reason;
  if (options.count) object["count"] = exact_number(count);
  if (options.modulus != 0) object["modulus"] = options.modulus;
  finish(options.solve, std::move(object), [&, &chosen = solution, &ran = report] {
    fmt::print("{}, target {}: sum {} of {} ({}, {:.3g} s: {})\n", quantity(problem.numbers().size(), "number"),
               amount_text(problem.target(), input.places), amount_text(chosen.sum, input.places),
               quantity(chosen.items.size(), "number"), ran.algorithm, ran.solve_seconds, chosen.reason);
    if (!options.count) return;
    fmt::print("subsets with exactly the target's sum: {}{}\n", count,
               options.modulus != 0 ? fmt::format(", modulo {}", options.modulus) : "");
  });
}

}  // namespace

void add_subset_sum(Command command) {
  command.examples("warpfold subset-sum numbers.txt -o subset.json", "warpfold subset-sum numbers.txt --count");
  auto options = std::make_shared<SubsetSumOptions>();
  command
      .option("INPUT", options->input,
              "file of `n target` and n numbers; JSON, {\"target\": 8, \"numbers\": [3, -5]}; or a knapsack instance, "
              "whose weights are the numbers. Two files: target and numbers")
      .required()
      .expected(1, 2);
  command.option("--target", options->target, "target, for a file that states none").takes("NUMBER");
  command.option("--format", options->format, "file format; default: detected").takes(knapsack_format_names());
  const Command output = command.in(Group::output);
  output.flag("--count", options->count, "also the number of subsets with exactly the target's sum");
  output.number("--modulus", options->modulus, "modulus for --count; default: none", 1);
  add_solve_options(command, options->solve, ".json", "i64", {.gpu = false});
  command.runs([options] { run(*options); });
}

}  // namespace warpfold::app
