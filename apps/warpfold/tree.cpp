#include <fmt/format.h>

#include "command.hpp"
#include "interval_input.hpp"
#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/interval/search_tree.hpp"
#include "warpfold/io/file.hpp"
#include "warpfold/io/numbers.hpp"

namespace warpfold::app {

namespace {

struct TreeOptions {
  SolveOptions solve;
  std::vector<std::string> input;
};

TreeWeights weights_of(const std::vector<std::string>& input) {
  if (input.size() == 2) return {io::read_numbers(input[0]), io::read_numbers(input[1])};
  return read_tree_weights(input[0]);
}

/// Knuth's bounds leave some 3 candidates an entry, at 5 nanoseconds; without them there are n/3.
template <class T>
void estimate(const SolveOptions& options, std::size_t keys) {
  const auto n = static_cast<double>(keys);
  const bool bounded = options.algorithm != "dp";
  const double candidates = n * n / 2 * (bounded ? 3 : n / 3);
  print_estimate(options, {.command = "tree",
                           .n = keys,
                           .algorithm = bounded ? "knuth" : "dp",
                           .candidates = candidates,
                           .seconds = candidates * 5e-9,
                           .peak_bytes = (keys + 1) * (keys + 2) / 2 * sizeof(T)});
}

template <class T>
void solve_and_print(const TreeOptions& options, std::vector<T> keys, std::vector<T> gaps, const Stopwatch& total) {
  const double read_seconds = total.seconds();
  const interval::SearchTree<T> tree(std::move(keys), std::move(gaps));
  if (options.solve.estimate) return estimate<T>(options.solve, tree.size());
  const auto result = interval::solve(tree, options.solve.resolve());
  Outcome outcome{.command = "tree", .n = tree.size(), .cost = result.solution.cost};
  outcome.dtype = dtype_name<T>();
  outcome.report = result.report;
  outcome.read_seconds = read_seconds;
  outcome.total_seconds = total.seconds();
  Json object = common_keys(outcome);
  object["root"] = result.solution.root;
  object["parents"] = result.solution.parents;
  if (!options.solve.output.empty()) io::write_file(options.solve.output, json_text(object) + "\n");
  if (options.solve.json) return print_json(object);
  if (options.solve.quiet) return;
  fmt::print("{} keys, cost {}, root {} ({}, {:.3g} s)\n", tree.size(), result.solution.cost, result.solution.root,
             result.report.algorithm, result.report.solve_seconds);
}

void run(const TreeOptions& options) {
  const Stopwatch total;
  if (parse_device(options.solve.device).kind == Device::Kind::cuda) {
    throw Error(ErrorKind::device, "search trees are solved on the CPU: --device auto or cpu is accepted");
  }
  require_extension("--output", options.solve.output, ".json");
  const std::string& dtype = options.solve.dtype;
  if (!dtype.empty() && dtype != "i64" && dtype != "f64") {
    throw Error(ErrorKind::usage, fmt::format("--dtype {} is not accepted here: i64 or f64 is", dtype));
  }
  TreeWeights weights = weights_of(options.input);
  if (dtype == "i64" && !weights.whole())
    throw Error(ErrorKind::input, "--dtype i64 needs weights that are whole numbers");
  if (weights.whole() && dtype != "f64") {
    return solve_and_print<std::int64_t>(options, std::move(weights.keys.wholes), std::move(weights.gaps.wholes),
                                         total);
  }
  solve_and_print<double>(options, std::move(weights.keys.reals), std::move(weights.gaps.reals), total);
}

}  // namespace

void add_tree(CLI::App& app) {
  CLI::App* command = app.add_subcommand("tree", "the binary search tree of least expected depth");
  auto options = std::make_shared<TreeOptions>();
  command->add_option("INPUT", options->input, "key weights p and gap weights q: two files, or one .json with both")
      ->required()
      ->expected(1, 2);
  add_solve_options(*command, options->solve);
  command->callback([options] { run(*options); });
}

}  // namespace warpfold::app
