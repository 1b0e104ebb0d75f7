#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms.hpp"
#include "arguments.hpp"
#include "core/exact_type.hpp"
#include "core/quantity.hpp"
#include "estimate.hpp"
#include "io/text.hpp"
#include "outputs.hpp"
#include "papers/papers.hpp"
#include "recurrence_input.hpp"
#include "result.hpp"
#include "solve_options.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/io/file.hpp"
#include "warpfold/io/npy.hpp"
#include "warpfold/recurrence/solve.hpp"

namespace warpfold::app {

using io::with_file_context;

std::vector<AlgorithmInfo> recurrence_algorithms() {
  return with_papers(recurrence::algorithms(), papers::recurrence_backends<std::int32_t>());
}

namespace {

constexpr std::size_t printable = 1000;  // the number of values that --json lists

struct RecurrenceOptions {
  SolveOptions solve;
  std::string instance;
  std::optional<std::string> op;
  std::string offsets;
  std::string initial;
  std::string weights;
  std::string coefficients;
  std::optional<std::int64_t> n;
  std::optional<std::int64_t> modulus;
};

RecurrenceInput read_input(const RecurrenceOptions& options) {
  if (!options.instance.empty()) {
    if (!options.offsets.empty() || !options.initial.empty() || !options.weights.empty() ||
        !options.coefficients.empty() || options.op || options.n || options.modulus) {
      throw Error(
          ErrorKind::usage,
          "an instance file states the recurrence: no --offsets, --initial, -n, --op, --weights, --coefficients "
          "or --modulus beside it are accepted");
    }
    RecurrenceInput input = read_recurrence(options.instance);
    if (!options.solve.dtype.empty()) input.dtype = options.solve.dtype;
    return input;
  }
  if (options.offsets.empty() || options.initial.empty() || !options.n) {
    throw Error(ErrorKind::usage, "an instance file, or --offsets, --initial and -n are needed");
  }
  RecurrenceInput input;
  input.op = recurrence::parse_op(options.op.value_or("min"));
  if (input.op == recurrence::Op::sum_mod && !options.modulus) {
    throw Error(ErrorKind::usage, "--op sum-mod needs --modulus beside it");
  }
  if (input.op != recurrence::Op::sum_mod && options.modulus) {
    throw Error(ErrorKind::usage, fmt::format("--modulus belongs to --op sum-mod, --op is {}", to_string(input.op)));
  }
  input.offsets = numbers_as<std::int64_t>("--offsets", list_of_numbers("--offsets", options.offsets), false);
  input.initial = list_of_numbers("--initial", options.initial);
  if (!options.weights.empty()) input.weights = list_of_numbers("--weights", options.weights);
  if (!options.coefficients.empty()) input.coefficients = list_of_numbers("--coefficients", options.coefficients);
  input.n = static_cast<std::size_t>(*options.n);
  input.modulus = options.modulus.value_or(0);
  input.dtype = options.solve.dtype;
  return input;
}

/// Infinite values, which mean "no value", become null.
template <class T>
Json value_json(recurrence::Op op, T value) {
  return is_no_value(op, value) ? Json(nullptr) : Json(value);
}

template <class T>
std::string value_text(recurrence::Op op, T value) {
  return is_no_value(op, value) ? (op == recurrence::Op::min ? "inf" : "-inf") : fmt::format("{}", value);
}

template <class T>
Json values_json(recurrence::Op op, const std::vector<T>& values) {
  Json list = Json::array();
  for (const T value : values) list.push_back(value_json(op, value));
  return list;
}

template <class T>
void print_estimate(const RecurrenceOptions& options, const recurrence::Problem<T>& problem, const Options& limits,
                    const Stopwatch& total) {
  const Spent before = spent(total);
  print_estimate(options.solve, before,
                 {.command = "recurrence",
                  .n = problem.n(),
                  .solve = recurrence::estimate(problem, limits, papers::recurrence_backends<T>()),
                  .file_bytes = options.solve.output.empty() ? 0 : problem.n() * sizeof(T)});
}

/// Whether no integer was rounded. With fractions in the input, only the integers of the input count; otherwise all
/// sums do.
template <class T>
bool is_exact(const RecurrenceInput& input, const std::vector<T>& values) {
  if (std::is_integral_v<T>) return true;
  const bool adds = input.weights || input.op == recurrence::Op::sum;
  if (!adds && std::is_same_v<T, double>) return input.initial.doubles_hold;
  if (!input.is_integral()) return input.doubles_hold();
  double largest = 0;
  for (const T value : values) {
    if (!std::isinf(static_cast<double>(value))) largest = std::max(largest, std::abs(static_cast<double>(value)));
  }
  largest = std::max(largest, largest_magnitude(input.initial));
  if (input.coefficients) largest *= std::max(1.0, largest_magnitude(*input.coefficients));
  if (input.weights) largest += largest_magnitude(*input.weights);
  const auto terms = static_cast<double>(input.op == recurrence::Op::sum ? input.offsets.size() : 1);
  return adds_exactly<T>(terms * largest);
}

template <class T>
void solve_as(const RecurrenceOptions& options, const RecurrenceInput& input, const Options& limits,
              const Stopwatch& total) {
  const recurrence::Problem<T> problem = with_file_context(options.instance, [&] { return problem_of<T>(input); });
  const double read_seconds = total.seconds();
  if (options.solve.estimate) return print_estimate(options, problem, limits, total);
  const auto [solution, report] = recurrence::solve(problem, limits, papers::recurrence_backends<T>());
  const std::vector<T>& values = solution.values;
  Summary summary{.command = "recurrence", .n = problem.n(), .dtype = std::string(dtype_name<T>())};
  summary.of(report, read_seconds, total).cost = value_json(input.op, values.back());
  if (!options.solve.output.empty())
    io::write_npy<T>(options.solve.output, std::span<const T>(values), {values.size()});
  summary.exact = is_exact(input, values);
  note_rounding(summary);
  Json object = common_keys(summary);
  if (options.solve.json && problem.n() <= printable) object["values"] = values_json(input.op, values);
  if (options.solve.json && problem.n() > printable && options.solve.output.empty()) {
    note_unlisted(problem.n(), printable, "-o FILE.npy holds all");
  }
  if (!options.solve.output.empty()) object["output"] = options.solve.output;
  finish(options.solve, std::move(object), [&] {
    fmt::print("{}, the last is {} ({}, {}, {:.3g} s)\n", quantity(problem.n(), "value"),
               value_text(input.op, values.back()), summary.dtype, summary.report.algorithm,
               summary.report.solve_seconds);
    if (problem.n() > 100) return;
    for (std::size_t i = 0; i < problem.n(); ++i) {
      fmt::print("{}{}", i == 0 ? "" : " ", value_text(input.op, values[i]));
    }
    fmt::print("\n");
  });
}

void run(const RecurrenceOptions& options) {
  const Stopwatch total;
  require_extension("--output", options.solve.output, ".npy");
  check_algorithm(options.solve, recurrence_algorithms());
  const RecurrenceInput input = read_input(options);
  const Options limits = options.solve.resolve();  // after reading the file, whose memory counts
  with_recurrence_dtype(chosen_dtype(input),
                        [&](auto zero) { solve_as<decltype(zero)>(options, input, limits, total); });
}

}  // namespace

void add_recurrence(Command command) {
  command.examples("warpfold recurrence --offsets 1,2 --initial 0,1 --op sum -n 50",
                   "warpfold recurrence recurrence.json -o values.npy");
  auto options = std::make_shared<RecurrenceOptions>();
  command.option("INPUT", options->instance,
                 "instance as JSON: op, offsets, initial, n, weights, coefficients, modulus");
  command.option("--offsets", options->offsets, "offsets a: 1,2,5, or a file of numbers: .npy or text")
      .takes("LIST|FILE");
  command.option("--initial", options->initial, "first values, as many as the largest offset").takes("LIST|FILE");
  command.number("-n", options->n, "number of values, the initial ones included", 0);
  command.option("--op", options->op, "operation that joins the terms (default min)")
      .takes("min|max|sum|sum-mod|xor|or|and|gcd");
  command.option("--weights", options->weights, "weight added with each offset; default: none").takes("LIST|FILE");
  command
      .option("--coefficients", options->coefficients,
              "factor of the value at each offset, for sum and sum-mod (default 1)")
      .takes("LIST|FILE");
  command.number("--modulus", options->modulus, "modulus of sum-mod", 1);
  add_solve_options(command, options->solve, ".npy", "i32|i64|u64|f32|f64");
  command.runs([options] { run(*options); });
}

}  // namespace warpfold::app
