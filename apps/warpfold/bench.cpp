#include <fmt/format.h>

#include <cstdint>

#include "arguments.hpp"
#include "dtypes.hpp"
#include "estimate.hpp"
#include "outputs.hpp"
#include "result.hpp"
#include "solve_options.hpp"
#include "timing/dense.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/version.hpp"
#include "warpfold/minplus/cuda.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold::app {

namespace {

struct BenchOptions {
  SolveOptions solve;
  std::string family;
  std::size_t n = 4096;
  int repeats = 5;
};

/// The rate of all GPUs together, measured one after the other.
template <class T>
double measure_gpus(const Device& asked) {
  const Device gpus = find_gpus(asked);
  double ceiling = minplus::cuda::measure_ceiling<T>(gpus.index);
  for (const int index : gpus.more) ceiling += minplus::cuda::measure_ceiling<T>(index);
  return ceiling;
}

/// `auto` means the CPU.
template <class T>
Json measure(const BenchOptions& options, Options limits) {
  const bool on_gpu = limits.device.kind == Device::Kind::cuda;
  if (!on_gpu) limits.device = parse_device("cpu");
  const double ceiling =
      on_gpu ? measure_gpus<T>(limits.device) : minplus::measure_ceiling<T>(thread_count(limits.threads));
  limits.progress = nullptr;
  return options.family == "minplus"
             ? timing::measure_product<T>(options.n, limits, options.solve.seed, options.repeats, ceiling)
             : timing::measure_triangulation<T>(options.n, limits, options.solve.seed, options.repeats, ceiling);
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
  const std::size_t n = options.n;
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
  fmt::print("{} n = {}, {}: {:.6f} s (median of {}, spread {:.2f}), {:.1f} G results/s\n", options.family, options.n,
             what, times["median_seconds"].get<double>(), options.repeats, times["spread"].get<double>(),
             1e-9 * times["rate_per_second"].get<double>());
}

void run(const BenchOptions& options) {
  require_extension("--output", options.solve.output, ".json");
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
  command.examples("warpfold bench triangulate -n 2048", "warpfold bench minplus -n 1024 --dtype f64 --json");
  auto options = std::make_shared<BenchOptions>();
  command.option("FAMILY", options->family, "problem to time").required().one_of({"triangulate", "minplus"});
  command.number("-n", options->n, "number of vertices, or of rows and columns", 4, 131072);
  command.number("--repeats", options->repeats, "number of timed runs, after one that is not timed", 1);
  add_solve_options(command, options->solve, ".json", "i32|i64|f32|f64", {.progress = false, .seed = true});
  command.runs([options] { run(*options); });
}

}  // namespace warpfold::app
