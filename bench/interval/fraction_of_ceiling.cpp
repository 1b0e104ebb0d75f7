// What fraction of the processor's (min,+) ceiling do dense triangulations and products reach, by type, size and
// threads?
#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "../question.hpp"
#include "timing/dense.hpp"
#include "warpfold/core/instruction_set.hpp"
#include "warpfold/interval/batch.hpp"

namespace {

using namespace warpfold;

Options with_threads(int threads) {
  Options options;
  options.device = parse_device("cpu");
  options.threads = threads;
  return options;
}

void keep_with_instruction_set(bench::Json row) {
  row["instruction_set"] = instruction_sets().front();
  bench::keep(std::move(row));
}

/// Polygons of 64 vertices, which the threads take one after the other. Some of them are checked.
template <class T>
void measure_batch(std::size_t count) {
  constexpr std::size_t n = 64, checked = 100;
  const std::vector<T> w = bench::random_values<T>(count * n * n, 1);
  std::vector<interval::Triangulation<T>> polygons;
  for (std::size_t t = 0; t < count; ++t) polygons.emplace_back(MatrixView<const T>{w.data() + t * n * n, n, n, n}, 1);
  const int threads = thread_count(0);
  const auto solve = [&] {
    return interval::solve_batch(std::span<const interval::Triangulation<T>>(polygons), with_threads(threads));
  };
  const auto solutions = solve().solution;
  for (std::size_t t = 0; t < checked; ++t) {
    const auto expected = interval::solve(polygons[t * (count / checked)], bench::naive()).solution;
    bench::require(solutions[t * (count / checked)].triangles == expected.triangles, "a polygon of the batch is wrong");
  }
  const bench::Timing timing = bench::measure(11, [&] { static_cast<void>(solve()); });
  keep_with_instruction_set(
      bench::row("batch", {{"n", n}, {"polygons", count}, {"dtype", dtype_name<T>()}, {"threads", threads}}, timing,
                 static_cast<double>(count * n * (n - 1) * (n - 2)) / 6, minplus::measure_ceiling<T>(threads)));
}

template <class T>
void measure_type() {
  const int threads = thread_count(0);
  for (const std::size_t n : {1024, 2048, 4096, 8192}) {
    // measured again for each row, because the clock rate changes
    const double ceiling = minplus::measure_ceiling<T>(threads);
    keep_with_instruction_set(bench::measure_triangulation<T>(n, with_threads(threads), 1, n < 4096 ? 21 : 3, ceiling));
  }
  keep_with_instruction_set(
      bench::measure_triangulation<T>(4096, with_threads(1), 1, 3, minplus::measure_ceiling<T>(1)));
  keep_with_instruction_set(
      bench::measure_product<T>(4096, with_threads(threads), 1, 3, minplus::measure_ceiling<T>(threads)));
  keep_with_instruction_set(
      bench::measure_triangulation<T>(64, with_threads(1), 1, 1001, minplus::measure_ceiling<T>(1)));
}

const bench::Question fraction_of_ceiling_question(
    "fraction_of_ceiling",
    [](const bench::Arguments&) {
      measure_type<float>();
      measure_type<double>();
      measure_type<std::int32_t>();
      measure_type<std::int64_t>();
      measure_batch<float>(10'000);
    },
    [](const bench::Json& row) {
      return fmt::format(
          "{:>11} {} n = {:>4}, {} threads: {:.6f} s (spread {:.2f}), {:6.1f} G/s, {:.2f} of the ceiling",
          row["work"].get<std::string>(), row["dtype"].get<std::string>(), row["n"].get<std::size_t>(),
          row["threads"].get<int>(), row["median_seconds"].get<double>(), row["spread"].get<double>(),
          1e-9 * row["rate_per_second"].get<double>(), row["fraction_of_ceiling"].get<double>());
    });

}  // namespace
