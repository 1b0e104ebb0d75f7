// What fraction of the processor's ceiling do products in every type reach, how fast are the other semirings, and what
// does argmin cost?
//
//   bench_minplus semirings --json > results/<machine>/minplus_semirings.json
#include <algorithm>
#include <cstdint>

#include "../question.hpp"
#include "timing/dense.hpp"

namespace {

using namespace warpfold;
using minplus::Semiring;

Options on_cpu() {
  Options options;
  options.device = parse_device("cpu");
  return options;
}

/// Compares (min,+) with its ceiling, and the others with the same ceiling, which has one addition and one minimum per
/// result. The ceiling is the better of one measurement before and one after, because the machine may be disturbed.
template <class T>
void measure_type() {
  const int threads = thread_count(0);
  double ceiling = minplus::measure_ceiling<T>(threads);
  std::vector<bench::Json> measured = {bench::measure_product<T>(4096, on_cpu(), 1, 3, ceiling)};
  for (const auto kind : {Semiring::max_plus, Semiring::min_max, Semiring::max_min}) {
    measured.push_back(bench::measure_product<T>(2048, on_cpu(), 1, 5, ceiling, kind));
  }
  ceiling = std::max(ceiling, minplus::measure_ceiling<T>(threads));
  for (bench::Json& row : measured) {
    row["ceiling_per_second"] = ceiling;
    row["fraction_of_ceiling"] = row["rate_per_second"].get<double>() / ceiling;
    bench::keep(std::move(row));
  }
}

/// Products with and without argmin in turn. Both have to have the same values.
template <class T>
void measure_argmin(std::size_t n, int repeats) {
  const int threads = thread_count(0);
  const auto values = timing::random_values<T>(2 * n * n, 1);
  const MatrixView<const T> a{values.data(), n, n, n}, b{values.data() + n * n, n, n, n};
  double ceiling = minplus::measure_ceiling<T>(threads);
  std::vector<double> seconds[2];
  for (int repeat = -1; repeat < repeats; ++repeat) {
    Matrix<T> results[2];
    for (const bool argmin : {false, true}) {
      auto [product, report] = minplus::multiply<T>({}, a, b, on_cpu(), argmin);
      results[argmin] = std::move(product.values);
      if (repeat >= 0) seconds[argmin].push_back(report.prepare_seconds + report.solve_seconds);
    }
    bench::require(results[0] == results[1], "argmin changes the product");
  }
  ceiling = std::max(ceiling, minplus::measure_ceiling<T>(threads));
  const auto m = static_cast<double>(n);
  const double without = bench::summarize(seconds[false]).median_seconds;
  for (const bool argmin : {false, true}) {
    const auto timing = bench::summarize(seconds[argmin]);
    bench::Json row =
        bench::row("product", {{"n", n}, {"dtype", dtype_name<T>()}, {"argmin", argmin}, {"threads", threads}}, timing,
                   m * m * m, ceiling);
    row["of_the_rate_without"] = without / timing.median_seconds;
    bench::keep(std::move(row));
  }
}

const bench::Question semirings_question("semirings", [](const bench::Arguments&) {
  measure_type<std::int16_t>();
  measure_type<std::int32_t>();
  measure_type<float>();
  measure_type<std::int64_t>();
  measure_type<double>();
  measure_argmin<float>(2048, 9);
  measure_argmin<std::int32_t>(2048, 9);
  measure_argmin<double>(2048, 9);
  bench::keep(bench::measure_product<std::uint8_t>(4096, on_cpu(), 1, 3, 0, Semiring::or_and));
  bench::keep(bench::measure_product<double>(2048, on_cpu(), 1, 5, 0, Semiring::plus_times));
  bench::keep(bench::measure_product<std::uint64_t>(2048, on_cpu(), 1, 5, 0, Semiring::plus_times));
  bench::keep(bench::measure_product<std::uint64_t>(2048, on_cpu(), 1, 5, 0, {Semiring::plus_times, 4294967291U}));
});

}  // namespace
