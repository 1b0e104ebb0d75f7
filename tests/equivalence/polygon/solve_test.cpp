#include "warpfold/polygon/solve.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <stop_token>

#include "equivalence/polygon/random_outline.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/instruction_set.hpp"
#include "warpfold/polygon/verify.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold::polygon {
namespace {

template <class T>
Triangulation<T> random_problem(std::mt19937_64& random, const VisibilityGraph& graph, int range) {
  std::uniform_int_distribution<int> weight(-range, range);
  return {graph, chord_weights<T>(graph, [&](std::size_t, std::size_t) { return static_cast<T>(weight(random)); })};
}

VisibilityGraph random_graph(std::mt19937_64& random, std::size_t n, std::int64_t size) {
  return interior_chords(test::to_outline(test::random_grid_outline(random, n, size)));
}

/// The minimum total over all triangulations, by listing them without a recurrence.
template <class T>
T min_by_listing(const Triangulation<T>& problem) {
  std::vector<interval::Chord> chords;
  std::vector<T> weights;
  const interval::WeightedGraph<T>& graph = *problem.graph();
  for (std::uint32_t i = 0; i < graph.size(); ++i) {
    for (std::size_t e = graph.offsets[i]; e < graph.offsets[i + 1]; ++e) {
      if (graph.is_edge(i, graph.ends[e]) || graph.weights[e] >= infinity<T>) continue;
      chords.push_back({i, graph.ends[e]});
      weights.push_back(graph.weights[e]);
    }
  }
  const auto cross = [](const interval::Chord& a, const interval::Chord& b) {
    return (a.i < b.i && b.i < a.j && a.j < b.j) || (b.i < a.i && a.i < b.j && b.j < a.j);
  };
  T best = infinity<T>;
  std::vector<interval::Chord> chosen;
  const std::function<void(std::size_t, T)> choose = [&](std::size_t next, T total) {
    if (chosen.size() + 3 == graph.size()) best = std::min(best, total);
    for (std::size_t c = next; c < chords.size(); ++c) {
      if (std::any_of(chosen.begin(), chosen.end(), [&](const auto& other) { return cross(chords[c], other); }))
        continue;
      chosen.push_back(chords[c]);
      choose(c + 1, total + weights[c]);
      chosen.pop_back();
    }
  };
  choose(0, 0);
  return best;
}

template <class T>
void expect_same(const interval::Solution<T>& found, const interval::Solution<T>& expected) {
  EXPECT_EQ(found.cost, expected.cost);
  EXPECT_EQ(found.triangles, expected.triangles);
  EXPECT_EQ(found.chords, expected.chords);
}

template <class T>
class Sparse : public testing::Test {};
using SparseTypes = testing::Types<std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(Sparse, SparseTypes);

TYPED_TEST(Sparse, FindsTheLeastOfAllTriangulations) {
  std::mt19937_64 random(21);
  for (int round = 0; round < 60; ++round) {
    const auto problem = random_problem<TypeParam>(random, random_graph(random, 3 + random() % 7, 5), 9);
    const auto solution = solve(problem).solution;
    EXPECT_EQ(solution.cost, min_by_listing(problem));
    EXPECT_EQ(find_structure_violation(problem.vertices(), solution.chords, solution.triangles), std::nullopt);
  }
}

TYPED_TEST(Sparse, IsEquivalentToReferenceAndDenseForEveryNumberOfThreads) {
  std::mt19937_64 random(22);
  for (const std::size_t n : {3u, 4u, 40u, 300u}) {
    const auto problem = random_problem<TypeParam>(random, random_graph(random, n, 400), 3);
    const auto expected = reference::solve(problem).solution;
    Options dense;
    dense.algorithm = "tiled";
    expect_same(solve(problem, dense).solution, expected);
    for (const int threads : {1, 2, 5}) {
      Options options;
      options.algorithm = "sparse";
      options.threads = threads;
      const auto result = solve(problem, options);
      expect_same(result.solution, expected);
      EXPECT_EQ(result.report.algorithm, "sparse");
    }
  }
}

/// A graph with the outline's edges, all chords of vertex 0, so that a triangulation exists, and one in `every` of the
/// other chords.
VisibilityGraph arbitrary_graph(std::mt19937_64& random, std::uint32_t n, unsigned every) {
  VisibilityGraph graph{{0}, {}};
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = i + 1; j < n; ++j) {
      if (i == 0 || j == i + 1 || random() % every == 0) graph.ends.push_back(j);
    }
    graph.offsets.push_back(graph.ends.size());
  }
  return graph;
}

TYPED_TEST(Sparse, IsEquivalentToReferenceAroundItsTiles) {
  std::mt19937_64 random(29);
  for (const std::uint32_t n : {7u, 8u, 9u, 10u, 15u, 16u, 17u, 63u, 64u, 65u, 66u, 127u, 128u, 129u}) {
    for (const unsigned every : {1u, 3u, 40u}) {
      const auto problem = random_problem<TypeParam>(random, arbitrary_graph(random, n, every), 5);
      const auto expected = reference::solve(problem).solution;
      for (const int threads : {1, 2}) {
        Options options;
        options.algorithm = "sparse";
        options.threads = threads;
        expect_same(solve(problem, options).solution, expected);
      }
    }
  }
}

TYPED_TEST(Sparse, IsEqualOnEveryInstructionSet) {
  std::mt19937_64 random(31);
  const auto problem = random_problem<TypeParam>(random, arbitrary_graph(random, 150, 3), 5);
  const auto expected = reference::solve(problem).solution;
  for (const std::string& name : instruction_sets()) {
    SCOPED_TRACE(name);
    force_instruction_set(name);
    Options options;
    options.algorithm = "sparse";
    expect_same(solve(problem, options).solution, expected);
  }
  force_instruction_set("");
}

TYPED_TEST(Sparse, IsEquivalentToReferenceAcrossManyBlocks) {
  std::mt19937_64 random(23);
  for (const unsigned every : {4u, 100u}) {
    const auto problem = random_problem<TypeParam>(random, arbitrary_graph(random, 800, every), 50);
    const auto expected = reference::solve(problem).solution;
    for (const int threads : {1, 3}) {
      Options options;
      options.algorithm = "sparse";
      options.threads = threads;
      expect_same(solve(problem, options).solution, expected);
    }
  }
}

TYPED_TEST(Sparse, AvoidsForbiddenChordsAndSaysWhenNoneAreLeft) {
  std::mt19937_64 random(24);
  int infeasible = 0;
  for (int round = 0; round < 80; ++round) {
    const VisibilityGraph graph = random_graph(random, 4 + random() % 6, 5);
    const Triangulation<TypeParam> problem(graph, chord_weights<TypeParam>(graph, [&](std::size_t, std::size_t) {
                                             return random() % 3 == 0 ? infinity<TypeParam>
                                                                      : static_cast<TypeParam>(random() % 9);
                                           }));
    const TypeParam least = min_by_listing(problem);
    if (least < infinity<TypeParam>) {
      EXPECT_EQ(solve(problem).solution.cost, least);
      continue;
    }
    ++infeasible;
    try {
      static_cast<void>(solve(problem));
      ADD_FAILURE() << "solved what cannot be solved";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::infeasible);
    }
  }
  EXPECT_GT(infeasible, 5);
}

TYPED_TEST(Sparse, RefusesTotalsThatDoNotFit) {
  const VisibilityGraph graph = interior_chords(Outline({{0, 0}, {4, 0}, {1, 1}, {0, 4}}));
  std::vector<TypeParam> weights(graph.ends.size());
  weights[1] = infinity<TypeParam> - infinity<TypeParam> / 4;  // chord (0, 2)
  if constexpr (std::is_floating_point_v<TypeParam>) weights[1] = std::numeric_limits<TypeParam>::max();
  EXPECT_THROW(Triangulation<TypeParam>(graph, weights), Error);
  if constexpr (std::is_floating_point_v<TypeParam>) {
    weights[1] = std::numeric_limits<TypeParam>::quiet_NaN();
    EXPECT_THROW(Triangulation<TypeParam>(graph, weights), Error);
    weights[1] = -infinity<TypeParam>;
    EXPECT_THROW(Triangulation<TypeParam>(graph, weights), Error);
  }
  weights.pop_back();
  EXPECT_THROW(Triangulation<TypeParam>(graph, weights), Error);
}

interval::Solution<double> by_length(const Outline& outline, double scale = 1, double constant = 0) {
  const VisibilityGraph graph = interior_chords(outline);
  const Triangulation<double> problem(graph, chord_weights<double>(graph, [&](std::size_t i, std::size_t j) {
                                        return scale * chord_weight(Weight::squared, outline[i], outline[j]) + constant;
                                      }));
  return solve(problem).solution;
}

// Squared distances on the grid are integers, so sums are exact and do not depend on the first vertex.
TEST(OptimalTriangulation, CostsTheSameRotatedReversedAndMirrored) {
  std::mt19937_64 random(25);
  for (int round = 0; round < 40; ++round) {
    auto grid = test::random_grid_outline(random, 25, 9);
    const double cost = by_length(test::to_outline(grid)).cost;
    std::rotate(grid.begin(), grid.begin() + 2, grid.end());
    EXPECT_EQ(by_length(test::to_outline(grid)).cost, cost);
    std::reverse(grid.begin(), grid.end());
    EXPECT_EQ(by_length(test::to_outline(grid)).cost, cost);
    for (auto& p : grid) p.x = -p.x;
    EXPECT_EQ(by_length(test::to_outline(grid)).cost, cost);
  }
}

TEST(OptimalTriangulation, ScalesWithItsWeightsAndAddsAConstantOncePerChord) {
  std::mt19937_64 random(26);
  for (int round = 0; round < 40; ++round) {
    const Outline outline = test::to_outline(test::random_grid_outline(random, 25, 9));
    const auto solution = by_length(outline);
    const auto scaled = by_length(outline, 0.25);
    EXPECT_EQ(scaled.cost, 0.25 * solution.cost);
    EXPECT_EQ(scaled.chords, solution.chords);
    EXPECT_EQ(by_length(outline, 1, 7).cost, solution.cost + 7 * static_cast<double>(outline.size() - 3));
  }
}

TEST(OptimalTriangulation, TakesTheSmallestSplitAmongEquals) {
  const Outline hexagon({{2, 0}, {4, 1}, {4, 3}, {2, 4}, {0, 3}, {0, 1}});
  const VisibilityGraph graph = interior_chords(hexagon);
  const Triangulation<int> problem(graph, std::vector<int>(graph.ends.size(), 1));
  for (const char* algorithm : {"", "sparse"}) {
    Options options;
    options.algorithm = algorithm;
    const auto solution = solve(problem, options).solution;
    EXPECT_EQ(solution.cost, 3);
    EXPECT_EQ(solution.chords, (std::vector<interval::Chord>{{1, 5}, {2, 5}, {3, 5}}));
  }
}

TEST(OptimalTriangulation, SendsConvexOutlinesToTheDenseSolver) {
  const Outline square({{0, 0}, {1, 0}, {1, 1}, {0, 1}});
  const VisibilityGraph graph = interior_chords(square);
  const Triangulation<double> problem(graph, std::vector<double>(graph.ends.size(), 1));
  EXPECT_TRUE(problem.complete());
  const Report report = solve(problem).report;
  EXPECT_NE(report.algorithm, "sparse");
  EXPECT_GT(report.prepare_seconds, 0) << "all weights were listed for it";
}

TEST(OptimalTriangulation, HonoursStopDeadlineMemoryAndNames) {
  std::mt19937_64 random(27);
  const auto problem = random_problem<double>(random, random_graph(random, 60, 50), 9);
  const auto kind_with = [&](const Options& options) {
    try {
      static_cast<void>(solve(problem, options));
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::internal;
  };
  std::stop_source stop;
  stop.request_stop();
  Options stopped;
  stopped.stop = stop.get_token();
  EXPECT_EQ(kind_with(stopped), ErrorKind::cancelled);
  Options late;
  late.deadline = std::chrono::steady_clock::now();
  EXPECT_EQ(kind_with(late), ErrorKind::time_limit);
  Options small;
  small.max_memory = 100;
  EXPECT_EQ(kind_with(small), ErrorKind::memory_limit);
  Options unknown;
  unknown.algorithm = "magic";
  EXPECT_EQ(kind_with(unknown), ErrorKind::usage);
  Options elsewhere;
  elsewhere.algorithm = "sparse";
  elsewhere.device.kind = Device::Kind::cuda;
  EXPECT_EQ(kind_with(elsewhere), has_cuda() ? ErrorKind::usage : ErrorKind::device);
}

TEST(OptimalTriangulation, ReportsWhatItEstimated) {
  std::mt19937_64 random(28);
  const auto problem = random_problem<double>(random, random_graph(random, 60, 50), 9);
  double seen = 0;
  Options options;
  options.progress = [&](const Progress& progress) { seen = progress.total; };
  EXPECT_EQ(solve(problem, options).report.peak_bytes, estimate(problem, options).bytes);
  EXPECT_GT(estimate(problem, options).operations, 0);
  EXPECT_GE(estimate(problem, options).operations, seen);
}

TEST(OptimalTriangulation, EstimatesTheOperationsOfAllTilesWhereEverybodySeesEverybody) {
  std::mt19937_64 random(30);
  const Triangulation<double> problem = random_problem<double>(random, arbitrary_graph(random, 80, 1), 9);
  Options options;
  options.algorithm = "sparse";
  EXPECT_EQ(estimate(problem, options).operations, 120 * 8 * 8 * 8) << "every three of ten rows of tiles";
}

}  // namespace
}  // namespace warpfold::polygon
