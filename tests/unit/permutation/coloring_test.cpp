#include "warpfold/permutation/coloring.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "warpfold/core/error.hpp"

namespace warpfold::permutation {
namespace {

struct Graph {
  std::uint32_t nodes = 0;
  std::vector<std::uint32_t> left, right;
};

/// A random permutation of nodes * degree words, as a graph of the banks of sources and destinations.
Graph random_graph(std::uint32_t nodes, std::uint32_t degree, std::uint64_t seed) {
  std::vector<std::uint32_t> target(std::size_t{nodes} * degree);
  std::iota(target.begin(), target.end(), 0);
  std::shuffle(target.begin(), target.end(), std::mt19937_64(seed));
  Graph graph{nodes, {}, {}};
  for (std::uint32_t i = 0; i < target.size(); ++i) {
    graph.left.push_back(i % nodes);
    graph.right.push_back(target[i] % nodes);
  }
  return graph;
}

bool colors_well(const Graph& graph, std::uint64_t seed = 1) {
  const auto color = color_edges(graph.left, graph.right, graph.nodes, seed);
  return is_edge_coloring(graph.left, graph.right, graph.nodes, color);
}

RC_GTEST_PROP(EdgeColoring, MakesEveryColorAPerfectMatching, ()) {
  const auto nodes = *rc::gen::inRange<std::uint32_t>(1, 40);
  const auto degree = *rc::gen::inRange<std::uint32_t>(0, 40);
  RC_ASSERT(colors_well(random_graph(nodes, degree, *rc::gen::arbitrary<std::uint64_t>())));
}

TEST(EdgeColoring, HoldsForPrimeOddAndCompositeDegrees) {
  for (const std::uint32_t degree : {1U, 2U, 3U, 7U, 31U, 64U, 127U, 3U * 5 * 7 * 11}) {
    for (const std::uint32_t nodes : {1U, 2U, 3U, 17U, 32U}) {
      EXPECT_TRUE(colors_well(random_graph(nodes, degree, degree))) << nodes << " nodes, degree " << degree;
    }
  }
}

TEST(EdgeColoring, HoldsWhereAllEdgesOfANodeAreParallel) {
  Graph graph{5, {}, {}};
  for (std::uint32_t e = 0; e < 5 * 9; ++e) {
    graph.left.push_back(e % 5);
    graph.right.push_back((e + 2) % 5);
  }
  EXPECT_TRUE(colors_well(graph));
}

TEST(EdgeColoring, HoldsForAThousandNodesOfOddDegree) { EXPECT_TRUE(colors_well(random_graph(1024, 63, 3))); }

TEST(EdgeColoring, HoldsForMillionsOfEdgesOnFewNodesAndOnMany) {
  EXPECT_TRUE(colors_well(random_graph(32, 1 << 17, 5)));
  EXPECT_TRUE(colors_well(random_graph(1024, 1 << 10, 6)));
}

TEST(EdgeColoring, IsTheSameForTheSameSeed) {
  const Graph graph = random_graph(12, 15, 4);
  EXPECT_EQ(color_edges(graph.left, graph.right, 12, 7), color_edges(graph.left, graph.right, 12, 7));
}

TEST(EdgeColoring, OfNoEdgesIsEmpty) {
  EXPECT_TRUE(color_edges({}, {}, 4).empty());
  EXPECT_TRUE(color_edges({}, {}, 0).empty());
  EXPECT_TRUE(color_edges({}, {}, 0xffffffff).empty());  // must not allocate 32 GiB
}

TEST(EdgeColoring, CheckRefusesSharedNodesMissingColorsAndTooManyColors) {
  const std::vector<std::uint32_t> left{0, 0, 1, 1}, right{0, 1, 0, 1};
  using Colors = std::vector<std::uint32_t>;
  EXPECT_TRUE(is_edge_coloring(left, right, 2, Colors{0, 1, 1, 0}));
  EXPECT_FALSE(is_edge_coloring(left, right, 2, Colors{0, 0, 1, 1}));
  EXPECT_FALSE(is_edge_coloring(left, right, 2, Colors{0, 1, 0, 1}));
  EXPECT_FALSE(is_edge_coloring(left, right, 2, Colors{0, 2, 2, 0}));
  EXPECT_FALSE(is_edge_coloring(left, right, 2, Colors{0, 1, 1}));
}

std::string refusal(const Graph& graph) {
  try {
    static_cast<void>(color_edges(graph.left, graph.right, graph.nodes));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "accepted";
}

TEST(EdgeColoring, NamesWhatIsIrregular) {
  EXPECT_EQ(refusal({2, {0, 1}, {0}}), "left has 2 edges and right has 1: the same number is accepted");
  EXPECT_EQ(refusal({2, {0, 1, 0}, {0, 1, 0}}), "3 edges on 2 nodes a side: the same degree everywhere is accepted");
  EXPECT_EQ(refusal({0, {0}, {0}}), "1 edges on 0 nodes a side: the same degree everywhere is accepted");
  EXPECT_EQ(refusal({2, {0, 1}, {0, 2}}), "right[1] is 2: 0 .. 1 are accepted");
  EXPECT_EQ(refusal({2, {0, 0}, {0, 1}}),
            "left node 0 has degree 2: 1, the degree of a regular graph of this size, is accepted");
}

}  // namespace
}  // namespace warpfold::permutation
