#include "warpfold/interval/search_tree.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "warpfold/core/error.hpp"

namespace warpfold::interval {
namespace {

using Frequencies = std::vector<std::int64_t>;

/// The minimum cost over all trees of keys first .. last-1, trying each as the root. Exponential; for few keys.
std::int64_t brute_force(const Frequencies& p, const Frequencies& q, std::size_t first, std::size_t last,
                         std::int64_t depth) {
  if (first == last) return q[first] * depth;
  std::int64_t best = std::numeric_limits<std::int64_t>::max();
  for (std::size_t root = first; root < last; ++root) {
    best = std::min(best, p[root] * (depth + 1) + brute_force(p, q, first, root, depth + 1) +
                              brute_force(p, q, root + 1, last, depth + 1));
  }
  return best;
}

/// The cost of a tree given by parents. A key at depth d (1 for the root) costs p d, and a gap below d keys costs q d.
/// The recurrence counts every gap once more, because value(i,i) = q_i.
std::int64_t cost_of(const Frequencies& p, const Frequencies& q, const std::vector<std::int64_t>& parents) {
  std::vector<std::int64_t> depth(p.size());
  for (std::size_t key = 0; key < p.size(); ++key) {
    std::int64_t at = static_cast<std::int64_t>(key);
    for (; at >= 0; at = parents[static_cast<std::size_t>(at)]) ++depth[key];
  }
  std::int64_t cost = 0;
  for (std::size_t key = 0; key < p.size(); ++key) cost += p[key] * depth[key];
  for (std::size_t gap = 0; gap < q.size(); ++gap) {
    // A gap is below the deeper of its two neighbors.
    const std::int64_t left = gap > 0 ? depth[gap - 1] : 0;
    const std::int64_t right = gap < p.size() ? depth[gap] : 0;
    cost += q[gap] * (std::max(left, right) + 1);
  }
  return cost;
}

Outcome<TreeSolution<std::int64_t>> solve_by(const Frequencies& p, const Frequencies& q, const std::string& algorithm) {
  Options options;
  options.algorithm = algorithm;
  return solve(SearchTree<std::int64_t>(p, q), options);
}

std::int64_t sum_of(const Frequencies& q) {
  std::int64_t sum = 0;
  for (std::int64_t weight : q) sum += weight;
  return sum;
}

RC_GTEST_PROP(SearchTree, CostIsTheLeastOverAllTrees, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(1, 9);
  const auto p = *rc::gen::container<Frequencies>(n, rc::gen::inRange<std::int64_t>(0, 6));
  const auto q = *rc::gen::container<Frequencies>(n + 1, rc::gen::inRange<std::int64_t>(0, 6));
  const std::int64_t best = brute_force(p, q, 0, n, 0) + sum_of(q);
  RC_ASSERT(solve_by(p, q, "knuth").solution.cost == best);
  RC_ASSERT(solve_by(p, q, "dp").solution.cost == best);
}

RC_GTEST_PROP(SearchTree, KnuthsBoundsKeepCostAndTree, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(1, 80);
  const auto p = *rc::gen::container<Frequencies>(n, rc::gen::inRange<std::int64_t>(0, 20));
  const auto q = *rc::gen::container<Frequencies>(n + 1, rc::gen::inRange<std::int64_t>(0, 20));
  const auto fast = solve_by(p, q, "knuth");
  const auto plain = solve_by(p, q, "dp");
  RC_ASSERT(fast.solution.cost == plain.solution.cost);
  RC_ASSERT(fast.solution.parents == plain.solution.parents);
  RC_ASSERT(cost_of(p, q, fast.solution.parents) == fast.solution.cost);
  RC_ASSERT(fast.solution.parents[fast.solution.root] == -1);
}

RC_GTEST_PROP(SearchTree, MirroredWeightsHaveTheSameCost, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(1, 60);
  auto p = *rc::gen::container<Frequencies>(n, rc::gen::inRange<std::int64_t>(0, 20));
  auto q = *rc::gen::container<Frequencies>(n + 1, rc::gen::inRange<std::int64_t>(0, 20));
  const std::int64_t cost = solve_by(p, q, "knuth").solution.cost;
  std::reverse(p.begin(), p.end());
  std::reverse(q.begin(), q.end());
  RC_ASSERT(solve_by(p, q, "knuth").solution.cost == cost);
}

RC_GTEST_PROP(SearchTree, RealWeightsAgreeWithWholeOnes, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(1, 60);
  const auto p = *rc::gen::container<Frequencies>(n, rc::gen::inRange<std::int64_t>(0, 1000));
  const auto q = *rc::gen::container<Frequencies>(n + 1, rc::gen::inRange<std::int64_t>(0, 1000));
  const SearchTree<double> real({p.begin(), p.end()}, {q.begin(), q.end()});
  RC_ASSERT(solve(real).solution.cost == static_cast<double>(solve_by(p, q, "knuth").solution.cost));
}

RC_GTEST_PROP(SearchTree, EveryTypeAgreesOnWholeWeights, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(1, 60);
  const auto p = *rc::gen::container<Frequencies>(n, rc::gen::inRange<std::int64_t>(0, 1000));
  const auto q = *rc::gen::container<Frequencies>(n + 1, rc::gen::inRange<std::int64_t>(0, 1000));
  const auto expected = solve_by(p, q, "knuth").solution;
  const auto small = solve(SearchTree<std::int32_t>({p.begin(), p.end()}, {q.begin(), q.end()})).solution;
  const auto single = solve(SearchTree<float>({p.begin(), p.end()}, {q.begin(), q.end()})).solution;
  RC_ASSERT(small.cost == expected.cost && small.parents == expected.parents);
  RC_ASSERT(single.cost == static_cast<float>(expected.cost) && single.parents == expected.parents);
}

RC_GTEST_PROP(SearchTree, KnuthsBoundsKeepTheCostOfRealWeightsUpToRounding, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(1, 80);
  const auto real = [](std::size_t count) {
    auto integers = *rc::gen::container<Frequencies>(count, rc::gen::inRange<std::int64_t>(0, 1000));
    std::vector<double> values(integers.begin(), integers.end());
    for (double& x : values) x = std::sqrt(x);
    return values;
  };
  const SearchTree<double> tree(real(n), real(n + 1));
  Options dp;
  dp.algorithm = "dp";
  const double cost = solve(tree).solution.cost;
  const double expected = solve(tree, dp).solution.cost;
  RC_ASSERT(std::abs(cost - expected) <= 1e-12 * expected);
}

RC_GTEST_PROP(SearchTree, ScalingEveryWeightScalesTheCost, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(1, 60);
  auto p = *rc::gen::container<Frequencies>(n, rc::gen::inRange<std::int64_t>(0, 20));
  auto q = *rc::gen::container<Frequencies>(n + 1, rc::gen::inRange<std::int64_t>(0, 20));
  const auto before = solve_by(p, q, "knuth").solution;
  for (auto& weight : p) weight *= 7;
  for (auto& weight : q) weight *= 7;
  const auto after = solve_by(p, q, "knuth").solution;
  RC_ASSERT(after.cost == 7 * before.cost && after.parents == before.parents);
}

TEST(SearchTree, TheTextbookExampleHasItsKnownTree) {
  const auto solution = solve_by({15, 10, 5, 10, 20}, {5, 10, 5, 5, 5, 10}, "knuth").solution;
  EXPECT_EQ(solution.cost, 275);
  EXPECT_EQ(solution.root, 1u);
  EXPECT_EQ(solution.parents, (std::vector<std::int64_t>{1, -1, 3, 4, 1}));
}

TEST(SearchTree, WeightsOfZeroMakeATreeOfCostZero) {
  EXPECT_EQ(solve_by(Frequencies(40, 0), Frequencies(41, 0), "knuth").solution.cost, 0);
}

template <class T>
std::string refusal(const std::vector<T>& p, const std::vector<T>& q, ErrorKind expected = ErrorKind::input) {
  try {
    SearchTree<T> tree(p, q);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), expected);
    return error.what();
  }
  return "accepted";
}

TEST(SearchTree, WeightsThatTheBoundsDoNotHoldForAreRefused) {
  EXPECT_NE(refusal<std::int64_t>({}, {1}).find("empty"), std::string::npos);
  EXPECT_NE(refusal<std::int64_t>({1, 2}, {1, 2}).find("2 entries: 3"), std::string::npos);
  EXPECT_NE(refusal<std::int64_t>({1, -2}, {1, 2, 3}).find("p[1] is -2"), std::string::npos);
  EXPECT_NE(refusal<double>({1, 2}, {1, std::nan(""), 3}).find("q[1] is nan"), std::string::npos);
  EXPECT_NE(refusal<double>({INFINITY}, {1, 2}).find("p[0] is inf"), std::string::npos);
}

TEST(SearchTree, SumsFromAQuarterOfTheTypesLargestByTheKeysAndOneAreRefusedByTheirLimit) {
  EXPECT_EQ(
      refusal<std::int64_t>({std::int64_t{1} << 61}, {0, 0}, ErrorKind::overflow),
      "the weights add up to about 2.306e+18: with 1 key and i64, sums of less than about 1.153e+18 are accepted");
  const std::int32_t most = std::numeric_limits<std::int32_t>::max() / 4 / 3;  // of 2 keys
  EXPECT_EQ(refusal<std::int32_t>({0, most}, {0, 0, 0}), "accepted");
  EXPECT_NE(refusal<std::int32_t>({0, most}, {0, 0, 1}, ErrorKind::overflow).find("less than about 1.79e+08"),
            std::string::npos);
}

TEST(SearchTree, OptionsAreObeyed) {
  const SearchTree<std::int64_t> tree(Frequencies(2000, 1), Frequencies(2001, 1));
  Options options;
  options.algorithm = "magic";
  EXPECT_THROW(static_cast<void>(solve(tree, options)), Error);
  options.algorithm = "";
  options.max_memory = 1000;
  EXPECT_THROW(static_cast<void>(solve(tree, options)), Error);
  options = {};
  options.deadline = std::chrono::steady_clock::now();
  EXPECT_THROW(static_cast<void>(solve(tree, options)), Error);
  std::stop_source source;
  source.request_stop();
  options = {};
  options.stop = source.get_token();
  EXPECT_THROW(static_cast<void>(solve(tree, options)), Error);
}

}  // namespace
}  // namespace warpfold::interval
