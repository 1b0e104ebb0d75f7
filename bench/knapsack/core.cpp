// How long does the core algorithm take on Pisinger's classes, easy and hard?
#include <fmt/format.h>

#include "../question.hpp"
#include "warpfold/knapsack/solve.hpp"
#include "warpfold/knapsack/verify.hpp"

namespace {

using namespace warpfold;
using namespace warpfold::knapsack;

/// The median over several instances of a class. Each instance is timed `repeats` times after a first run.
void measure(const std::string& name, std::size_t n, std::int64_t range, int instances, int repeats) {
  Options options;
  options.algorithm = "core";
  std::vector<double> medians;
  double states = 0;
  for (int instance = 0; instance < instances; ++instance) {
    const Problem problem =
        generate({name, n, range, 100 * (instance + 1) / (instances + 1), 100, static_cast<std::uint64_t>(instance)});
    Outcome<Solution> outcome;
    const bench::Timing timing = bench::measure(repeats, [&] { outcome = solve(problem, options); });
    const auto& [solution, report] = outcome;
    if (!verify(problem, solution)) throw std::runtime_error("a wrong packing");
    if (problem.capacity() <= 1'000'000 && n <= 1000) {
      Options table;
      table.algorithm = "table";
      if (solve(problem, table, {false, ""}).solution.value != solution.value)
        throw std::runtime_error("the table disagrees");
    }
    medians.push_back(timing.median_seconds);
    states = std::max(states, static_cast<double>(report.peak_bytes));
  }
  bench::keep(bench::row("core, value and items",
                         {{"class", name},
                          {"n", n},
                          {"range", range},
                          {"instances", instances},
                          {"max_state_bytes", states},
                          {"slowest_seconds", *std::max_element(medians.begin(), medians.end())}},
                         bench::summarize(medians), 1, 0));
}

const bench::Question core_question(
    "core",
    [](const bench::Arguments&) {
      measure("uncorrelated", 1000, 1000, 21, 50);
      measure("strongly-correlated", 1000, 1000, 21, 20);
      measure("subset-sum", 1000, 1000, 21, 50);
      measure("strongly-correlated", 1000, 1'000'000, 9, 1);
      measure("strongly-correlated", 10000, 1'000'000, 9, 1);
      for (const std::string& name : generator_classes()) measure(name, 1000, 1000, 9, 3);
    },
    [](const bench::Json& row) {
      return fmt::format("{:30} n {:6} R {:8}  {:12.1f} us  slowest {:12.1f} us  {:.3g} bytes",
                         row["class"].get<std::string>(), row["n"].get<int>(), row["range"].get<int>(),
                         row["median_seconds"].get<double>() * 1e6, row["slowest_seconds"].get<double>() * 1e6,
                         row["max_state_bytes"].get<double>());
    });

}  // namespace
