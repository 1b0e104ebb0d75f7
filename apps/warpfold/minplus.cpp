#include <fmt/format.h>

#include <span>
#include <vector>

#include "command.hpp"
#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/io/npy.hpp"
#include "warpfold/minplus/ceiling.hpp"
#include "warpfold/minplus/multiply.hpp"

namespace warpfold::app {

namespace {

struct MinplusOptions {
  SolveOptions solve;
  std::string a;
  std::string b;
  std::string argmin;
};

void check_shapes(const io::NpyArray& a, const io::NpyArray& b) {
  for (const io::NpyArray* array : {&a, &b}) {
    if (array->shape.size() == 2) continue;
    throw Error(ErrorKind::input,
                fmt::format("{}: has {} dimensions: a matrix has 2", array->path, array->shape.size()));
  }
  if (a.shape[1] == b.shape[0]) return;
  throw Error(ErrorKind::input, fmt::format("{}: has {} rows where {} has {} columns: as many are accepted", b.path,
                                            b.shape[0], a.path, a.shape[1]));
}

/// Whole numbers stay whole: i64 unless told; the same for f32 and f64.
std::string default_dtype(const io::NpyArray& a, const io::NpyArray& b) {
  if (a.is_integral() && b.is_integral()) return "i64";
  return a.dtype == "f32" && b.dtype == "f32" ? "f32" : "f64";
}

template <class T>
MatrixView<T> view(std::vector<T>& values, std::size_t rows, std::size_t columns) {
  return {values.data(), rows, columns, columns};
}

/// Four fifths of the ceiling that the machine reaches at this moment, and packed copies of both operands.
template <class T>
void estimate(const SolveOptions& options, std::size_t m, std::size_t p, std::size_t n) {
  const double results = static_cast<double>(m) * static_cast<double>(p) * static_cast<double>(n);
  print_estimate(options, {.command = "minplus",
                           .n = m,
                           .algorithm = "tiled",
                           .candidates = results,
                           .seconds = results / (0.8 * minplus::measure_ceiling<T>(thread_count(options.threads))),
                           .peak_bytes = (m * p + p * n) * sizeof(T)});
}

template <class T>
void multiply(const MinplusOptions& options, const io::NpyArray& a, const io::NpyArray& b, const Stopwatch& total) {
  const std::size_t m = a.shape[0], p = a.shape[1], n = b.shape[1];
  if (options.solve.estimate) return estimate<T>(options.solve, m, p, n);
  std::vector<T> left = a.values<T>();
  std::vector<T> right = b.values<T>();
  std::vector<T> product(m * n, infinity<T>);
  std::vector<std::uint32_t> argmin(options.argmin.empty() ? 0 : m * n);
  const double read_seconds = total.seconds();
  const Report report =
      minplus::multiply<T>(view(left, m, p), view(right, p, n), view(product, m, n), options.solve.resolve(),
                           argmin.empty() ? MatrixView<std::uint32_t>{} : view(argmin, m, n));
  if (!options.solve.output.empty()) io::write_npy<T>(options.solve.output, product, {m, n});
  if (!argmin.empty()) io::write_npy<std::uint32_t>(options.argmin, argmin, {m, n});
  Outcome outcome{.command = "minplus", .n = m};
  outcome.dtype = dtype_name<T>();
  outcome.report = report;
  outcome.read_seconds = read_seconds;
  outcome.total_seconds = total.seconds();
  if (options.solve.json) {
    Json object = common_keys(outcome);
    object["shape"] = {m, p, n};
    return print_json(object);
  }
  if (options.solve.quiet) return;
  const double results = static_cast<double>(m) * static_cast<double>(p) * static_cast<double>(n);
  fmt::print("{} x {} x {} ({}), {:.3g} s, {:.3g} G results/s ({}, {} threads)\n", m, p, n, outcome.dtype,
             report.solve_seconds, results / report.solve_seconds * 1e-9, report.algorithm, report.threads);
}

void run(const MinplusOptions& options) {
  const Stopwatch total;
  require_extension("--output", options.solve.output, ".npy");
  require_extension("--argmin", options.argmin, ".npy");
  const io::NpyArray a = io::read_npy(options.a);
  const io::NpyArray b = io::read_npy(options.b);
  check_shapes(a, b);
  const std::string dtype = options.solve.dtype.empty() ? default_dtype(a, b) : options.solve.dtype;
  with_dtype(dtype, [&](auto zero) { multiply<decltype(zero)>(options, a, b, total); });
}

}  // namespace

void add_minplus(CLI::App& app) {
  CLI::App* command = app.add_subcommand("minplus", "the (min,+) product of two matrices");
  auto options = std::make_shared<MinplusOptions>();
  command->add_option("A", options->a, "a .npy matrix of m x p")->required();
  command->add_option("B", options->b, "a .npy matrix of p x n")->required();
  command->add_option("--argmin", options->argmin,
                      "write the smallest k of every entry to FILE.npy; 4294967295 where there is none");
  add_solve_options(*command, options->solve);
  command->callback([options] { run(*options); });
}

}  // namespace warpfold::app
