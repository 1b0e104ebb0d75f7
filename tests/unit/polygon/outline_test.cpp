#include "warpfold/polygon/outline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "warpfold/core/error.hpp"

namespace warpfold::polygon {
namespace {

using testing::HasSubstr;

std::string refusal(std::vector<Point> vertices) {
  try {
    const Outline outline(std::move(vertices));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "accepted";
}

TEST(Outline, TakesEitherDirectionClosedOrNot) {
  const Outline square({{0, 0}, {1, 0}, {1, 1}, {0, 1}});
  EXPECT_TRUE(square.counterclockwise());
  EXPECT_TRUE(square.strictly_convex());
  const Outline closed({{0, 0}, {0, 1}, {1, 1}, {1, 0}, {0, 0}});
  EXPECT_FALSE(closed.counterclockwise());
  EXPECT_TRUE(closed.strictly_convex());
  EXPECT_EQ(closed.size(), 4u);
  EXPECT_EQ(closed[1], (Point{0, 1}));
}

TEST(Outline, IsNotStrictlyConvexWithAFlatOrReflexVertex) {
  EXPECT_FALSE(Outline({{0, 0}, {1, 0}, {2, 0}, {1, 2}}).strictly_convex());
  EXPECT_FALSE(Outline({{0, 0}, {4, 0}, {1, 1}, {0, 4}}).strictly_convex());
}

TEST(Outline, RefusesFewerThanThreeVertices) {
  EXPECT_THAT(refusal({}), HasSubstr("0 vertices"));
  EXPECT_THAT(refusal({{0, 0}, {1, 1}}), HasSubstr("2 vertices"));
  EXPECT_THAT(refusal({{0, 0}, {1, 1}, {0, 0}}), HasSubstr("2 vertices"));
}

TEST(Outline, RefusesCoordinatesThatAreNotFiniteOrTooLarge) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(refusal({{0, 0}, {1, nan}, {1, 1}}), HasSubstr("vertex 1: y is nan"));
  EXPECT_THAT(refusal({{0, 0}, {1, 0}, {std::numeric_limits<double>::infinity(), 1}}), HasSubstr("vertex 2: x is inf"));
  EXPECT_THAT(refusal({{0, 0}, {1e200, 0}, {1, 1}}), HasSubstr("vertex 1: x"));
  EXPECT_THAT(refusal({{0, 0}, {1e-200, 0}, {1, 1}}), HasSubstr("vertex 1: x"));
}

TEST(Outline, DropsAVertexThatRepeatsItsNeighbor) {
  const Outline outline({{0, 0}, {2, 0}, {2, 0}, {0, 2}});
  EXPECT_EQ(outline.size(), 3u);
  EXPECT_EQ(outline.dropped(), 1u);
}

TEST(Outline, RefusesAVertexThatComesAgainWithBothItsPlaces) {
  EXPECT_THAT(refusal({{0, 0}, {4, 0}, {2, 2}, {4, 4}, {0, 4}, {2, 2}}),
              HasSubstr("touches itself at (2, 2), in vertices 2 and 5"));
  EXPECT_THAT(refusal({{0.0, 1}, {1, 0}, {-0.0, 1}, {-1, 0}}),
              HasSubstr("touches itself at (0, 1), in vertices 0 and 2"));
}

TEST(Outline, RefusesEdgesThatCrossTouchOrOverlap) {
  EXPECT_THAT(refusal({{0, 0}, {2, 2}, {2, 0}, {0, 2}}), HasSubstr("not simple: Self-intersection at (1, 1)"));
  EXPECT_THAT(refusal({{0, 0}, {4, 0}, {4, 4}, {2, 0}, {0, 4}}), HasSubstr("not simple"));    // a vertex on an edge
  EXPECT_THAT(refusal({{0, 0}, {4, 0}, {8, 0}, {4.5, 0}, {2, 3}}), HasSubstr("not simple"));  // a spike of zero width
  EXPECT_THAT(refusal({{0, 0}, {1, 1}, {2, 2}}), HasSubstr("not simple"));
}

}  // namespace
}  // namespace warpfold::polygon
