// What fraction of the processor's (min,+) ceiling do dense triangulations and products reach, by type, size and
// threads?
#include <fmt/format.h>

#include <cstdint>

#include "../dense.hpp"
#include "warpfold/core/instruction_set.hpp"

namespace {

using namespace warpfold;

Options with_threads(int threads) {
  Options options;
  options.device = parse_device("cpu");
  options.threads = threads;
  return options;
}

template <class T>
void measure_type(std::vector<bench::Json>& rows) {
  const int threads = thread_count(0);
  for (const std::size_t n : {1024, 2048, 4096, 8192}) {
    const double ceiling = minplus::measure_ceiling<T>(threads);  // again for each row: the clock changes
    rows.push_back(bench::measure_triangulation<T>(n, with_threads(threads), 1, n < 4096 ? 21 : 3, ceiling));
  }
  rows.push_back(bench::measure_triangulation<T>(4096, with_threads(1), 1, 3, minplus::measure_ceiling<T>(1)));
  rows.push_back(bench::measure_product<T>(4096, with_threads(threads), 1, 3, minplus::measure_ceiling<T>(threads)));
  rows.push_back(bench::measure_triangulation<T>(64, with_threads(1), 1, 1001, minplus::measure_ceiling<T>(1)));
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<bench::Json> rows;
  measure_type<float>(rows);
  measure_type<double>(rows);
  measure_type<std::int32_t>(rows);
  measure_type<std::int64_t>(rows);
  for (auto& row : rows) row["instruction_set"] = instruction_sets().front();
  const bool json = argc > 1 && std::string(argv[1]) == "--json";
  if (json) fmt::print("{}\n", bench::file("bench_interval_fraction_of_ceiling --json", rows).dump(2));
  for (const auto& row : rows) {
    if (json) break;
    fmt::print("{:>11} {} n = {:>4}, {} threads: {:.6f} s (spread {:.2f}), {:6.1f} G/s, {:.2f} of the ceiling\n",
               row["work"].get<std::string>(), row["dtype"].get<std::string>(), row["n"].get<std::size_t>(),
               row["threads"].get<int>(), row["median_seconds"].get<double>(), row["spread"].get<double>(),
               1e-9 * row["rate_per_second"].get<double>(), row["fraction_of_ceiling"].get<double>());
  }
}
