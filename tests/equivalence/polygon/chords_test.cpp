#include "warpfold/polygon/chords.hpp"

#include <gtest/gtest.h>

#include <random>
#include <stop_token>

#include "equivalence/polygon/random_outline.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::polygon {
namespace {

void expect_same(const VisibilityGraph& found, const VisibilityGraph& expected) {
  EXPECT_EQ(found.offsets, expected.offsets);
  EXPECT_EQ(found.ends, expected.ends);
}

std::vector<std::pair<std::size_t, std::size_t>> chords_of(const std::vector<Point>& vertices) {
  const Outline outline(vertices);
  const VisibilityGraph graph = interior_chords(outline);
  expect_same(reference::interior_chords(outline), graph);
  std::vector<std::pair<std::size_t, std::size_t>> chords;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    for (const std::size_t j : graph.after(i)) {
      if (!graph.is_edge(i, j)) chords.emplace_back(i, j);
    }
  }
  return chords;
}

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

TEST(InteriorChords, MatchTheWholeNumberOracleOnCrowdedGrids) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 1500; ++round) {
    const std::size_t n = 3 + random() % 22;
    const auto grid = test::random_grid_outline(random, n, 3 + static_cast<std::int64_t>(random() % 6));
    const auto expected = test::oracle_chords(grid);
    const Outline outline = test::to_outline(grid);
    expect_same(interior_chords(outline), expected);
    expect_same(reference::interior_chords(outline), expected);
    if (testing::Test::HasFailure()) break;
  }
}

TEST(InteriorChords, MatchTheOracleOnWideGridsAndManyVertices) {
  std::mt19937_64 random(8);
  for (int round = 0; round < 30; ++round) {
    const auto grid = test::random_grid_outline(random, 120, 1000);
    expect_same(interior_chords(test::to_outline(grid)), test::oracle_chords(grid));
  }
}

TEST(InteriorChords, AreTheSameWhereRoundingHidesTheGrid) {
  std::mt19937_64 random(9);
  for (int round = 0; round < 300; ++round) {
    const auto grid = test::random_grid_outline(random, 16, 6);
    const auto expected = test::oracle_chords(grid);
    expect_same(interior_chords(test::to_outline(grid, 0x1p-45, 1)), expected);
    expect_same(interior_chords(test::to_outline(grid, 0x1p300, 0)), expected);
  }
}

TEST(InteriorChords, MatchTheOracleOnOutlinesWithLongStraightRuns) {
  std::mt19937_64 random(12);
  for (int round = 0; round < 400; ++round) {
    const std::size_t corners = 3 + random() % 12;
    const std::int64_t size = 3 + static_cast<std::int64_t>(random() % 4);
    const auto parts = static_cast<std::int64_t>(1 + random() % 17);
    const auto grid = test::with_runs(random, test::random_grid_outline(random, corners, size), parts);
    const auto expected = test::oracle_chords(grid);
    expect_same(interior_chords(test::to_outline(grid)), expected);
    expect_same(interior_chords(test::to_outline(grid, 0x1p-40, 1)), expected);
    if (round < 40) expect_same(reference::interior_chords(test::to_outline(grid)), expected);
    if (testing::Test::HasFailure()) break;
  }
}

TEST(InteriorChords, MatchTheReferenceOnTrianglesAndSquaresWithRunsOfEveryDirection) {
  std::mt19937_64 random(13);
  const std::vector<test::Grid> shapes = {{{0, 0}, {1, 0}, {0, 1}},         {{0, 0}, {3, 1}, {1, 2}},
                                          {{0, 0}, {1, 0}, {1, 1}, {0, 1}}, {{0, 0}, {2, 1}, {1, 3}, {-1, 2}},
                                          {{0, 0}, {4, 0}, {1, 1}, {0, 4}}, {{0, 0}, {0, 4}, {1, 1}, {4, 0}},
                                          {{0, 0}, {3, 3}, {6, 0}, {3, 9}}};
  for (const test::Grid& shape : shapes) {
    for (const std::int64_t parts : {1, 2, 3, 30, 101}) {
      const Outline outline = test::to_outline(test::with_runs(random, shape, parts));
      expect_same(interior_chords(outline), reference::interior_chords(outline));
    }
  }
}

TEST(InteriorChords, OfATriangleAreNone) { EXPECT_EQ(chords_of({{0, 0}, {1, 0}, {0, 1}}), Pairs{}); }

TEST(InteriorChords, OfAConvexOutlineAreAllPairs) {
  const Outline hexagon({{2, 0}, {4, 1}, {4, 3}, {2, 4}, {0, 3}, {0, 1}});
  EXPECT_EQ(interior_chords(hexagon).chords(), 9u);
}

TEST(InteriorChords, DoNotPassThroughAThirdVertexOrAlongARun) {
  EXPECT_EQ(chords_of({{0, 0}, {1, 0}, {2, 0}, {3, 0}, {0, 3}}), (Pairs{{1, 4}, {2, 4}}));
  // The notch's tip 2 lies exactly between 0 and 4.
  EXPECT_EQ(chords_of({{0, 0}, {4, 0}, {2, 2}, {4, 4}, {0, 4}}), (Pairs{{0, 2}, {2, 4}}));
  EXPECT_EQ(chords_of({{0, 0}, {4, -4}, {2, 2}, {4, 4}, {0, 8}}), (Pairs{{0, 2}, {2, 4}}));
}

TEST(InteriorChords, StayOutOfAReflexCorner) {
  EXPECT_EQ(chords_of({{0, 0}, {4, 0}, {1, 1}, {0, 4}}), (Pairs{{0, 2}}));
  EXPECT_EQ(chords_of({{0, 4}, {1, 1}, {4, 0}, {0, 0}}), (Pairs{{1, 3}}));
}

TEST(InteriorChords, OfACombStayBetweenItsTeeth) {
  std::vector<Point> comb;
  constexpr int teeth = 30;
  for (int tooth = 0; tooth < teeth; ++tooth) {
    comb.push_back({2.0 * tooth, 0});
    comb.push_back({2.0 * tooth + 1, 100});
  }
  comb.push_back({2.0 * teeth, 0});
  comb.push_back({2.0 * teeth, -1});
  comb.push_back({0, -1});
  const Outline outline(comb);
  expect_same(interior_chords(outline), reference::interior_chords(outline));
}

TEST(InteriorChords, AreTheSameForEveryNumberOfThreads) {
  std::mt19937_64 random(10);
  const Outline outline = test::to_outline(test::random_grid_outline(random, 300, 5000));
  Options options;
  options.threads = 1;
  const VisibilityGraph one = interior_chords(outline, options);
  options.threads = 3;
  expect_same(interior_chords(outline, options), one);
}

TEST(InteriorChords, HonourLimitsAndStop) {
  std::mt19937_64 random(11);
  const Outline outline = test::to_outline(test::random_grid_outline(random, 100, 5000));
  Options small;
  small.max_memory = 100;
  EXPECT_THROW(static_cast<void>(interior_chords(outline, small)), Error);
  std::stop_source stop;
  stop.request_stop();
  Options stopped;
  stopped.stop = stop.get_token();
  EXPECT_THROW(static_cast<void>(interior_chords(outline, stopped)), Error);
}

}  // namespace
}  // namespace warpfold::polygon
