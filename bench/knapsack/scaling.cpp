// How much faster does the table fill on more threads?
#include "../scaling.hpp"

#include "timing/knapsacks.hpp"
#include "warpfold/knapsack/solve.hpp"

namespace {

using namespace warpfold;

void measure_scaling(std::size_t n, std::int64_t capacity, int repeats) {
  const knapsack::Problem problem = knapsack::drawn(n, capacity);
  const bench::Json parameters = {{"n", n}, {"capacity", capacity}, {"dtype", "i32"}};
  const double cells = static_cast<double>(n) * static_cast<double>(capacity + 1);
  const auto by_table = [](Options options) {
    options.algorithm = "table";
    options.device.kind = Device::Kind::cpu;
    return options;
  };
  const std::function one = [&](const Options& options) {
    return knapsack::solve(problem, by_table(options), {false, "i32"}).solution.value;
  };
  const std::function items = [&](const Options& options) {
    return knapsack::solve(problem, by_table(options), {true, "i32"}).solution.copies;
  };
  const std::function every = [&](const Options& options) {
    return knapsack::every_capacity(problem, by_table(options)).solution.values;
  };
  bench::measure_scaling("value for one capacity", parameters, cells, repeats, one);
  bench::measure_scaling("value and items for one capacity", parameters, cells, repeats, items);
  bench::measure_scaling("values for every capacity", parameters, cells, repeats, every);
}

const bench::Question scaling_question(
    "scaling",
    [](const bench::Arguments&) {
      measure_scaling(2000, 2'000'000, 11);
      measure_scaling(1000, 10'000'000, 5);
    },
    bench::line_of_scaling);

}  // namespace
