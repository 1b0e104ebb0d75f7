// What fraction of the processor's (min,+) ceiling do dense triangulations and products reach, by type, size and
// threads?
#include <fmt/format.h>

#include <cstdint>

#include "cpu_rows.hpp"
#include "timing/dense.hpp"

namespace {

using namespace warpfold;

template <class T>
void measure_type() {
  const int threads = thread_count(0);
  for (const std::size_t n : {1024, 2048, 4096, 8192}) {
    // measured again for each row, because the clock rate changes
    const double ceiling = minplus::measure_ceiling<T>(threads);
    bench::keep_with_instruction_set(
        bench::measure_triangulation<T>(n, bench::on_cpu(threads), 1, n < 4096 ? 21 : 3, ceiling));
  }
  bench::keep_with_instruction_set(
      bench::measure_triangulation<T>(4096, bench::on_cpu(1), 1, 3, minplus::measure_ceiling<T>(1)));
  bench::keep_with_instruction_set(
      bench::measure_product<T>(4096, bench::on_cpu(threads), 1, 3, minplus::measure_ceiling<T>(threads)));
}

const bench::Question fraction_of_ceiling_question(
    "fraction_of_ceiling",
    [](const bench::Arguments&) {
      measure_type<float>();
      measure_type<double>();
      measure_type<std::int32_t>();
      measure_type<std::int64_t>();
    },
    [](const bench::Json& row) {
      return fmt::format(
          "{:>11} {} n = {:>4}, {} threads: {:.6f} s (spread {:.2f}), {:6.1f} G/s, {:.2f} of the ceiling",
          row["work"].get<std::string>(), row["dtype"].get<std::string>(), row["n"].get<std::size_t>(),
          row["threads"].get<int>(), row["median_seconds"].get<double>(), row["spread"].get<double>(),
          1e-9 * row["rate_per_second"].get<double>(), row["fraction_of_ceiling"].get<double>());
    });

}  // namespace
