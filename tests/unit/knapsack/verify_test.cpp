#include "warpfold/knapsack/verify.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/residue.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::knapsack {
namespace {

using testing::HasSubstr;

Solution packing(std::vector<std::int64_t> copies, std::int64_t value, std::int64_t weight) {
  Solution solution;
  solution.value = value;
  solution.weight = weight;
  solution.copies = std::move(copies);
  return solution;
}

void expect_violation(const Verdict& verdict, bool is_feasible, const std::string& violation) {
  EXPECT_THAT(verdict.violation.value_or("none"), HasSubstr(violation));
  EXPECT_EQ(verdict.is_feasible, is_feasible);
}

TEST(VerifyPacking, TellsTheFirstThingWrong) {
  const Problem problem(Kind::bounded, {{5, 2, 2}, {3, 1, 1}}, 5);
  EXPECT_TRUE(verify(problem, packing({2, 1}, 13, 5)));
  EXPECT_TRUE(verify(problem, packing({0, 0}, 0, 0))) << "a packing, if not the best";
  expect_violation(verify(problem, packing({2, 1}, 14, 5)), true, "the packed value is 13, 14 is claimed");
  expect_violation(verify(problem, packing({2, 1}, 13, 4)), true, "the packed weight is 5, 4 is claimed");
  expect_violation(verify(problem, packing({3, 0}, 15, 6)), false, "item 0 is packed 3 times, 2 are there");
  expect_violation(verify(problem, packing({-1, 0}, -5, -2)), false, "item 0 is packed -1 times");
  expect_violation(verify(problem, packing({1}, 5, 2)), false, "1 number of copies for 2 items");
  const Problem smaller(Kind::bounded, {{5, 2, 2}, {3, 1, 1}}, 4);
  expect_violation(verify(smaller, packing({2, 1}, 13, 5)), false, "the packed weight is 5, the capacity 4");
}

TEST(VerifyPacking, LetsUnboundedItemsBePackedOftenAndAddsWithoutOverflow) {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const Problem problem(Kind::unbounded, {{3, 2, 1}, {1, 1, 1}}, 9);
  EXPECT_TRUE(verify(problem, packing({4, 1}, 13, 9)));
  expect_violation(verify(problem, packing({5, 0}, 15, 10)), false, "the packed weight is 10");
  expect_violation(verify(problem, packing({most, most}, 0, 0)), false,
                   "the packed weight is 2^63 or more, the capacity 9");
}

RC_GTEST_PROP(VerifyPacking, AcceptsEveryOptimumAndNoOtherValueOrWeight, ()) {
  const auto items = *rc::gen::container<std::vector<Item>>(
      rc::gen::build<Item>(rc::gen::set(&Item::value, rc::gen::inRange<std::int64_t>(0, 60)),
                           rc::gen::set(&Item::weight, rc::gen::inRange<std::int64_t>(1, 60)),
                           rc::gen::set(&Item::copies, rc::gen::inRange<std::int64_t>(0, 4))));
  const Problem problem(Kind::bounded, items, *rc::gen::inRange<std::int64_t>(0, 300));
  Solution solution = solve(problem).solution;
  RC_ASSERT(verify(problem, solution).violation == std::nullopt);
  ++solution.value;
  RC_ASSERT(verify(problem, solution).violation != std::nullopt);
  --solution.value;
  --solution.weight;
  RC_ASSERT(verify(problem, solution).violation != std::nullopt);
}

TEST(VerifyTable, TellsTheFirstCapacityWhoseValueIsWrong) {
  const Problem problem(Kind::bounded, {{5, 2, 2}, {3, 1, 1}, {1, 0, 7}}, 5);  // the last weighs nothing
  const std::vector<std::int64_t> best = {7, 10, 12, 15, 17, 20};
  EXPECT_TRUE(verify(problem, CapacityTable{best}));
  EXPECT_TRUE(verify(problem, CapacityTable{best}).is_optimal);
  std::vector<std::int64_t> wrong = best;
  ++wrong[3];
  expect_violation(verify(problem, CapacityTable{wrong}), true, "the best value of capacity 3 is 15, 16 is claimed");
  wrong.pop_back();
  expect_violation(verify(problem, CapacityTable{wrong}), false, "5 values for the capacities 0 .. 5");
}

RC_GTEST_PROP(VerifyTable, AcceptsWhatTheReferenceFindsAndNoOtherValue, ()) {
  const Kind kind = *rc::gen::element(Kind::zero_one, Kind::bounded, Kind::unbounded);
  const auto items = *rc::gen::container<std::vector<Item>>(rc::gen::build<Item>(
      rc::gen::set(&Item::value, rc::gen::inRange<std::int64_t>(0, 60)),
      rc::gen::set(&Item::weight, rc::gen::inRange<std::int64_t>(kind == Kind::unbounded ? 1 : 0, 60)),
      rc::gen::set(&Item::copies, rc::gen::inRange<std::int64_t>(0, kind == Kind::bounded ? 20 : 2))));
  const Problem problem(kind, items, *rc::gen::inRange<std::int64_t>(0, 300));
  Options naive;
  naive.algorithm = "reference";
  CapacityTable table = every_capacity(problem, naive).solution;
  RC_ASSERT(verify(problem, table).violation == std::nullopt);
  table.values[*rc::gen::inRange<std::size_t>(0, table.values.size())] += *rc::gen::element(-1, 1);
  RC_ASSERT(verify(problem, table).violation != std::nullopt);
}

TEST(VerifyTable, KeepsToLimits) {
  const Problem problem(Kind::unbounded, {{3, 2, 1}}, 100'000);
  const CapacityTable table{std::vector<std::int64_t>(100'001)};
  Options options;
  options.max_memory = 1000;
  EXPECT_THROW(static_cast<void>(verify(problem, table, options)), Error);
}

TEST(VerifySubset, TellsTheFirstThingWrong) {
  const SubsetSum problem({1, 2, 7, 9}, 10);
  EXPECT_TRUE(verify(problem, SubsetSumSolution{10, {0, 1, 2}, ""}));
  EXPECT_TRUE(verify(problem, SubsetSumSolution{10, {3, 0}, ""})) << "in any order";
  EXPECT_TRUE(verify(problem, SubsetSumSolution{3, {0, 1}, ""})) << "a subset, if not the best";
  expect_violation(verify(problem, SubsetSumSolution{10, {0, 1}, ""}), true, "the numbers sum to 3, 10 is claimed");
  expect_violation(verify(problem, SubsetSumSolution{11, {1, 3}, ""}), false, "the sum is 11, the target 10");
  expect_violation(verify(problem, SubsetSumSolution{2, {0, 0}, ""}), false, "number 0 is there once");
  expect_violation(verify(problem, SubsetSumSolution{0, {4}, ""}), false, "number 4 is not there, 4 are");
}

TEST(VerifySubsetCount, ComparesExactCountsAndResidues) {
  const SubsetSum problem({1, 2, 7, 9, 0}, 10);  // {1, 2, 7} and {1, 9}, each with 0 and without
  EXPECT_TRUE(verify(problem, SubsetCount{"4"}));
  EXPECT_TRUE(verify(problem, SubsetCount{"4"}).is_optimal);
  EXPECT_TRUE(verify(problem, SubsetCount{"1"}, 3));
  EXPECT_TRUE(verify(problem, SubsetCount{"0"}, 1));
  expect_violation(verify(problem, SubsetCount{"3"}), true, "the number of subsets is wrong");
  expect_violation(verify(problem, SubsetCount{"2"}, 3), true, "the number of subsets is wrong");
  expect_violation(verify(problem, SubsetCount{"4"}, 3), true, "the count is 4, not below the modulus 3");
  expect_violation(verify(problem, SubsetCount{"-4"}), true, "'-4' is no number of subsets");
  expect_violation(verify(problem, SubsetCount{""}), true, "'' is no number of subsets");
}

TEST(VerifySubsetCount, SaysWhereItDoesNotCount) {
  const Verdict verdict = verify(SubsetSum({1, 1'000'000'000}, 1'000'000'000), SubsetCount{"17"});
  EXPECT_TRUE(verdict);
  EXPECT_FALSE(verdict.is_complete());
  EXPECT_EQ(verdict.unchecked, "the number of subsets");
  EXPECT_FALSE(verdict.is_optimal);
}

TEST(VerifySubsetCount, KnowsThatNoneReachesATargetBeyondTheSumOfAll) {
  const SubsetSum problem({1, 2}, 1'000'000'000);
  EXPECT_TRUE(verify(problem, SubsetCount{"0"}).is_optimal);
  expect_violation(verify(problem, SubsetCount{"17"}), true, "the number of subsets is wrong");
}

TEST(VerifySubsetCount, AcceptsCountsBeyond64Bits) {
  const SubsetSum problem(std::vector<std::int64_t>(70, 1), 35);
  std::string digits = count_subsets(problem).solution.digits;
  EXPECT_EQ(digits, "112186277816662845432");
  EXPECT_TRUE(verify(problem, SubsetCount{digits}));
  ++digits.front();
  EXPECT_FALSE(verify(problem, SubsetCount{digits}));
}

TEST(VerifySubsetCount, NeedsMemoryForItsTable) {
  Options options;
  options.max_memory = 1000;
  EXPECT_THROW(static_cast<void>(verify(SubsetSum({1, 100'000}, 100'000), SubsetCount{"1"}, 0, options)), Error);
}

TEST(Residue, IsOfDigitsAlone) {
  EXPECT_EQ(residue("12345678901234567890123", 1000), 123U);
  EXPECT_EQ(residue("2305843009213693952", comparing_prime), 1U);
  EXPECT_EQ(residue("", 7), std::nullopt);
  EXPECT_EQ(residue("1.5", 7), std::nullopt);
}

}  // namespace
}  // namespace warpfold::knapsack
