#include "warpfold/polygon/verify.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "equivalence/polygon/random_outline.hpp"

namespace warpfold::polygon {
namespace {

using interval::Chord;
using interval::Triangle;
using testing::HasSubstr;

// A hexagon fanned from vertex 1.
const std::vector<Chord> chords = {{1, 3}, {1, 4}, {1, 5}};
const std::vector<Triangle> triangles = {{0, 1, 5}, {1, 4, 5}, {1, 3, 4}, {1, 2, 3}};

std::string flaw(std::vector<Chord> c, std::vector<Triangle> t, std::size_t n = 6) {
  return flaw_of_structure(n, c, t).value_or("none");
}

TEST(Verify, AcceptsATriangulationInAnyOrder) {
  EXPECT_EQ(flaw(chords, triangles), "none");
  EXPECT_EQ(flaw({{1, 5}, {1, 3}, {1, 4}}, {{1, 2, 3}, {0, 1, 5}, {1, 3, 4}, {1, 4, 5}}), "none");
  EXPECT_EQ(flaw({}, {{0, 1, 2}}, 3), "none");
}

TEST(Verify, RejectsEveryKindOfCorruption) {
  EXPECT_THAT(flaw({}, {}, 2), HasSubstr("n is 2"));
  EXPECT_THAT(flaw({{1, 3}, {1, 4}}, triangles), HasSubstr("2 chords"));
  EXPECT_THAT(flaw({{1, 3}, {1, 4}, {5, 1}}, triangles), HasSubstr("[5, 1] is no chord"));
  EXPECT_THAT(flaw({{1, 3}, {1, 4}, {1, 6}}, triangles), HasSubstr("[1, 6] is no chord"));
  EXPECT_THAT(flaw({{1, 3}, {1, 4}, {1, 2}}, triangles), HasSubstr("[1, 2] is an edge"));
  EXPECT_THAT(flaw({{1, 3}, {1, 4}, {0, 5}}, triangles), HasSubstr("[0, 5] is an edge"));
  EXPECT_THAT(flaw({{1, 3}, {1, 4}, {1, 4}}, triangles), HasSubstr("twice"));
  EXPECT_THAT(flaw({{1, 3}, {2, 4}, {1, 5}}, triangles), HasSubstr("[1, 3] and [2, 4] cross"));
  EXPECT_THAT(flaw(chords, {{0, 1, 5}, {1, 4, 5}, {1, 3, 4}}), HasSubstr("3 triangles"));
  EXPECT_THAT(flaw(chords, {{0, 1, 5}, {1, 4, 5}, {1, 3, 4}, {1, 3, 2}}), HasSubstr("[1, 3, 2] is no triangle"));
  EXPECT_THAT(flaw(chords, {{0, 1, 5}, {1, 4, 5}, {1, 3, 4}, {0, 2, 3}}), HasSubstr("[0, 2], which is no chord"));
  EXPECT_THAT(flaw(chords, {{0, 1, 5}, {1, 4, 5}, {1, 3, 4}, {1, 3, 4}}), HasSubstr("one too many"));
}

TEST(Verify, RejectsAChordThatLeavesTheInterior) {
  const std::vector<Triangle> inside = {{0, 1, 2}, {0, 2, 3}};
  const std::vector<Triangle> outside = {{0, 1, 3}, {1, 2, 3}};
  const Outline counterclockwise({{0, 0}, {4, 0}, {1, 1}, {0, 4}});
  EXPECT_EQ(flaw_of_triangles(counterclockwise, inside), std::nullopt);
  EXPECT_THAT(flaw_of_triangles(counterclockwise, outside).value_or("none"), HasSubstr("[1, 2, 3]"));
  const Outline clockwise({{0, 0}, {0, 4}, {1, 1}, {4, 0}});
  EXPECT_EQ(flaw_of_triangles(clockwise, inside), std::nullopt);
  EXPECT_THAT(flaw_of_triangles(clockwise, outside).value_or("none"), HasSubstr("[1, 2, 3]"));
}

TEST(Verify, RejectsAChordThroughAVertex) {
  const Outline outline({{0, 0}, {2, 0}, {4, 0}, {4, 4}});
  EXPECT_THAT(flaw_of_triangles(outline, std::vector<Triangle>{{0, 2, 3}, {0, 1, 2}}).value_or("none"),
              HasSubstr("[0, 1, 2]"));
  EXPECT_EQ(flaw_of_triangles(outline, std::vector<Triangle>{{0, 1, 3}, {1, 2, 3}}), std::nullopt);
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
      EXPECT_EQ(flaw_of_triangles(outline, nodes).has_value(), !interior) << "round " << round;
    }
  }
}

TEST(Verify, AddsWholeWeightsExactlyAndRealOnesUpToRounding) {
  const auto whole = [](std::size_t i, std::size_t j) { return static_cast<std::int64_t>(10 * i + j); };
  EXPECT_EQ(flaw_of_cost(chords, whole, 42), std::nullopt);
  EXPECT_THAT(flaw_of_cost(chords, whole, 43).value_or("none"), HasSubstr("add up to 42, the cost is 43"));
  const auto huge = [](std::size_t, std::size_t) { return std::numeric_limits<std::int64_t>::max() / 2; };
  EXPECT_THAT(flaw_of_cost(chords, huge, 0).value_or("none"), HasSubstr("64 bits"));
  const auto real = [](std::size_t, std::size_t) { return 0.1; };
  EXPECT_EQ(flaw_of_cost(chords, real, 0.1 + 0.1 + 0.1, 0x1p-53), std::nullopt);
  EXPECT_NE(flaw_of_cost(chords, real, 0.3 + 1e-12, 0x1p-53), std::nullopt);
  EXPECT_NE(flaw_of_cost(chords, real, std::numeric_limits<double>::quiet_NaN(), 0x1p-53), std::nullopt);
}

}  // namespace
}  // namespace warpfold::polygon
