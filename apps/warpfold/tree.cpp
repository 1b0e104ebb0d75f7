#include <fmt/format.h>

#include <cmath>

#include "algorithms.hpp"
#include "arguments.hpp"
#include "core/exact_type.hpp"
#include "core/quantity.hpp"
#include "dtypes.hpp"
#include "estimate.hpp"
#include "interval_input.hpp"
#include "io/text.hpp"
#include "outputs.hpp"
#include "result.hpp"
#include "solve_options.hpp"
#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/interval/search_tree.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::app {

namespace {

struct TreeOptions {
  SolveOptions solve;
  std::vector<std::string> input;
};

double max_cost(const TreeWeights& weights) {
  double sum = 0;
  for (const io::Numbers* list : {&weights.keys, &weights.gaps}) {
    for (std::size_t i = 0; i < list->size(); ++i) sum += std::abs(list->real(i));
  }
  return interval::max_tree_cost(sum, weights.keys.size());
}

std::string chosen_dtype(const std::string& asked, const TreeWeights& weights) {
  if (!asked.empty()) return asked;
  return weights.is_integral() ? std::string(smallest_exact_type(max_cost(weights))) : "f64";
}

template <class T>
void estimate(const SolveOptions& options, const interval::SearchTree<T>& tree, const Stopwatch& total) {
  const Spent before = spent(total);
  JsonSize json;
  json.add_list(tree.size(), 0, tree.size());
  print_estimate(options, before,
                 {.command = "tree",
                  .n = tree.size(),
                  .solve = interval::estimate(tree, options.resolve()),
                  .after_bytes = json.bytes()});
}

template <class T>
void solve_and_print(const TreeOptions& options, const TreeWeights& weights, const Stopwatch& total) {
  const double read_seconds = total.seconds();
  const interval::SearchTree<T> tree = tree_of<T>(options.input, weights);
  if (options.solve.estimate) return estimate(options.solve, tree, total);
  const auto [solution, report] = interval::solve(tree, options.solve.resolve());
  Summary summary{.command = "tree", .n = tree.size(), .cost = solution.cost, .dtype = std::string(dtype_name<T>())};
  summary.of(report, read_seconds, total);
  summary.exact = weights.is_integral() ? adds_exactly<T>(max_cost(weights)) : weights.doubles_hold();
  note_rounding(summary);
  Json object = common_keys(summary);
  object["root"] = solution.root;
  object["parents"] = solution.parents;
  finish(options.solve, std::move(object), [&, &chosen = solution, &ran = report] {
    fmt::print("{}, cost {}, root {} ({}, {:.3g} s)\n", quantity(tree.size(), "key"), chosen.cost, chosen.root,
               ran.algorithm, ran.solve_seconds);
  });
}

void run(const TreeOptions& options) {
  const Stopwatch total;
  require_extension("--output", options.solve.output, ".json");
  check_algorithm(options.solve, interval::tree_algorithms());
  const TreeWeights weights = read_tree_weights(options.input);
  with_dtype(chosen_dtype(options.solve.dtype, weights),
             [&]<class T>(T) { solve_and_print<T>(options, weights, total); });
}

}  // namespace

void add_tree(Command command) {
  command.examples("warpfold tree p.txt q.txt -o tree.json", "warpfold tree words.txt --json");
  auto options = std::make_shared<TreeOptions>();
  command
      .option(
          "INPUT", options->input,
          "weights p of n keys and q of n + 1 gaps: two files, .npy or text, or one .json; one file of p alone: q is 0")
      .required()
      .expected(1, 2);
  add_solve_options(command, options->solve, ".json", "i32|i64|f32|f64", {.gpu = false});
  command.runs([options] { run(*options); });
}

}  // namespace warpfold::app
