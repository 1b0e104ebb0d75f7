#include "memory.hpp"

#include <numeric>

#include "warpfold/recurrence/coins.hpp"
#include "warpfold/recurrence/solve.hpp"

namespace warpfold::recurrence {
namespace {

/// Every algorithm fills it.
Problem<std::int32_t> plain(Op op, std::size_t n) {
  Statement<std::int32_t> statement{op, {3, 2, 1}, {1, 2, 3}, n, {}, 0};
  if (op == Op::sum_mod) statement.modulus = 97;
  return Problem<std::int32_t>(std::move(statement));
}

TEST(MemoryOfRecurrences, IsWhatTheReportSays) {
  for (const char* algorithm : {"reference", "runs", "blocks"}) {
    const auto problem = plain(Op::sum_mod, 20000000);
    test::expect_reported_memory_is_held([&](Options options) {
      options.algorithm = algorithm;
      return solve(problem, options).report.peak_bytes;
    });
  }
}

TEST(MemoryOfCoins, IsWhatTheReportSaysQueueIncluded) {
  const CoinSystem system({1, 5, 10}, {1000000, 30000000, 7});
  test::expect_reported_memory_is_held(
      [&](const Options& options) { return fewest_coins(system, 10000000, options).report.peak_bytes; });
}

TEST(MemoryOfCoins, IsWhatTheReportSaysOfATable) {
  const CoinSystem system({1, 5, 10});
  test::expect_reported_memory_is_held(
      [&](const Options& options) { return fewest_coins_up_to(system, 50000000, options).report.peak_bytes; });
}

TEST(MemoryOfWays, IsWhatTheReportSaysDigitsIncluded) {
  const CoinSystem system({1, 2, 5, 10, 20, 50, 100, 200});
  test::expect_reported_memory_is_held(
      [&](const Options& options) { return count_ways(system, 1000000, 0, true, options).report.peak_bytes; });
}

}  // namespace
}  // namespace warpfold::recurrence
