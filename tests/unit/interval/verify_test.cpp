#include "warpfold/interval/verify.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "warpfold/core/error.hpp"
#include "warpfold/interval/solve.hpp"

namespace warpfold::interval {
namespace {

using testing::HasSubstr;

std::string words(const Violation& violation) { return violation.value_or("none"); }

void expect_infeasible(const Verdict& verdict, const std::string& violation) {
  EXPECT_THAT(words(verdict.violation), HasSubstr(violation));
  EXPECT_FALSE(verdict.is_feasible);
}

void expect_miscounted(const Verdict& verdict, const std::string& violation) {
  EXPECT_THAT(words(verdict.violation), HasSubstr(violation));
  EXPECT_TRUE(verdict.is_feasible);
}

// A hexagon fanned from vertex 1.
const std::vector<Chord> chords = {{1, 3}, {1, 4}, {1, 5}};
const std::vector<Triangle> triangles = {{0, 1, 5}, {1, 4, 5}, {1, 3, 4}, {1, 2, 3}};

std::string violation(std::vector<Chord> c, std::vector<Triangle> t, std::size_t n = 6) {
  return words(find_structure_violation(n, c, t));
}

TEST(VerifyStructure, AcceptsATriangulationInAnyOrder) {
  EXPECT_EQ(violation(chords, triangles), "none");
  EXPECT_EQ(violation({{1, 5}, {1, 3}, {1, 4}}, {{1, 2, 3}, {0, 1, 5}, {1, 3, 4}, {1, 4, 5}}), "none");
  EXPECT_EQ(violation({}, {{0, 1, 2}}, 3), "none");
}

TEST(VerifyStructure, RejectsEveryKindOfCorruption) {
  EXPECT_THAT(violation({}, {}, 2), HasSubstr("n is 2"));
  EXPECT_THAT(violation({{1, 3}, {1, 4}}, triangles), HasSubstr("2 chords"));
  EXPECT_THAT(violation({{1, 3}, {1, 4}, {5, 1}}, triangles), HasSubstr("[5, 1] is no chord"));
  EXPECT_THAT(violation({{1, 3}, {1, 4}, {1, 6}}, triangles), HasSubstr("[1, 6] is no chord"));
  EXPECT_THAT(violation({{1, 3}, {1, 4}, {1, 2}}, triangles), HasSubstr("[1, 2] is an edge"));
  EXPECT_THAT(violation({{1, 3}, {1, 4}, {0, 5}}, triangles), HasSubstr("[0, 5] is an edge"));
  EXPECT_THAT(violation({{1, 3}, {1, 4}, {1, 4}}, triangles), HasSubstr("twice"));
  EXPECT_THAT(violation({{1, 3}, {2, 4}, {1, 5}}, triangles), HasSubstr("[1, 3] and [2, 4] cross"));
  EXPECT_THAT(violation(chords, {{0, 1, 5}, {1, 4, 5}, {1, 3, 4}}), HasSubstr("3 triangles"));
  EXPECT_THAT(violation(chords, {{0, 1, 5}, {1, 4, 5}, {1, 3, 4}, {1, 3, 2}}), HasSubstr("[1, 3, 2] is no triangle"));
  EXPECT_THAT(violation(chords, {{0, 1, 5}, {1, 4, 5}, {1, 3, 4}, {0, 2, 3}}), HasSubstr("[0, 2], which is no chord"));
  EXPECT_THAT(violation(chords, {{0, 1, 5}, {1, 4, 5}, {1, 3, 4}, {1, 3, 4}}), HasSubstr("one too many"));
}

TEST(VerifyStructure, AddsWholeWeightsExactlyAndRealOnesUpToRounding) {
  const auto whole = [](std::size_t i, std::size_t j) { return static_cast<std::int64_t>(10 * i + j); };
  EXPECT_EQ(find_cost_violation(chords, whole, 42), std::nullopt);
  EXPECT_THAT(words(find_cost_violation(chords, whole, 43)), HasSubstr("add up to 42, the cost is 43"));
  const auto huge = [](std::size_t, std::size_t) { return std::numeric_limits<std::int64_t>::max() / 2; };
  EXPECT_THAT(words(find_cost_violation(chords, huge, 0)), HasSubstr("64 bits"));
  const auto real = [](std::size_t, std::size_t) { return 0.1; };
  EXPECT_EQ(find_cost_violation(chords, real, 0.1 + 0.1 + 0.1, 0x1p-53), std::nullopt);
  EXPECT_NE(find_cost_violation(chords, real, 0.3 + 1e-12, 0x1p-53), std::nullopt);
  EXPECT_NE(find_cost_violation(chords, real, std::numeric_limits<double>::quiet_NaN(), 0x1p-53), std::nullopt);
}

template <class T>
class VerifyTriangulation : public testing::Test {};
using VerifyTriangulationTypes = testing::Types<std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(VerifyTriangulation, VerifyTriangulationTypes);

TYPED_TEST(VerifyTriangulation, SeesItsStructureItsCostAndWhatIsForbidden) {
  using T = TypeParam;
  Matrix<T> weights(6, 6, T{2});
  weights(2, 4) = infinity<T>;
  const Triangulation<T> problem(std::as_const(weights).view());
  Solution<T> solution{T{6}, triangles, chords};
  EXPECT_TRUE(verify(problem, solution));
  EXPECT_FALSE(verify(problem, solution).is_optimal);
  EXPECT_TRUE(verify(problem, solve(problem).solution));
  solution.cost = T{7};
  expect_miscounted(verify(problem, solution), "add up to 6, the cost is 7");
  solution = {T{6}, triangles, {{1, 3}, {1, 4}}};
  expect_infeasible(verify(problem, solution), "2 chords");
  solution = {infinity<T>, {{0, 1, 5}, {1, 4, 5}, {1, 2, 4}, {2, 3, 4}}, {{1, 4}, {1, 5}, {2, 4}}};
  expect_infeasible(verify(problem, solution), "chord [2, 4] is forbidden");
}

TEST(VerifyTriangulation, StopsWhereTheOptionsAskForIt) {
  const Matrix<double> weights(3, 3, 0.0);
  Options options;
  options.deadline = std::chrono::steady_clock::now() - std::chrono::seconds(1);
  const Solution<double> solution{0, {{0, 1, 2}}, {}};
  EXPECT_TRUE(verify(Triangulation<double>(weights.view()), solution));
  EXPECT_THROW(static_cast<void>(verify(Triangulation<double>(weights.view()), solution, options)), Error);
}

ChainSolution order(Wide cost, std::vector<Split> splits) {
  ChainSolution solution;
  solution.cost = cost;
  solution.splits = std::move(splits);
  return solution;
}

TEST(VerifyChain, SeesEveryFlawOfAnOrder) {
  const MatrixChain chain({10, 100, 5, 50});
  EXPECT_TRUE(verify(chain, order(7500, {{0, 2, 3}, {0, 1, 2}})));
  EXPECT_TRUE(verify(chain, order(75000, {{0, 1, 3}, {1, 2, 3}}))) << "an order, if not the best";
  EXPECT_TRUE(verify(MatrixChain({3, 4}), order(0, {})));
  expect_miscounted(verify(chain, order(7501, {{0, 2, 3}, {0, 1, 2}})), "'cost' is 7501, the splits cost 7500");
  expect_infeasible(verify(chain, order(7500, {})), "'splits' has no entry for (0,3)");
  expect_infeasible(verify(chain, order(7500, {{0, 2, 3}})), "'splits' has no entry for (0,2)");
  expect_infeasible(verify(chain, order(7500, {{0, 2, 3}, {0, 1, 2}, {0, 1, 2}})), "3 entries, 2 expected");
  expect_infeasible(verify(chain, order(7500, {{0, 1, 2}, {0, 2, 3}})), "is [0,1,2], where (0,3) is to be split");
  expect_infeasible(verify(chain, order(7500, {{0, 3, 3}, {0, 1, 3}})), "is [0,3,3]");
  expect_infeasible(verify(chain, order(7500, {{0, 0, 3}, {0, 1, 3}})), "is [0,0,3]");
}

TEST(VerifyChain, RefusesAnOrderWhoseCostNoNumberHolds) {
  const std::int64_t b = std::int64_t{1} << 60;
  const MatrixChain chain({b, 1, b, 1, b, 1});
  // 2^180 + 2^120 + 2^120 + 2^120, modulo 2^128.
  const ChainSolution bad = order(Wide{3} << 120, {{0, 4, 5}, {0, 2, 4}, {0, 1, 2}, {2, 3, 4}});
  EXPECT_TRUE(verify(chain, solve(chain).solution));
  expect_miscounted(verify(chain, bad), "the splits cost 2^127 or more");

  const std::int64_t c = std::int64_t{1} << 42;
  // Two products of 2^126 and four of 2^84. Each of them fits, but their sum wraps.
  const ChainSolution sum = order(-(Wide{1} << 126) - (Wide{1} << 126) + (Wide{1} << 86),
                                  {{0, 6, 7}, {0, 4, 6}, {0, 2, 4}, {0, 1, 2}, {2, 3, 4}, {4, 5, 6}});
  expect_miscounted(verify(MatrixChain({c, 1, c, 1, c, 1, c, 1}), sum), "the splits cost 2^127 or more");
}

RC_GTEST_PROP(VerifyChain, AcceptsEveryOptimumAndNoOtherCost, ()) {
  const auto dimensions =
      *rc::gen::suchThat(rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange<std::int64_t>(1, 1000)),
                         [](const auto& p) { return p.size() >= 2; });
  const MatrixChain chain(dimensions);
  ChainSolution solution = solve(chain).solution;
  RC_ASSERT(verify(chain, solution).violation == std::nullopt);
  solution.cost -= 1;
  RC_ASSERT(verify(chain, solution).violation != std::nullopt);
}

template <class T>
class VerifyTree : public testing::Test {};
TYPED_TEST_SUITE(VerifyTree, VerifyTriangulationTypes);

TYPED_TEST(VerifyTree, SeesEveryFlawOfATree) {
  using T = TypeParam;
  using Tree = TreeSolution<T>;
  const SearchTree<T> tree({1, 2, 3}, {1, 1, 1, 1});
  // Key 1 above 0 and 2: 2 * 1 + (1 + 3) * 2, and each gap at depth 3.
  EXPECT_TRUE(verify(tree, Tree{T{22}, 1, {1, -1, 1}}));
  EXPECT_TRUE(verify(tree, solve(tree).solution));
  expect_miscounted(verify(tree, Tree{T{23}, 1, {1, -1, 1}}), "'cost' is 23, the tree costs 22");
  expect_infeasible(verify(tree, Tree{T{22}, 1, {-1, 0}}), "'parents' has 2 entries for 3 keys");
  expect_infeasible(verify(tree, Tree{T{22}, 0, {1, -1, 1}}), "'root' is 0, of the parents it is 1");
  expect_infeasible(verify(tree, Tree{T{22}, 1, {1, 2, 1}}), "'root' is 1, of the parents it is -1");
  expect_infeasible(verify(tree, Tree{T{22}, 1, {1, -1, 3}}), "'parents' entry 2 is 3");
  expect_infeasible(verify(tree, Tree{T{22}, 1, {1, -1, -2}}), "'parents' entry 2 is -2");
  expect_infeasible(verify(tree, Tree{T{22}, 1, {1, -1, 2}}), "'parents' entry 2 is 2");
  expect_infeasible(verify(tree, Tree{T{22}, 0, {-1, -1, 0}}), "keys 0 and 1 hang at the same place");
}

TEST(VerifyTree, SeesKeysThatHangOutOfOrderOrInACircle) {
  const SearchTree<std::int32_t> tree({1, 2, 3, 4}, {1, 1, 1, 1, 1});
  expect_infeasible(verify(tree, TreeSolution<std::int32_t>{0, 1, {2, -1, 1, 2}}), "not in its place in the order");
  expect_infeasible(verify(tree, TreeSolution<std::int32_t>{0, 0, {-1, 2, 1, 0}}), "not in its place in the order");
}

TEST(VerifyTree, AllowsForRoundingAndNoMore) {
  const SearchTree<float> tree({0.1F, 0.2F, 0.3F}, {0.1F, 0.1F, 0.1F, 0.1F});
  TreeSolution<float> solution = solve(tree).solution;
  EXPECT_TRUE(verify(tree, solution));
  solution.cost *= 1.0001F;
  EXPECT_FALSE(verify(tree, solution));
}

RC_GTEST_PROP(VerifyTree, AcceptsEveryOptimumAndNoOtherCost, ()) {
  const auto keys =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange<std::int64_t>(0, 100)));
  const auto gaps =
      *rc::gen::container<std::vector<std::int64_t>>(keys.size() + 1, rc::gen::inRange<std::int64_t>(0, 100));
  const SearchTree<std::int64_t> tree(keys, gaps);
  TreeSolution<std::int64_t> solution = solve(tree).solution;
  RC_ASSERT(verify(tree, solution).violation == std::nullopt);
  ++solution.cost;
  RC_ASSERT(verify(tree, solution).violation != std::nullopt);
}

}  // namespace
}  // namespace warpfold::interval
