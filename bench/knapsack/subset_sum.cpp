// How long does a subset sum with its items take, by bits and by the core algorithm?
#include "warpfold/knapsack/subset_sum.hpp"

#include <fmt/format.h>

#include <random>

#include "../question.hpp"

namespace {

using namespace warpfold;
using namespace warpfold::knapsack;

std::vector<std::int64_t> random_numbers(std::size_t n, std::int64_t most) {
  std::mt19937_64 random(2);
  std::vector<std::int64_t> numbers(n);
  for (std::int64_t& number : numbers) {
    number = 1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most));
  }
  return numbers;
}

void measure_subset_sum(const std::string& algorithm, std::int64_t most, std::int64_t target) {
  const SubsetSum problem(random_numbers(1000, most), target);
  Options options;
  options.algorithm = algorithm;
  options.max_memory = std::size_t{1} << 30;
  Outcome<SubsetSumSolution> outcome;
  const bench::Timing timing =
      bench::measure(algorithm == "bitset" ? 1 : 5, [&] { outcome = solve(problem, options); });
  const auto& [solution, report] = outcome;
  std::int64_t sum = 0;
  for (const std::size_t i : solution.items) sum += problem.numbers()[i];
  if (sum != target || solution.sum != target) throw std::runtime_error("the target was not reached");
  bench::keep(bench::row("subset sum and items",
                         {{"algorithm", report.algorithm},
                          {"n", 1000},
                          {"largest", most},
                          {"target", target},
                          {"total", problem.total()},
                          {"peak_bytes", report.peak_bytes}},
                         timing, 1000.0 * static_cast<double>(target), 0));
}

const bench::Question subset_sum_question(
    "subset_sum",
    [](const bench::Arguments&) {
      for (const char* algorithm : {"", "bitset"}) {
        measure_subset_sum(algorithm, 2'000'000, 500'000'000);
        measure_subset_sum(algorithm, 2'000'000, 970'000'000);
        measure_subset_sum(algorithm, 4'000'000, 1'000'000'000);
      }
    },
    [](const bench::Json& row) {
      return fmt::format("{:8} target {:11} of {:11}  {:10.4f} s  {:.3g} bytes  {:.3g} sums/s",
                         row["algorithm"].get<std::string>(), row["target"].get<std::int64_t>(),
                         row["total"].get<std::int64_t>(), row["median_seconds"].get<double>(),
                         row["peak_bytes"].get<double>(), row["rate_per_second"].get<double>());
    });

}  // namespace
