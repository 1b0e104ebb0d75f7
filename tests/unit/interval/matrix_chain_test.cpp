#include "warpfold/interval/matrix_chain.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <random>
#include <stop_token>

#include "warpfold/core/error.hpp"
#include "warpfold/interval/verify.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold::interval {
namespace {

using Dimensions = std::vector<std::int64_t>;

/// The recurrence as written, the oracle.
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
  const Outcome<ChainSolution> result = solve(MatrixChain(p), options);
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

/// The kinds of ties in chains: few values, runs of equal values, mirrored halves, sorted values, all equal except one.
Dimensions random_chain(std::mt19937_64& random, int kind, std::size_t points) {
  const std::uint64_t largest = std::vector<std::uint64_t>{2, 3, 5, 10, 100, 20'000}[random() % 6];
  Dimensions p(points);
  for (auto& dimension : p) dimension = 1 + static_cast<std::int64_t>(random() % largest);
  if (kind == 1) std::ranges::sort(p);
  if (kind == 2) std::copy_n(p.rbegin(), points / 2, p.begin());
  if (kind == 3)
    std::generate(p.begin(), p.end(), [&, t = 0]() mutable { return p[static_cast<std::size_t>(t++ / 3)]; });
  if (kind == 4) std::fill(p.begin() + 1, p.end(), p[0]);
  return p;
}

/// Supporting weights that doubles cannot distinguish.
TEST(MatrixChain, HuShingIsOptimalForChainsOfLargeDimensionsThatAreNearlyEqual) {
  std::mt19937_64 random(4);
  for (int chain = 0; chain < 2000; ++chain) {
    Dimensions p(5 + random() % 12);
    for (std::int64_t& dimension : p) dimension = 3'000'000'019 + static_cast<std::int64_t>(random() % 7);
    ASSERT_NO_FATAL_FAILURE(expect_optimal(p, "hu-shing"));
  }
}

TEST(MatrixChain, TheTiledDynamicProgramCostsWhatHuShingDoesOnTenThousandRandomChains) {
  std::mt19937_64 random(11);
  for (int trial = 0; trial < 10'000; ++trial) {
    const std::size_t points = 2 + random() % (trial % 500 == 0 ? 400 : trial % 20 == 0 ? 150 : 40);
    const MatrixChain chain(random_chain(random, trial % 5, points));
    Options options;
    options.algorithm = "hu-shing";
    options.threads = 1;
    const Wide cost = solve(chain, options).solution.cost;
    options.algorithm = "dp";
    const auto in_i64 = solve_by_dp<std::int64_t>(chain, options);
    const auto in_f64 = solve_by_dp<double>(chain, options);
    ASSERT_TRUE(in_i64.solution.cost == cost) << testing::PrintToString(chain.dimensions());
    ASSERT_EQ(in_f64.solution.splits, in_i64.solution.splits) << testing::PrintToString(chain.dimensions());
    ASSERT_TRUE(in_i64.solution.exact && in_f64.solution.exact);
    std::size_t at = 0;
    ASSERT_TRUE(is_complete_order(in_i64.solution.splits, 0, static_cast<std::uint32_t>(chain.size()), at));
  }
}

template <class Solve>
void expect_misfit(const Solve& solve_chain) {
  try {
    static_cast<void>(solve_chain());
    FAIL() << "64 bits were taken to hold it";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_STREQ(error.what(),
                 "algorithm 'dp' does not solve a chain whose cost may not fit i64: hu-shing counts in 128 bits");
  }
}

TEST(MatrixChain, TheDynamicProgramTakesTheSmallestTypeThatFitsAndSaysWhereNoneDoes) {
  const auto by_dp = [](std::int64_t dimension) {
    Options options;
    options.algorithm = "dp";
    return solve(MatrixChain(Dimensions(40, dimension)), options);
  };
  EXPECT_EQ(by_dp(10).solution.dtype, "i32");
  EXPECT_TRUE(by_dp(10).solution.cost == 38'000);
  EXPECT_EQ(by_dp(1000).solution.dtype, "i64");
  EXPECT_EQ(by_dp(1000).report.algorithm, "dp");
  expect_misfit([&] { return by_dp(1'000'000); });
  const MatrixChain large(Dimensions(40, 1'000'000));
  EXPECT_FALSE(solve_by_dp<double>(large).solution.exact);
  EXPECT_TRUE(solve_by_dp<double>(large).solution.cost == Wide{38} * 1'000'000'000'000 * 1'000'000);
  EXPECT_FALSE(solve_by_dp<float>(MatrixChain(Dimensions(40, 100))).solution.exact);
  EXPECT_TRUE(solve_by_dp<float>(MatrixChain(Dimensions(40, 10))).solution.exact);
}

/// 8 * 128^3 is 2^24, and 4 * (2^17)^3 is 2^53. From there on the type does not hold every integer.
TEST(MatrixChain, ACostInFloatingPointIsCalledExactWhereTheWorstOneStillIs) {
  EXPECT_TRUE(solve_by_dp<float>(MatrixChain(Dimensions(7, 128))).solution.exact);
  EXPECT_FALSE(solve_by_dp<float>(MatrixChain(Dimensions(8, 128))).solution.exact);
  EXPECT_TRUE(solve_by_dp<double>(MatrixChain(Dimensions(3, 1 << 17))).solution.exact);
  EXPECT_FALSE(solve_by_dp<double>(MatrixChain(Dimensions(4, 1 << 17))).solution.exact);
}

// The example of Cormen et al., whose indices begin at 1. numpy.linalg.multi_dot has the same tables.
TEST(MatrixChain, TablesAreThoseOfTheTextbook) {
  const auto tables = chain_tables<std::int64_t>(MatrixChain({30, 35, 15, 5, 10, 20, 25})).solution;
  EXPECT_EQ(tables.costs, (std::vector<std::int64_t>{0, 15750, 7875, 9375, 11875, 15125,  //
                                                     0, 0,     2625, 4375, 7125,  10500,  //
                                                     0, 0,     0,    750,  2500,  5375,   //
                                                     0, 0,     0,    0,    1000,  3500,   //
                                                     0, 0,     0,    0,    0,     5000,   //
                                                     0, 0,     0,    0,    0,     0}));
  EXPECT_EQ(tables.splits, (std::vector<std::int64_t>{0, 0, 0, 2, 2, 2,  //
                                                      0, 0, 1, 2, 2, 2,  //
                                                      0, 0, 0, 2, 2, 2,  //
                                                      0, 0, 0, 0, 3, 4,  //
                                                      0, 0, 0, 0, 0, 4,  //
                                                      0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(chain_tables<double>(MatrixChain({3, 4})).solution.costs, std::vector<double>{0});
}

TEST(MatrixChain, TablesHoldTheSmallestSplitOfEveryInterval) {
  std::mt19937_64 random(3);
  const Dimensions p = random_chain(random, 3, 200);
  const std::size_t n = p.size() - 1;
  const auto tables = chain_tables<std::int64_t>(MatrixChain(p)).solution;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      std::int64_t best = std::numeric_limits<std::int64_t>::max();
      std::size_t best_k = i;
      for (std::size_t k = i; k < j; ++k) {
        const std::int64_t cost = tables.costs[i * n + k] + tables.costs[(k + 1) * n + j] + p[i] * p[k + 1] * p[j + 1];
        if (cost < best) best_k = k;
        best = std::min(best, cost);
      }
      ASSERT_EQ(tables.costs[i * n + j], best);
      ASSERT_EQ(tables.splits[i * n + j], static_cast<std::int64_t>(best_k)) << i << ',' << j;
    }
  }
}

TEST(MatrixChain, SmallChainsByTheRecurrenceAreOptimal) {
  for_all_dimensions(6, 4, [](const Dimensions& p) { expect_optimal(p, "dp"); });
}

TEST(MatrixChain, SmallChainsHaveTheSplitsOfTheTiledDynamicProgram) {
  Options options;
  options.algorithm = "dp";
  for_all_dimensions(6, 3, [&](const Dimensions& p) {
    const MatrixChain chain(p);
    ASSERT_EQ(solve(chain, options).solution.splits, solve_by_dp<std::int64_t>(chain).solution.splits);
  });
}

TEST(MatrixChain, TheTextbookExampleHasItsKnownOrder) {
  const Outcome<ChainSolution> result = solve(MatrixChain({30, 35, 15, 5, 10, 20, 25}));
  EXPECT_TRUE(result.solution.cost == 15125);
  EXPECT_EQ(parentheses(result.solution), "((A1(A2A3))((A4A5)A6))");
}

TEST(MatrixChain, OneMatrixCostsNothing) {
  const Outcome<ChainSolution> result = solve(MatrixChain({3, 4}));
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

RC_GTEST_PROP(MatrixChain, ContractionPathMultipliesNeighborsUntilOneOperandIsLeft, ()) {
  const auto p = *rc::gen::container<Dimensions>(*rc::gen::inRange(2, 40), rc::gen::inRange<std::int64_t>(1, 9));
  std::vector<std::pair<std::size_t, std::size_t>> operands;  // the matrices [first, last) of each operand
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

/// The kind of the solve's Error, or nothing.
std::optional<ErrorKind> error_kind_of(const MatrixChain& chain, const Options& options) {
  try {
    static_cast<void>(solve(chain, options));
    return std::nullopt;
  } catch (const Error& error) {
    return error.kind();
  }
}

TEST(MatrixChain, EveryAlgorithmHearsAStopAndTellsItsEnd) {
  for (const std::size_t matrices : {1, 2, 16, 29, 100'000}) {
    SCOPED_TRACE(matrices);
    const MatrixChain chain(std::vector<std::int64_t>(matrices + 1, 3));
    double done = 0;
    Options options;
    options.progress = [&](const Progress& progress) { done = progress.done / progress.total; };
    static_cast<void>(solve(chain, options));
    EXPECT_EQ(done, 1);
    options.deadline = std::chrono::steady_clock::now();
    EXPECT_EQ(error_kind_of(chain, options), ErrorKind::time_limit);
    std::stop_source stop;
    stop.request_stop();
    options.stop = stop.get_token();
    EXPECT_EQ(error_kind_of(chain, options), ErrorKind::cancelled);
  }
}

TEST(MatrixChain, ADeadlineEndsHuAndShingsSweep) {
  std::vector<std::int64_t> dimensions;
  for (std::int64_t t = 0; t < 1'000'000; ++t) dimensions.push_back(1 + t * 7919 % 99991);
  const MatrixChain chain(dimensions);
  Options options;
  options.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(10);
  EXPECT_EQ(error_kind_of(chain, options), ErrorKind::time_limit);
}

TEST(MatrixChain, WhatIsNoChainIsRefusedWithTheValue) {
  const auto message = [](const Dimensions& p, ErrorKind expected = ErrorKind::input) -> std::string {
    try {
      MatrixChain chain(p);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), expected);
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message({}).find("0 are given"), std::string::npos);
  EXPECT_NE(message({5}).find("1 are given"), std::string::npos);
  EXPECT_NE(message({5, 0, 3}).find("dimension 1 is 0"), std::string::npos);
  EXPECT_NE(message({5, 2, -7}).find("dimension 2 is -7"), std::string::npos);
  const std::int64_t huge = std::int64_t{1} << 62;
  EXPECT_EQ(message({1, huge, huge, 3}, ErrorKind::overflow),
            "dimension 1 is 4611686018427387904: an order of the chain may cost 2^126 or more");
  EXPECT_EQ(solve(MatrixChain({huge, huge})).solution.cost, 0);
  Options options;
  options.algorithm = "magic";
  EXPECT_THROW(static_cast<void>(solve(MatrixChain({1, 2, 3}), options)), Error);
}

// An order that joins two of the large dimensions without the 1 between them exceeds 128 bits.
TEST(MatrixChain, LargeDimensionsThatAreAllBetweenOnesCostWhatTheirProductsInPairsDo) {
  for (const std::int64_t large : {std::int64_t{3} << 42, std::int64_t{1} << 43, std::int64_t{1} << 58}) {
    for (std::int64_t times = 2; times <= 8; ++times) {
      Dimensions p;
      for (std::int64_t t = 0; t < times; ++t) p.insert(p.end(), {large, 1});
      for (const char* algorithm : {"", "dp", "hu-shing"}) {
        Options options;
        options.algorithm = algorithm;
        const ChainSolution solution = solve(MatrixChain(p), options).solution;
        EXPECT_TRUE(solution.cost == Wide{times} * large + times - 2) << large << ", " << times << ", " << algorithm;
        EXPECT_FALSE(verify(MatrixChain(p), solution).violation);
      }
    }
  }
}

TEST(MatrixChain, DimensionsNearTheLimitAreExact) {
  const std::int64_t large = std::int64_t{1} << 41;
  const Dimensions p{large - 1, large - 3, 7, large - 5, large - 9, 11, large - 11};
  expect_optimal(p, "hu-shing");
  expect_optimal(p, "dp");
}

TEST(MatrixChain, AGpuRefusesInTheCpusWordsWhatMayNotFitBeforeItLooksForOne) {
  if (!has_cuda()) GTEST_SKIP() << "CUDA is not compiled";
  Options options;
  options.algorithm = "dp";
  options.device.kind = Device::Kind::cuda;
  for (const std::size_t points : {4, 17, 18, 40}) {
    const MatrixChain chain(Dimensions(points, 3'000'000));
    expect_misfit([&] { return solve(chain, options); });
    expect_misfit([&] { return estimate(chain, options); });
  }
}

}  // namespace
}  // namespace warpfold::interval
