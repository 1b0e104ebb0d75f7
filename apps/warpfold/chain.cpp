#include <fmt/format.h>

#include <filesystem>
#include <limits>

#include "algorithms.hpp"
#include "arguments.hpp"
#include "core/quantity.hpp"
#include "dtypes.hpp"
#include "estimate.hpp"
#include "interval_input.hpp"
#include "io/text.hpp"
#include "outputs.hpp"
#include "ranks_option.hpp"
#include "result.hpp"
#include "solve_options.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/interval/matrix_chain.hpp"
#include "warpfold/io/file.hpp"
#include "warpfold/io/npy.hpp"
#include "warpfold/io/numbers.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold::app {

namespace {

struct ChainOptions {
  SolveOptions solve;
  std::vector<std::string> input;
  std::vector<std::string> tables;  ///< two files, or empty
};

bool is_number(const std::string& word) {
  try {
    static_cast<void>(io::parse_number(word));
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// Removes a fraction of zeros: "10.0" becomes "10".
std::string without_zero_fraction(const std::string& word) {
  const std::size_t point = word.find('.');
  const bool has_zeros = point != word.npos && point > 0 && word.find_first_not_of('0', point + 1) == word.npos;
  return has_zeros ? word.substr(0, point) : word;
}

/// Reads a dimension. Accepts integers below 1, which the chain rejects.
std::int64_t dimension_of(const std::string& given, std::size_t index) {
  const std::string word = without_zero_fraction(given);
  const io::Number number = is_number(word) ? io::parse_number(word) : io::Number{};
  const bool is_small = is_number(word) && number.is_integral && number.exact < 1;
  if (is_small && number.exact >= std::numeric_limits<std::int64_t>::min()) {
    return static_cast<std::int64_t>(number.exact);
  }
  return parse_option<std::int64_t>(fmt::format("dimension {}", index), word, 1);
}

/// Reads the chain from dimensions or shapes on the command line, or from a file of them.
interval::MatrixChain chain_of(const std::vector<std::string>& input) {
  if (is_shape(input[0]) && !std::filesystem::exists(input[0]))
    return interval::MatrixChain(dimensions_of_shapes(input));
  if (input.size() == 1 && !is_number(input[0])) return read_chain(input[0]);
  std::vector<std::int64_t> dimensions;
  for (const std::string& word : input) dimensions.push_back(dimension_of(word, dimensions.size()));
  return interval::MatrixChain(std::move(dimensions));
}

/// Whether the dynamic program must run: only it fills tables and has a choice of number type.
bool by_dp(const ChainOptions& options) {
  if (options.solve.algorithm.empty()) return !options.tables.empty() || !options.solve.dtype.empty();
  return options.solve.algorithm == "dp";
}

void check(const ChainOptions& options, const Options& solve_options) {
  require_extension("--output", options.solve.output, ".json");
  for (const std::string& path : options.tables) require_extension("--tables", path, ".npy");
  if (!options.tables.empty() && !options.solve.algorithm.empty() && options.solve.algorithm != "dp") {
    throw Error(ErrorKind::usage,
                fmt::format("--tables are the dynamic program's: -a dp is accepted beside them, not {}",
                            options.solve.algorithm));
  }
  if (!options.solve.dtype.empty() && !by_dp(options)) {
    throw Error(ErrorKind::usage, "--dtype is accepted with -a dp: hu-shing is exact, in 128-bit integers");
  }
  if (solve_options.device.kind == Device::Kind::cuda && !by_dp(options)) {
    throw Error(ErrorKind::device, fmt::format("Hu and Shing's algorithm runs on the CPU: {}",
                                               has_cuda() ? "--device cuda is accepted with -a dp or --tables"
                                                          : "--device cpu is accepted, this build has no CUDA"));
  }
  if (options.solve.ranks && (!options.tables.empty() || !by_dp(options))) {
    throw Error(ErrorKind::usage, "--ranks run the dynamic program to its order: -a dp without --tables is accepted");
  }
  check_algorithm(options.solve, interval::chain_algorithms());
  std::vector<std::string> outputs = options.tables;
  outputs.push_back(options.solve.output);
  check_outputs(outputs);
}

/// The default number type of the tables: NumPy's default integer.
std::string tables_dtype(const ChainOptions& options) {
  return options.solve.dtype.empty() ? "i64" : options.solve.dtype;
}

Json solution_json(const Summary& summary, const interval::ChainSolution& solution) {
  Json object = common_keys(summary);
  object["order"] = interval::parentheses(solution);
  object["splits"] = Json::array();
  for (const auto& split : solution.splits) object["splits"].push_back({split.i, split.k, split.j});
  object["path"] = interval::contraction_path(solution);
  return object;
}

/// The estimate in the number type that `solve` chooses.
Estimate estimate_of(const ChainOptions& options, const interval::MatrixChain& chain, const Options& solve_options) {
  const bool tables = !options.tables.empty();
  if (!tables && options.solve.dtype.empty()) return interval::estimate(chain, solve_options);
  return with_dtype(tables ? tables_dtype(options) : options.solve.dtype,
                    [&]<class T>(T) { return interval::estimate_dp<T>(chain, tables, solve_options); });
}

/// The bytes of the order, its splits and the path as JSON.
std::size_t solution_bytes(const ChainOptions& options, std::size_t matrices) {
  const std::size_t splits = 2 * matrices * sizeof(interval::Split);
  if (!options.solve.json && options.solve.output.empty()) return splits;
  JsonSize json;
  json.add_list(matrices, 3, matrices);
  json.add_list(matrices, 2, matrices);
  json.add_text(matrices * (std::to_string(matrices).size() + 3));
  return splits + json.bytes();
}

void estimate(const ChainOptions& options, const interval::MatrixChain& chain, const Options& solve_options,
              const Stopwatch& total) {
  const Spent before = spent(total);
  const std::size_t n = chain.size();
  Expected expected{.command = "chain", .n = n, .solve = estimate_of(options, chain, solve_options)};
  expected.after_bytes = solution_bytes(options, n);
  if (!options.tables.empty()) {
    expected.file_bytes = n * n * (sizeof(std::int64_t) + (tables_dtype(options).ends_with("32") ? 4 : 8));
  }
  print_estimate(options.solve, before, expected);
}

Outcome<interval::ChainSolution> solve_and_write_tables(const ChainOptions& options, const interval::MatrixChain& chain,
                                                        const Options& solve_options) {
  return with_dtype(tables_dtype(options), [&]<class T>(T) {
    auto [tables, report] = interval::chain_tables<T>(chain, solve_options);
    const std::vector<std::size_t> shape{chain.size(), chain.size()};
    io::write_npy<T>(options.tables[0], tables.costs, shape);
    io::write_npy<std::int64_t>(options.tables[1], tables.splits, shape);
    return Outcome<interval::ChainSolution>{std::move(tables.solution), report};
  });
}

/// Solves in the given number type, or exactly if none is given.
Outcome<interval::ChainSolution> solve(const ChainOptions& options, const interval::MatrixChain& chain,
                                       const Options& solve_options, const Ranks* ranks) {
  if (ranks) {
    const std::string dtype(options.solve.dtype.empty() ? interval::chain_dp_dtype(chain) : options.solve.dtype);
    return with_dtype(dtype, [&]<class T>(T) { return ranks->solve_by_dp<T>(chain, solve_options); });
  }
  if (!options.tables.empty()) return solve_and_write_tables(options, chain, solve_options);
  if (options.solve.dtype.empty()) return interval::solve(chain, solve_options);
  return with_dtype(options.solve.dtype, [&]<class T>(T) { return interval::solve_by_dp<T>(chain, solve_options); });
}

void run(const ChainOptions& options) {
  const Stopwatch total;
  Options solve_options = options.solve.resolve();
  std::optional<Checkpoint> checkpointer = options.solve.checkpointer();
  if (checkpointer) solve_options.checkpointer = &*checkpointer;
  check(options, solve_options);
  const std::optional<Ranks> ranks = ranks_of(options.solve);
  const interval::MatrixChain chain = read_by(ranks, [&] { return chain_of(options.input); });
  if (options.solve.estimate) return estimate(options, chain, solve_options, total);
  const double read_seconds = total.seconds();
  const auto [solution, report] = solve(options, chain, solve_options, ranks ? &*ranks : nullptr);
  if (ranks && !ranks->is_first()) return;
  Summary summary{.command = "chain", .n = chain.size(), .dtype = std::string(solution.dtype), .exact = solution.exact};
  summary.of(report, read_seconds, total).cost = exact_number(fmt::format("{}", solution.cost));
  note_rounding(summary);
  const bool wants_json = options.solve.json || !options.solve.output.empty();
  Json object = wants_json ? solution_json(summary, solution) : Json();
  if (wants_json && checkpointer) object["checkpoint"] = checkpoint_json(*checkpointer);
  if (wants_json && ranks) add_ranks(object, *ranks, report);
  finish(options.solve, std::move(object), [&, &chosen = solution, &ran = report] {
    fmt::print("{}, {} ({} in {}, {:.3g} s)\n", quantity(chain.size(), "matrix", "matrices"),
               quantity(chosen.cost, "scalar multiplication"), ran.algorithm, chosen.dtype, ran.solve_seconds);
    constexpr std::size_t printable = 200;
    if (chain.size() <= printable) fmt::print("{}\n", interval::parentheses(chosen));
  });
}

}  // namespace

void add_chain(Command command) {
  command.examples("warpfold chain 30 35 15 5 10 20 25", "warpfold chain dimensions.txt --json");
  auto options = std::make_shared<ChainOptions>();
  command
      .option("INPUT", options->input,
              "dimensions p0 p1 .. pn of n matrices, shapes p0xp1 p1xp2 .., or a file of them: .npy or text")
      .required();
  command.in(Group::output)
      .option("--tables", options->tables, "two .npy files for the tables of costs and of splits, n x n, of -a dp")
      .takes("FILE")
      .exactly(2);
  add_solve_options(command, options->solve, ".json");
  add_checkpoint_options(command, options->solve);
  add_ranks_option(command, options->solve);
  command.runs([options] { run(*options); });
}

}  // namespace warpfold::app
