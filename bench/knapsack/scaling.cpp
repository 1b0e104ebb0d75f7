// How much faster does the table fill on more threads?
#include "../scaling.hpp"

#include "timing/knapsacks.hpp"
#include "warpfold/knapsack/solve.hpp"

namespace {

using namespace warpfold;

void measure_scaling() {
  constexpr std::size_t n = 2000;
  constexpr std::int64_t capacity = 2'000'000;
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
  const std::function every = [&](const Options& options) {
    return knapsack::every_capacity(problem, by_table(options)).solution.values;
  };
  bench::measure_scaling("value for one capacity", parameters, cells, 11, one);
  bench::measure_scaling("values for every capacity", parameters, cells, 11, every);
}

const bench::Question scaling_question(
    "scaling", [](const bench::Arguments&) { measure_scaling(); }, bench::line_of_scaling);

}  // namespace
