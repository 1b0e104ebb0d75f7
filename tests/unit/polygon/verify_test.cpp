#include "warpfold/polygon/verify.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "equivalence/polygon/random_outline.hpp"

namespace warpfold::polygon {
namespace {

using interval::Triangle;
using testing::HasSubstr;

TEST(Verify, RejectsAChordThatLeavesTheInterior) {
  const std::vector<Triangle> inside = {{0, 1, 2}, {0, 2, 3}};
  const std::vector<Triangle> outside = {{0, 1, 3}, {1, 2, 3}};
  const Outline counterclockwise({{0, 0}, {4, 0}, {1, 1}, {0, 4}});
  EXPECT_EQ(find_triangles_violation(counterclockwise, inside), std::nullopt);
  EXPECT_THAT(find_triangles_violation(counterclockwise, outside).value_or("none"), HasSubstr("[1, 2, 3]"));
  const Outline clockwise({{0, 0}, {0, 4}, {1, 1}, {4, 0}});
  EXPECT_EQ(find_triangles_violation(clockwise, inside), std::nullopt);
  EXPECT_THAT(find_triangles_violation(clockwise, outside).value_or("none"), HasSubstr("[1, 2, 3]"));
}

TEST(Verify, RejectsAChordThroughAVertex) {
  const Outline outline({{0, 0}, {2, 0}, {4, 0}, {4, 4}});
  EXPECT_THAT(find_triangles_violation(outline, std::vector<Triangle>{{0, 2, 3}, {0, 1, 2}}).value_or("none"),
              HasSubstr("[0, 1, 2]"));
  EXPECT_EQ(find_triangles_violation(outline, std::vector<Triangle>{{0, 1, 3}, {1, 2, 3}}), std::nullopt);
}

/// Every triangulation of points i .. j, as triangles.
std::vector<std::vector<Triangle>> all_triangulations(std::uint32_t i, std::uint32_t j) {
  if (j == i + 1) return {{}};
  std::vector<std::vector<Triangle>> all;
  for (std::uint32_t k = i + 1; k < j; ++k) {
    for (const auto& left : all_triangulations(i, k)) {
      for (const auto& right : all_triangulations(k, j)) {
        std::vector<Triangle> one = left;
        one.insert(one.end(), right.begin(), right.end());
        one.push_back({i, k, j});
        all.push_back(std::move(one));
      }
    }
  }
  return all;
}

TEST(Verify, FindsAllTrianglesTurnedTheRightWayJustWhereEveryChordIsInterior) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 200; ++round) {
    const auto grid = test::random_grid_outline(random, 4 + random() % 5, 5);
    const Outline outline = test::to_outline(grid);
    const std::size_t n = outline.size();
    for (const std::vector<Triangle>& nodes : all_triangulations(0, static_cast<std::uint32_t>(n - 1))) {
      bool interior = true;
      for (const auto& [i, k, j] : nodes) {
        for (const auto& [a, b] : {std::pair(i, k), std::pair(k, j), std::pair(i, j)}) {
          const bool edge = b == a + 1 || (a == 0 && b + 1 == n);
          interior = interior && (edge || test::oracle_is_interior(grid, a, b));
        }
      }
      EXPECT_EQ(find_triangles_violation(outline, nodes).has_value(), !interior) << "round " << round;
    }
  }
}

// A square with a notch at vertex 2, whose one triangulation joins 0 and 2.
const Outline notched({{0, 0}, {4, 0}, {1, 1}, {0, 4}});

template <class T>
interval::Solution<T> fan(T cost) {
  return {cost, {{0, 1, 2}, {0, 2, 3}}, {{0, 2}}};
}

template <class T>
class VerifyOutline : public testing::Test {};
using VerifyOutlineTypes = testing::Types<std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(VerifyOutline, VerifyOutlineTypes);

TYPED_TEST(VerifyOutline, SeesStructurePlaceWeightsAndCost) {
  using T = TypeParam;
  const auto seven = [](std::size_t, std::size_t) { return T{7}; };
  EXPECT_TRUE(verify<T>(notched, seven, fan(T{7})));
  const Verdict wrong_cost = verify<T>(notched, seven, fan(T{8}));
  EXPECT_THAT(wrong_cost.violation.value_or("none"), HasSubstr("add up to 7, the cost is 8"));
  EXPECT_TRUE(wrong_cost.is_feasible);
  const interval::Solution<T> outside{T{7}, {{0, 1, 3}, {1, 2, 3}}, {{1, 3}}};
  const Verdict misplaced = verify<T>(notched, seven, outside);
  EXPECT_THAT(misplaced.violation.value_or("none"), HasSubstr("[1, 2, 3] does not lie in the interior"));
  EXPECT_FALSE(misplaced.is_feasible);
  const Verdict structure = verify<T>(notched, seven, interval::Solution<T>{T{7}, {{0, 1, 2}}, {{0, 2}}});
  EXPECT_THAT(structure.violation.value_or("none"), HasSubstr("1 triangles"));
  EXPECT_FALSE(structure.is_feasible);
  const Verdict forbidden = verify<T>(
      notched, [](std::size_t, std::size_t) { return infinity<T>; }, fan(infinity<T>));
  EXPECT_THAT(forbidden.violation.value_or("none"), HasSubstr("chord [0, 2] is forbidden"));
  EXPECT_FALSE(forbidden.is_feasible);
}

TYPED_TEST(VerifyOutline, WeighsChordsByAFormula) {
  using T = TypeParam;
  EXPECT_TRUE(verify(notched, Weight::squared, fan(T{2})));
  EXPECT_FALSE(verify(notched, Weight::squared, fan(T{3})));
  const interval::Solution<T> outside{T{32}, {{0, 1, 3}, {1, 2, 3}}, {{1, 3}}};
  EXPECT_THAT(verify(notched, Weight::squared, outside).violation.value_or("none"), HasSubstr("does not lie"));
}

TEST(VerifyOutline, RefusesAWholeTypeThatDoesNotHoldAWeight) {
  EXPECT_THAT(verify(notched, Weight::length, fan<std::int64_t>(1)).violation.value_or("none"),
              HasSubstr("i64 holds integers below 9007199254740992, chord [0, 2] weighs 1.41"));
  EXPECT_TRUE(verify(notched, Weight::length, fan(std::sqrt(2.0))));
  const Outline large({{0, 0}, {400000, 0}, {100000, 100000}, {0, 400000}});
  EXPECT_THAT(verify(large, Weight::squared, fan<std::int32_t>(0)).violation.value_or("none"),
              HasSubstr("i32 holds integers below 1073741823, chord [0, 2] weighs 20000000000"));
  EXPECT_TRUE(verify(large, Weight::squared, fan<std::int64_t>(20000000000)));
}

}  // namespace
}  // namespace warpfold::polygon
