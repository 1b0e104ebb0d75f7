#include <fmt/format.h>

#include <charconv>

#include "command.hpp"
#include "interval_input.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/interval/matrix_chain.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::app {

namespace {

struct ChainOptions {
  SolveOptions solve;
  std::vector<std::string> input;
};

std::optional<std::int64_t> whole_number(const std::string& word) {
  std::int64_t value = 0;
  const char* last = word.data() + word.size();
  const auto [end, error] = std::from_chars(word.data(), last, value);
  if (error != std::errc() || end != last) return std::nullopt;
  return value;
}

/// Dimensions as arguments, or one file of them.
std::vector<std::int64_t> dimensions_of(const std::vector<std::string>& input) {
  if (input.size() == 1 && !whole_number(input[0])) return read_dimensions(input[0]);
  std::vector<std::int64_t> dimensions;
  for (const std::string& word : input) {
    const auto value = whole_number(word);
    if (!value)
      throw Error(ErrorKind::usage, fmt::format("'{}' is no dimension: whole numbers or one file are accepted", word));
    dimensions.push_back(*value);
  }
  return dimensions;
}

Json solution_json(const Outcome& outcome, const interval::ChainSolution& solution) {
  Json object = common_keys(outcome);
  object["order"] = interval::parentheses(solution);
  object["splits"] = Json::array();
  for (const auto& split : solution.splits) object["splits"].push_back({split.i, split.k, split.j});
  object["path"] = interval::contraction_path(solution);
  return object;
}

/// Hu and Shing's algorithm is all that a long chain offers; 0.3 microseconds a matrix, and at most 300 bytes.
void estimate(const SolveOptions& options, const interval::MatrixChain& chain) {
  const auto n = static_cast<double>(chain.size());
  print_estimate(options, {.command = "chain",
                           .n = chain.size(),
                           .algorithm = "hu-shing",
                           .seconds = 3e-7 * n,
                           .peak_bytes = 300 * chain.size()});
}

void run(const ChainOptions& options) {
  const Stopwatch total;
  const Options solve_options = options.solve.resolve();
  require_extension("--output", options.solve.output, ".json");
  if (!options.solve.dtype.empty()) {
    throw Error(ErrorKind::usage, "--dtype is not accepted here: a chain is solved exactly, in 128-bit whole numbers");
  }
  if (solve_options.device.kind == Device::Kind::cuda && solve_options.algorithm.empty()) {
    throw Error(ErrorKind::device, "chains are solved on the CPU: --device auto or cpu is accepted");
  }
  const interval::MatrixChain chain(dimensions_of(options.input));
  if (options.solve.estimate) return estimate(options.solve, chain);
  const double read_seconds = total.seconds();
  const interval::ChainResult result = interval::solve(chain, solve_options);
  Outcome outcome{.command = "chain", .n = chain.size(), .dtype = "i128", .report = result.report};
  outcome.cost = exact_number(fmt::format("{}", result.solution.cost));
  outcome.read_seconds = read_seconds;
  outcome.total_seconds = total.seconds();
  if (!options.solve.output.empty()) {
    io::write_file(options.solve.output, json_text(solution_json(outcome, result.solution)) + "\n");
  }
  if (options.solve.json) return print_json(solution_json(outcome, result.solution));
  if (options.solve.quiet) return;
  fmt::print("{} matrices, {} scalar multiplications ({}, {:.3g} s)\n", chain.size(), result.solution.cost,
             result.report.algorithm, result.report.solve_seconds);
  constexpr std::size_t printable = 200;
  if (chain.size() <= printable) fmt::print("{}\n", interval::parentheses(result.solution));
}

}  // namespace

void add_chain(CLI::App& app) {
  CLI::App* command = app.add_subcommand("chain", "the cheapest order in which to multiply a chain of matrices");
  auto options = std::make_shared<ChainOptions>();
  command->add_option("INPUT", options->input, "dimensions p0 p1 .. pn, or a file of them")->required();
  add_solve_options(*command, options->solve);
  command->callback([options] { run(*options); });
}

}  // namespace warpfold::app
