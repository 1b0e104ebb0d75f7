#include "warpfold/interval/matrix_chain.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "warpfold/core/error.hpp"

namespace warpfold::interval {
namespace {

using Dimensions = std::vector<std::int64_t>;

/// The recurrence as it stands, the oracle.
Wide reference_cost(const Dimensions& p) {
  const std::size_t points = p.size();
  std::vector<Wide> table(points * points, 0);
  const auto value = [&](std::size_t i, std::size_t j) -> Wide& { return table[i * points + j]; };
  for (std::size_t length = 2; length < points; ++length) {
    for (std::size_t i = 0; i + length < points; ++i) {
      const std::size_t j = i + length;
      value(i, j) = Wide{1} << 126;
      for (std::size_t k = i + 1; k < j; ++k) {
        value(i, j) = std::min(value(i, j), value(i, k) + value(k, j) + Wide{p[i]} * p[k] * p[j]);
      }
    }
  }
  return value(0, points - 1);
}

/// Whether the splits are one complete order of multiplication, in preorder.
bool is_complete_order(const std::vector<Split>& splits, std::uint32_t i, std::uint32_t j, std::size_t& at) {
  if (j - i < 2) return true;
  if (at >= splits.size() || splits[at].i != i || splits[at].j != j) return false;
  const std::uint32_t k = splits[at++].k;
  return i < k && k < j && is_complete_order(splits, i, k, at) && is_complete_order(splits, k, j, at);
}

void expect_optimal(const Dimensions& p, const std::string& algorithm) {
  Options options;
  options.algorithm = algorithm;
  const ChainResult result = solve(MatrixChain(p), options);
  std::size_t at = 0;
  ASSERT_TRUE(is_complete_order(result.solution.splits, 0, static_cast<std::uint32_t>(p.size() - 1), at));
  ASSERT_EQ(at, p.size() - 2);
  ASSERT_TRUE(result.solution.cost == reference_cost(p)) << testing::PrintToString(p);
  ASSERT_EQ(result.report.algorithm, algorithm);
}

/// Every vector of `points` dimensions with entries 1 .. largest.
void for_all_dimensions(std::size_t points, std::int64_t largest, const std::function<void(const Dimensions&)>& visit) {
  Dimensions p(points, 1);
  for (;;) {
    visit(p);
    std::size_t t = 0;
    while (t < points && p[t] == largest) p[t++] = 1;
    if (t == points) return;
    ++p[t];
  }
}

TEST(MatrixChain, HuShingIsOptimalForEveryChainOfUpTo9MatricesWithDimensions1To4) {
  for (std::size_t points = 2; points <= 10; ++points) {
    for_all_dimensions(points, 4, [](const Dimensions& p) { expect_optimal(p, "hu-shing"); });
  }
}

TEST(MatrixChain, HuShingIsOptimalForEveryOrderOfDistinctDimensions) {
  for (std::int64_t points = 2; points <= 8; ++points) {
    Dimensions p;
    for (std::int64_t t = 1; t <= points; ++t) p.push_back(t);
    do expect_optimal(p, "hu-shing");
    while (std::next_permutation(p.begin(), p.end()));
  }
}

TEST(MatrixChain, HuShingIsOptimalForTenThousandRandomChains) {
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 10'000; ++trial) {
    const std::int64_t largest = std::vector<std::int64_t>{2, 3, 5, 10, 100, 1'000'000}[trial % 6];
    Dimensions p(2 + random() % (trial % 100 == 0 ? 120 : 30));
    for (auto& dimension : p) dimension = 1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(largest));
    expect_optimal(p, "hu-shing");
  }
}

TEST(MatrixChain, SmallChainsByTheRecurrenceAreOptimal) {
  for_all_dimensions(6, 4, [](const Dimensions& p) { expect_optimal(p, "dp"); });
}

TEST(MatrixChain, TheTextbookExampleHasItsKnownOrder) {
  const ChainResult result = solve(MatrixChain({30, 35, 15, 5, 10, 20, 25}));
  EXPECT_TRUE(result.solution.cost == 15125);
  EXPECT_EQ(parentheses(result.solution), "((A1(A2A3))((A4A5)A6))");
}

TEST(MatrixChain, OneMatrixCostsNothing) {
  const ChainResult result = solve(MatrixChain({3, 4}));
  EXPECT_TRUE(result.solution.cost == 0);
  EXPECT_EQ(parentheses(result.solution), "A1");
  EXPECT_TRUE(contraction_path(result.solution).empty());
}

RC_GTEST_PROP(MatrixChain, ReversingAChainKeepsItsCost, ()) {
  auto p = *rc::gen::container<Dimensions>(*rc::gen::inRange(2, 60), rc::gen::inRange<std::int64_t>(1, 50));
  const Wide cost = solve(MatrixChain(p)).solution.cost;
  std::reverse(p.begin(), p.end());
  RC_ASSERT(solve(MatrixChain(p)).solution.cost == cost);
}

RC_GTEST_PROP(MatrixChain, ScalingEveryDimensionScalesTheCostByItsCube, ()) {
  auto p = *rc::gen::container<Dimensions>(*rc::gen::inRange(2, 60), rc::gen::inRange<std::int64_t>(1, 50));
  const Wide cost = solve(MatrixChain(p)).solution.cost;
  for (auto& dimension : p) dimension *= 3;
  RC_ASSERT(solve(MatrixChain(p)).solution.cost == 27 * cost);
}

RC_GTEST_PROP(MatrixChain, ContractionPathMultipliesNeighboursUntilOneOperandIsLeft, ()) {
  const auto p = *rc::gen::container<Dimensions>(*rc::gen::inRange(2, 40), rc::gen::inRange<std::int64_t>(1, 9));
  std::vector<std::pair<std::size_t, std::size_t>> operands;  // the matrices [first, last) that each one holds
  for (std::size_t t = 0; t + 1 < p.size(); ++t) operands.emplace_back(t, t + 1);
  Wide cost = 0;
  const ChainSolution solution = solve(MatrixChain(p)).solution;
  for (const auto& [low, high] : contraction_path(solution)) {
    RC_ASSERT(low < high && high < operands.size());
    auto left = operands[low], right = operands[high];
    if (left.first > right.first) std::swap(left, right);
    RC_ASSERT(left.second == right.first);
    cost += Wide{p[left.first]} * p[left.second] * p[right.second];
    operands.erase(operands.begin() + static_cast<std::ptrdiff_t>(high));
    operands.erase(operands.begin() + static_cast<std::ptrdiff_t>(low));
    operands.emplace_back(left.first, right.second);
  }
  RC_ASSERT(operands.size() == 1u);
  RC_ASSERT(cost == solution.cost);
}

TEST(MatrixChain, WhatIsNoChainIsRefusedWithTheValue) {
  const auto message = [](const Dimensions& p) -> std::string {
    try {
      MatrixChain chain(p);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message({}).find("0 are given"), std::string::npos);
  EXPECT_NE(message({5}).find("1 are given"), std::string::npos);
  EXPECT_NE(message({5, 0, 3}).find("dimension 1 is 0"), std::string::npos);
  EXPECT_NE(message({5, 2, -7}).find("dimension 2 is -7"), std::string::npos);
  const std::int64_t huge = std::int64_t{1} << 62;
  EXPECT_NE(message({huge, huge, huge}).find("does not fit"), std::string::npos);
  Options options;
  options.algorithm = "magic";
  EXPECT_THROW(static_cast<void>(solve(MatrixChain({1, 2, 3}), options)), Error);
}

TEST(MatrixChain, DimensionsNearTheLimitAreExact) {
  const std::int64_t large = std::int64_t{1} << 41;
  const Dimensions p{large - 1, large - 3, 7, large - 5, large - 9, 11, large - 11};
  expect_optimal(p, "hu-shing");
  expect_optimal(p, "dp");
}

}  // namespace
}  // namespace warpfold::interval
