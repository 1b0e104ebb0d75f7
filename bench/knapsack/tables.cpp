// How many cells per second does the table fill, for the value alone and with the items?
#include <fmt/format.h>

#include "../question.hpp"
#include "timing/ceilings.hpp"
#include "timing/knapsacks.hpp"
#include "warpfold/knapsack/solve.hpp"

namespace {

using namespace warpfold;
using namespace warpfold::knapsack;

void measure_table(const std::string& work, std::size_t n, std::int64_t capacity, bool items, bool every, double most) {
  const Problem problem = drawn(n, capacity);
  Options options;
  options.algorithm = "table";
  options.device.kind = Device::Kind::cpu;
  std::int64_t value = 0;
  const auto run = [&] {
    value = every ? every_capacity(problem, options).solution.values.back()
                  : solve(problem, options, {items, "i32"}).solution.value;
  };
  const bench::Timing timing = bench::measure(capacity > 1'000'000 ? 3 : 11, run);
  options.algorithm = "core";
  if (solve(problem, options).solution.value != value) throw std::runtime_error("the table and the core disagree");
  const double cells = static_cast<double>(n) * static_cast<double>(capacity + 1);
  bench::keep(
      bench::row(work, {{"n", n}, {"capacity", capacity}, {"dtype", "i32"}, {"value", value}}, timing, cells, most));
}

const bench::Question tables_question(
    "tables",
    [](const bench::Arguments&) {
      const double most = timing::ceiling_of_knapsacks(thread_count(0));
      for (const std::int64_t capacity : {250'000, 10'000'000}) {
        measure_table("value for one capacity", 1000, capacity, false, false, most);
        measure_table("value and items for one capacity", 1000, capacity, true, false, most);
        measure_table("values for every capacity", 1000, capacity, false, true, most);
      }
    },
    [](const bench::Json& row) {
      return fmt::format("{:34} n {} C {:9}  {:9.3f} ms  spread {:.2f}  {:6.1f} G cells/s, {:.2f} of the ceiling",
                         row["work"].get<std::string>(), row["n"].get<int>(), row["capacity"].get<int>(),
                         row["median_seconds"].get<double>() * 1e3, row["spread"].get<double>(),
                         row["rate_per_second"].get<double>() * 1e-9, row["fraction_of_ceiling"].get<double>());
    });

}  // namespace
