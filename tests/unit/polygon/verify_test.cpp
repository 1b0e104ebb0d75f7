#include "warpfold/polygon/verify.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpfold::polygon {
namespace {

using interval::Chord;
using interval::Node;
using testing::HasSubstr;

// A hexagon fanned from vertex 1.
const std::vector<Chord> chords = {{1, 3}, {1, 4}, {1, 5}};
const std::vector<Node> triangles = {{0, 1, 5}, {1, 4, 5}, {1, 3, 4}, {1, 2, 3}};

std::string flaw(std::vector<Chord> c, std::vector<Node> t, std::size_t n = 6) {
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
  const Outline outline({{0, 0}, {4, 0}, {1, 1}, {0, 4}});
  EXPECT_EQ(flaw_of_chords(outline, std::vector<Chord>{{0, 2}}), std::nullopt);
  EXPECT_THAT(flaw_of_chords(outline, std::vector<Chord>{{1, 3}}).value_or("none"), HasSubstr("[1, 3]"));
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
