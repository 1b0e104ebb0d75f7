#include "warpfold/knapsack/subset_sum.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>
#include <optional>
#include <random>

#include "options.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/instruction_set.hpp"
#include "warpfold/knapsack/verify.hpp"

namespace warpfold::knapsack {
namespace {

std::vector<std::int64_t> drawn(std::size_t n, std::int64_t most, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::int64_t> numbers(n);
  for (std::int64_t& number : numbers) {
    number = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most + 1));
  }
  return numbers;
}

/// The number of subsets for each sum 0 .. limit.
std::vector<std::uint64_t> counts(const std::vector<std::int64_t>& numbers, std::int64_t limit) {
  std::vector<std::uint64_t> ways(static_cast<std::size_t>(limit) + 1, 0);
  ways[0] = 1;
  for (const std::int64_t number : numbers) {
    for (std::int64_t s = limit; s >= number; --s) ways[s] += ways[s - number];
  }
  return ways;
}

void expect_best(const std::vector<std::int64_t>& numbers, std::int64_t target) {
  const std::vector<std::uint64_t> ways = counts(numbers, target);
  std::int64_t best = target;
  while (ways[best] == 0) --best;
  for (const std::string algorithm : {"core", "bitset", ""}) {
    for (const int threads : {1, 2}) {
      const auto [solution, report] = solve(SubsetSum(numbers, target), test::by(algorithm, threads));
      ASSERT_EQ(solution.sum, best) << algorithm;
      ASSERT_TRUE(std::is_sorted(solution.items.begin(), solution.items.end()));
      ASSERT_TRUE(std::adjacent_find(solution.items.begin(), solution.items.end()) == solution.items.end());
      std::int64_t sum = 0;
      for (const std::size_t i : solution.items) sum += numbers.at(i);
      ASSERT_EQ(sum, best) << algorithm;
    }
  }
}

TEST(SubsetSums, EqualPlainCountingAtWordEdges) {
  std::uint64_t seed = 1;
  for (const std::int64_t target : {0, 1, 62, 63, 64, 65, 127, 128, 500, 1023, 1024}) {
    for (const std::size_t n : {0, 1, 2, 3, 10, 40}) {
      for (const std::int64_t most : {1, 63, 64, 65, 400}) expect_best(drawn(n, most, ++seed), target);
    }
  }
}

TEST(SubsetSums, EqualPlainCountingWhereTheTargetIsOutOfReach) {
  std::vector<std::int64_t> even = drawn(30, 200, 3);
  for (std::int64_t& number : even) number *= 100;
  expect_best(even, 100099);
  expect_best({64, 128, 4096}, 4095);
}

/// The largest sum of any subset that is at most the target, and how many subsets have the target, by trying all.
struct Tried {
  std::optional<std::int64_t> best;
  std::uint64_t exact = 0;
};
Tried tried(const std::vector<std::int64_t>& numbers, std::int64_t target) {
  Tried result;
  for (std::size_t subset = 0; subset < std::size_t{1} << numbers.size(); ++subset) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) sum += (subset >> i & 1) != 0 ? numbers[i] : 0;
    if (sum <= target && (!result.best || sum > *result.best)) result.best = sum;
    result.exact += sum == target ? 1 : 0;
  }
  return result;
}

RC_GTEST_PROP(SubsetSums, OfNumbersOfEitherSignEqualTryingAllSubsets, ()) {
  const auto numbers = *rc::gen::container<std::vector<std::int64_t>>(*rc::gen::inRange<std::size_t>(0, 11),
                                                                      rc::gen::inRange<std::int64_t>(-40, 41));
  const auto target = *rc::gen::inRange<std::int64_t>(-150, 300);
  const Tried expected = tried(numbers, target);
  for (const std::string algorithm : {"core", "bitset", ""}) {
    if (!expected.best) {
      RC_ASSERT_THROWS_AS(SubsetSum(numbers, target), Error);
      return;
    }
    const SubsetSum problem(numbers, target);
    const SubsetSumSolution solution = solve(problem, test::by(algorithm)).solution;
    std::int64_t sum = 0;
    for (const std::size_t i : solution.items) sum += numbers.at(i);
    RC_ASSERT(solution.sum == *expected.best);
    RC_ASSERT(sum == *expected.best);
    RC_ASSERT(static_cast<bool>(verify(problem, solution)));
  }
  const SubsetSum problem(numbers, target);
  const SubsetCount count = count_subsets(problem).solution;
  RC_ASSERT(count.digits == std::to_string(expected.exact));
  RC_ASSERT(static_cast<bool>(verify(problem, count)));
}

TEST(SubsetSums, AreHalvedWhereTheRowsDoNotFit) {
  const std::vector<std::int64_t> numbers = drawn(60, 20000, 9);
  Options options = test::by("bitset", 2);
  for (const std::int64_t target : {200000, 299999, 400001}) {
    options.max_memory = 2 * (static_cast<std::size_t>(target) / 64 + 1) * 8;
    const auto [solution, report] = solve(SubsetSum(numbers, target), options);
    EXPECT_EQ(solution.sum, solve(SubsetSum(numbers, target), test::by("core")).solution.sum);
    EXPECT_LE(report.peak_bytes, options.max_memory);
    std::int64_t sum = 0;
    for (const std::size_t i : solution.items) sum += numbers[i];
    EXPECT_EQ(sum, solution.sum);
  }
}

TEST(SubsetSums, HalvingFindsTheNearestSumWhenTheTargetIsFarOutOfReach) {
  std::vector<std::int64_t> numbers = drawn(40, 500, 4);
  for (std::int64_t& number : numbers) number = 1000 * number + 1000;
  Options options = test::by("bitset", 2);
  options.max_memory = 2 * (5'000'999 / 64 + 1) * 8;
  EXPECT_EQ(solve(SubsetSum(numbers, 5'000'999), options).solution.sum, 5'000'000);
}

TEST(SubsetSums, AreEqualOnEveryInstructionSet) {
  for (const std::string& name : instruction_sets()) {
    force_instruction_set(name);
    expect_best(drawn(40, 700, 21), 5000);
  }
  force_instruction_set("");
}

TEST(Counting, EqualsPlainCounting) {
  for (std::uint64_t seed = 1; seed < 30; ++seed) {
    const std::vector<std::int64_t> numbers = drawn(14, 30, seed);
    const std::int64_t total = std::accumulate(numbers.begin(), numbers.end(), std::int64_t{0});
    const std::vector<std::uint64_t> ways = counts(numbers, total + 5);
    for (std::int64_t target = 0; target <= total + 5; target += 7) {
      const SubsetSum problem(numbers, target);
      EXPECT_EQ(count_subsets(problem).solution.digits, std::to_string(ways[target]));
      EXPECT_EQ(count_subsets(problem, 7).solution.digits, std::to_string(ways[target] % 7));
    }
  }
}

TEST(Counting, IsExactBeyond64Bits) {
  const std::vector<std::int64_t> ones(100, 1);
  EXPECT_EQ(count_subsets(SubsetSum(ones, 50)).solution.digits, "100891344545564193334812497256");  // binomial(100, 50)
  EXPECT_EQ(count_subsets(SubsetSum(std::vector<std::int64_t>(70, 0), 0)).solution.digits,
            "1180591620717411303424");  // 2^70
  EXPECT_EQ(count_subsets(SubsetSum(ones, 101)).solution.digits, "0");
}

TEST(SubsetSums, RefuseWhatDoesNotFit) {
  EXPECT_THROW(SubsetSum({1}, -5), Error);
  EXPECT_THROW(SubsetSum({-1, 3}, -2), Error);
  EXPECT_THROW(SubsetSum({1, -(std::int64_t{1} << 61)}, 5), Error);
  EXPECT_THROW(SubsetSum({std::int64_t{1} << 61}, 5), Error);
  EXPECT_THROW(static_cast<void>(solve(SubsetSum({1}, 5), test::by("nonsense"))), Error);
}

}  // namespace
}  // namespace warpfold::knapsack
