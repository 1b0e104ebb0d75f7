#include "warpfold/polygon/triangulation.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "warpfold/core/error.hpp"
#include "warpfold/polygon/solve.hpp"

namespace warpfold::polygon {
namespace {

/// A quadrilateral whose vertices 0 and 2 see each other.
const VisibilityGraph quadrilateral{{0, 3, 4, 5, 5}, {1, 2, 3, 2, 3}};

std::string error_of(const VisibilityGraph& graph) {
  try {
    static_cast<void>(Triangulation<double>(graph, std::vector<double>(graph.ends.size(), 1)));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
    return error.what();
  }
  return "";
}

VisibilityGraph with_offset(std::size_t at, std::size_t offset) {
  VisibilityGraph graph = quadrilateral;
  graph.offsets[at] = offset;
  return graph;
}

VisibilityGraph with_end(std::size_t at, std::uint32_t end) {
  VisibilityGraph graph = quadrilateral;
  graph.ends[at] = end;
  return graph;
}

TEST(TriangulationOfAGraph, TakesTotalsUpToAQuarterOfTheType) {
  const VisibilityGraph pentagon{{0, 4, 7, 9, 10, 10}, {1, 2, 3, 4, 2, 3, 4, 3, 4, 4}};
  const int most = (std::numeric_limits<int>::max() - 1) / 4 / 2;
  std::vector<int> weights(10, most);
  for (const char* algorithm : {"sparse", "tiled"}) {
    Options options;
    options.algorithm = algorithm;
    EXPECT_EQ(solve(Triangulation<int>(pentagon, weights), options).solution.cost, 2 * most) << algorithm;
  }
  for (const int beyond : {most + 1, -most - 1, std::numeric_limits<int>::min()}) {
    weights[1] = beyond;
    try {
      static_cast<void>(Triangulation<int>(pentagon, weights));
      ADD_FAILURE() << beyond << " was taken";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::overflow) << beyond;
    }
  }
}

TEST(TriangulationOfAGraph, TakesOneThatIsInOrder) { EXPECT_EQ(error_of(quadrilateral), ""); }

TEST(TriangulationOfAGraph, IsRefusedOnceItWasMovedFrom) {
  Triangulation<double> problem(quadrilateral, std::vector<double>(quadrilateral.ends.size(), 1));
  const Triangulation<double> taken = std::move(problem);
  EXPECT_EQ(solve(taken).solution.triangles.size(), 2u);
  const auto expect_refusal = [](const auto& call) {
    try {
      call();
      ADD_FAILURE() << "it was taken";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      EXPECT_STREQ(error.what(), "the triangulation was moved from: one that is there is accepted");
    }
  };
  expect_refusal([&] { static_cast<void>(solve(problem)); });  // NOLINT(bugprone-use-after-move)
  expect_refusal([&] { static_cast<void>(estimate(problem)); });
  expect_refusal([&] { static_cast<void>(reference::solve(problem)); });
}

TEST(TriangulationOfAGraph, RefusesFewerThanThreeVertices) {
  const std::string accepted = ": one more than 3 or more vertices is accepted";
  EXPECT_EQ(error_of({}), "the visibility graph has 0 offsets" + accepted);
  EXPECT_EQ(error_of({{0, 1, 1}, {1}}), "the visibility graph has 3 offsets" + accepted);
}

TEST(TriangulationOfAGraph, RefusesOffsetsOutOfRangeOrOrder) {
  EXPECT_EQ(error_of(with_offset(0, 1)), "the visibility graph has 1 as its first offset: 0 is accepted");
  EXPECT_EQ(error_of(with_offset(4, 6)),
            "the visibility graph has 6 as its last offset: 5, how many ends it has, is accepted");
  EXPECT_EQ(error_of(with_offset(1, 99)),
            "the visibility graph has 4 as offset 2: 99, the one before, or more is accepted");
}

TEST(TriangulationOfAGraph, RefusesEndsOutOfRangeOrOrder) {
  const auto refused = [](int end, int vertex, int least) {
    return "the visibility graph has " + std::to_string(end) + " among the ends of vertex " + std::to_string(vertex) +
           ": ascending ones, here " + std::to_string(least) + " to 3, are accepted";
  };
  EXPECT_EQ(error_of(with_end(1, 4000000)), refused(4000000, 0, 2));
  EXPECT_EQ(error_of(with_end(1, 1)), refused(1, 0, 2));
  EXPECT_EQ(error_of(with_end(3, 1)), refused(1, 1, 2));
  EXPECT_EQ(error_of({{0, 3, 4, 5, 6}, {1, 2, 3, 2, 3, 3}}), refused(3, 3, 4));
}

TEST(TriangulationOfAGraph, RefusesOneWithoutAnEdgeOfTheOutline) {
  EXPECT_EQ(error_of(with_end(3, 3)), "the visibility graph lacks the edge (1, 2)");
  EXPECT_EQ(error_of({{0, 2, 3, 3, 3}, {1, 3, 2}}), "the visibility graph lacks the edge (2, 3)");
  EXPECT_EQ(error_of({{0, 2, 3, 4, 4}, {1, 2, 2, 3}}), "the visibility graph lacks the edge (0, 3)");
}

}  // namespace
}  // namespace warpfold::polygon
