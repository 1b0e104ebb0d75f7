// What fraction of the processor's (min,+) ceiling do triangulations of few vertices reach, one alone on one thread,
// and a batch on all?
#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <vector>

#include "cpu_rows.hpp"
#include "timing/dense.hpp"
#include "warpfold/interval/batch.hpp"

namespace {

using namespace warpfold;

/// Polygons of n vertices. Some of them are checked.
template <class T>
void measure_batch(std::size_t n, std::size_t count) {
  const std::size_t checked_each = count / 100 + 1;
  const std::vector<T> w = bench::random_values<T>(count * n * n, 1);
  std::vector<interval::Triangulation<T>> polygons;
  for (std::size_t t = 0; t < count; ++t) polygons.emplace_back(MatrixView<const T>{w.data() + t * n * n, n, n, n}, 1);
  const int threads = thread_count(0);
  const auto solve = [&] {
    return interval::solve_batch(std::span<const interval::Triangulation<T>>(polygons), bench::on_cpu(threads));
  };
  const auto solutions = solve().solution;
  for (std::size_t t = 0; t < count; t += checked_each) {
    const auto expected = interval::solve(polygons[t], bench::naive()).solution;
    bench::require(solutions[t].triangles == expected.triangles, "a polygon of the batch is wrong");
  }
  const bench::Timing timing = bench::measure(21, [&] { static_cast<void>(solve()); });
  const double splits = static_cast<double>(count * n * (n - 1) * (n - 2)) / 6;
  bench::keep_with_instruction_set(
      bench::row("batch", {{"n", n}, {"polygons", count}, {"dtype", dtype_name<T>()}, {"threads", threads}}, timing,
                 splits, minplus::measure_ceiling<T>(threads)));
}

template <class T>
void measure_small() {
  for (const std::size_t n : {16, 64, 96, 128}) {
    // measured again for each row, because the clock rate changes
    bench::keep_with_instruction_set(
        bench::measure_triangulation<T>(n, bench::on_cpu(1), 1, 1001, minplus::measure_ceiling<T>(1)));
  }
  measure_batch<T>(64, 192);  // whose weights fit second-level caches
  measure_batch<T>(64, 10'000);
}

const bench::Question small_question(
    "small",
    [](const bench::Arguments&) {
      measure_small<float>();
      measure_small<double>();
      measure_small<std::int32_t>();
      measure_small<std::int64_t>();
    },
    [](const bench::Json& row) {
      return fmt::format("{:>11} {} n = {:>3}, {} threads: {:.2f} us a polygon (spread {:.2f}), {:.2f} of the ceiling",
                         row["work"].get<std::string>(), row["dtype"].get<std::string>(), row["n"].get<std::size_t>(),
                         row["threads"].get<int>(),
                         1e6 * row["median_seconds"].get<double>() / row.value("polygons", 1),
                         row["spread"].get<double>(), row["fraction_of_ceiling"].get<double>());
    });

}  // namespace
