// How long does a subset sum with its items take, by bits and by the core algorithm?
#include "warpfold/knapsack/subset_sum.hpp"

#include <fmt/format.h>

#include <random>

#include "../result.hpp"

namespace {

using namespace warpfold;
using namespace warpfold::knapsack;

std::vector<std::int64_t> drawn(std::size_t n, std::int64_t most) {
  std::mt19937_64 random(2);
  std::vector<std::int64_t> numbers(n);
  for (std::int64_t& number : numbers) {
    number = 1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most));
  }
  return numbers;
}

bench::Json measured(const std::string& algorithm, std::int64_t most, std::int64_t target) {
  const SubsetSum problem(drawn(1000, most), target);
  Options options;
  options.algorithm = algorithm;
  options.most_bytes = std::size_t{1} << 30;
  Outcome<SubsetSumSolution> outcome;
  const bench::Timing timing =
      bench::measure(algorithm == "bitset" ? 1 : 5, [&] { outcome = solve(problem, options); });
  const auto& [solution, report] = outcome;
  std::int64_t sum = 0;
  for (const std::size_t i : solution.items) sum += problem.numbers()[i];
  if (sum != target || solution.sum != target) throw std::runtime_error("the target was not reached");
  return bench::row("subset sum and items",
                    {{"algorithm", report.algorithm},
                     {"n", 1000},
                     {"largest", most},
                     {"target", target},
                     {"total", problem.total()},
                     {"peak_bytes", report.peak_bytes}},
                    timing, 1000.0 * static_cast<double>(target), 0);
}

}  // namespace

int main(int argc, char** argv) {
  const bool json = argc > 1 && std::string(argv[1]) == "--json";
  std::vector<bench::Json> rows;
  for (const std::string algorithm : {"", "bitset"}) {
    rows.push_back(measured(algorithm, 2'000'000, 500'000'000));
    rows.push_back(measured(algorithm, 2'000'000, 970'000'000));
    rows.push_back(measured(algorithm, 4'000'000, 1'000'000'000));
  }
  if (json) {
    fmt::print("{}\n", bench::file("bench_knapsack_subset_sum --json", rows).dump(1));
    return 0;
  }
  for (const auto& row : rows) {
    fmt::print("{:8} target {:11} of {:11}  {:10.4f} s  {:.3g} bytes  {:.3g} sums/s\n",
               row["algorithm"].get<std::string>(), row["target"].get<std::int64_t>(), row["total"].get<std::int64_t>(),
               row["median_seconds"].get<double>(), row["peak_bytes"].get<double>(),
               row["rate_per_second"].get<double>());
  }
}
