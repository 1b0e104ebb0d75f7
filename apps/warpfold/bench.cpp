#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <optional>

#include "arguments.hpp"
#include "bench_all.hpp"
#include "dtypes.hpp"
#include "estimate.hpp"
#include "outputs.hpp"
#include "result.hpp"
#include "solve_options.hpp"
#include "timing/ceilings.hpp"
#include "timing/dense.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/version.hpp"

namespace warpfold::app {

namespace {

struct BenchOptions {
  SolveOptions solve;
  std::string family;
  std::optional<std::size_t> given_n;
  int repeats = 5;
  bool quick = false;

  [[nodiscard]] std::size_t n() const { return given_n.value_or(4096); }
};

/// `auto` means the CPU.
template <class T>
Json measure(const BenchOptions& options, Options limits) {
  if (limits.device.kind != Device::Kind::cuda) limits.device = parse_device("cpu");
  const double ceiling = timing::ceiling_of<T>(limits);
  limits.progress = nullptr;
  return options.family == "minplus"
             ? timing::measure_product<T>(options.n(), limits, options.solve.seed, options.repeats, ceiling)
             : timing::measure_triangulation<T>(options.n(), limits, options.solve.seed, options.repeats, ceiling);
}

std::string dtype_of(const BenchOptions& options) { return options.solve.dtype.empty() ? "f32" : options.solve.dtype; }

Json measure_dtype(const BenchOptions& options) {
  const Options limits = options.solve.resolve();
  return with_dtype(dtype_of(options), [&]<class T>(T) { return measure<T>(options, limits); });
}

/// The checks solve the problem once or twice more than the repeats, and hold one or two tables besides its matrices.
template <class T>
void estimate(const BenchOptions& options) {
  const Stopwatch total;
  const Spent before = spent(total);
  const bool product = options.family == "minplus";
  const std::size_t n = options.n();
  const double runs = options.repeats + (product ? 1 : 2);
  const Options limits = options.solve.resolve();
  Expected expected{.command = "bench", .n = n};
  expected.solve = product ? minplus::estimate<T>(minplus::Semiring::min_plus, {n, n, n}, false, limits)
                           : interval::estimate<T>(n, limits);
  expected.solve.seconds *= runs;
  expected.solve.operations *= runs;
  expected.beside_bytes = (product ? 3 : 2) * n * n * sizeof(T);
  print_estimate(options.solve, before, expected);
}

void print_times(const BenchOptions& options, const std::string& what, const Json& times) {
  fmt::print("{} n = {}, {}: {:.6f} s (median of {}, spread {:.2f}), {:.1f} G results/s\n", options.family, options.n(),
             what, times["median_seconds"].get<double>(), options.repeats, times["spread"].get<double>(),
             1e-9 * times["rate_per_second"].get<double>());
}

/// The text of a rate; empty where there is none.
std::string rate_text(const Json& row, const char* key) {
  return row.contains(key) ? fmt::format("{:.3g}", 1e-9 * row[key].get<double>()) : "";
}

void print_row(const Json& row) {
  const std::string fraction =
      row.contains("fraction_of_ceiling") ? fmt::format("{:.2f}", row["fraction_of_ceiling"].get<double>()) : "";
  const std::string instead =
      row["instead_of"].is_null()
          ? ""
          : fmt::format("{:.3g} s by {}, {:.3g} times as long", row["instead_seconds"].get<double>(),
                        row["instead_of"].get<std::string>(), row["times_as_fast"].get<double>());
  fmt::print("{:33} {:>9} {:10} {:>9.3g} {:>8} {:>8} {:>8}  {}\n", row["work"].get<std::string>(),
             row["n"].get<std::size_t>(), row["device"].get<std::string>(), row["median_seconds"].get<double>(),
             rate_text(row, "rate_per_second"), rate_text(row, "ceiling_per_second"), fraction, instead);
  std::fflush(stdout);
}

/// These options belong to one problem.
void reject_options_of_one(const BenchOptions& options) {
  const auto reject = [](bool is_given, const char* option) {
    if (is_given)
      throw Error(ErrorKind::usage, fmt::format("{} is not accepted with all: every problem has its own", option));
  };
  reject(options.given_n.has_value(), "-n");
  reject(!options.solve.dtype.empty(), "--dtype");
  reject(!options.solve.algorithm.empty(), "--algorithm");
  if (options.solve.estimate) throw Error(ErrorKind::usage, "--estimate is not accepted with all: it takes minutes");
}

void run_all(const BenchOptions& options) {
  reject_options_of_one(options);
  const bool says = !options.solve.json && !options.solve.quiet;
  if (says) {
    fmt::print("{:33} {:>9} {:10} {:>9} {:>8} {:>8} {:>8}  {}\n", "problem", "n", "device", "seconds", "G/s", "ceiling",
               "fraction", "instead");
  }
  Options limits = options.solve.resolve();
  limits.progress = nullptr;
  const auto rows = bench_all({limits, options.solve.seed, options.repeats, options.quick}, [&](const Json& row) {
    if (says) print_row(row);
  });
  finish(options.solve, {{"command", "bench"}, {"family", "all"}, {"rows", rows}, {"version", version}}, [] {});
}

void run(const BenchOptions& options) {
  require_extension("--output", options.solve.output, ".json");
  if (options.family == "all") return run_all(options);
  if (options.quick) throw Error(ErrorKind::usage, "--quick is not accepted here: -n is");
  if (options.solve.estimate) {
    return with_dtype(dtype_of(options), [&]<class T>(T) { estimate<T>(options); });
  }
  Json measured = measure_dtype(options);
  measured.erase("work");  // it is in the family's name
  Json object = {{"command", "bench"}, {"family", options.family}};
  object.update(measured);
  object["version"] = version;
  finish(options.solve, std::move(object), [&] {
    print_times(options, measured["dtype"].get<std::string>(), measured);
    fmt::print("{:.2f} of {:.1f} G/s, which the same device reaches in registers\n",
               measured["fraction_of_ceiling"].get<double>(), 1e-9 * measured["ceiling_per_second"].get<double>());
    if (measured.contains("from_host")) print_times(options, "from host memory", measured["from_host"]);
  });
}

}  // namespace

void add_bench(Command command) {
  command.examples("warpfold bench triangulate -n 2048", "warpfold bench all --quick");
  auto options = std::make_shared<BenchOptions>();
  command.option("FAMILY", options->family, "problem to time, or all: a table of every kind of problem")
      .required()
      .one_of({"triangulate", "minplus", "all"});
  command.number("-n", options->given_n, "number of vertices, or of rows and columns (default 4096)", 4, 131072);
  command.number("--repeats", options->repeats, "number of timed runs, after one that is not timed", 1);
  command.flag("--quick", options->quick, "small problems for all, for a look in seconds");
  add_solve_options(command, options->solve, ".json", "i32|i64|f32|f64", {.progress = false, .seed = true});
  command.runs([options] { run(*options); });
}

}  // namespace warpfold::app
