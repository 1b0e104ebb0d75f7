#include "warpfold/paths/from_sources.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "graphs.hpp"
#include "options.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/paths/verify.hpp"

/// Compares paths from sources with all pairs.
namespace warpfold::paths {
namespace {

/// No edge alone improves: lengths are 0 or more, in (max,+) 0 or less.
template <class T>
Matrix<T> drawn(std::size_t n, Semiring semiring, double density, std::uint64_t seed) {
  Matrix<T> edges = test::drawn_graph<T>(n, semiring, density, seed);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (!semiring.adds() || edges(i, j) == semiring.zero<T>()) continue;
      const auto size = static_cast<T>(std::abs(edges(i, j)));
      edges(i, j) = semiring.is_min() ? size : static_cast<T>(-size);
    }
  }
  return edges;
}

/// Every path must exist in the graph and have the stated length, added from its source on.
template <class Tag, class T = typename Tag::Value>
void expect_paths(const Matrix<T>& edges, const PathsFrom<T>& paths) {
  for (std::size_t s = 0; s < paths.sources.size(); ++s) {
    for (std::size_t j = 0; j < edges.rows(); ++j) {
      const auto path = paths.path(s, j);
      ASSERT_EQ(path.empty(), Tag::is_zero(paths.lengths(s, j)));
      if (path.empty()) continue;
      ASSERT_EQ(path.front(), paths.sources[s]);
      ASSERT_EQ(path.back(), j);
      T length = Tag::one();
      for (std::size_t at = 0; at + 1 < path.size(); ++at) {
        ASSERT_FALSE(Tag::is_zero(edges(path[at], path[at + 1])));
        length = Tag::times(length, edges(path[at], path[at + 1]));
      }
      ASSERT_EQ(paths.lengths(s, j), length) << s << " to " << j;
    }
  }
}

template <class T>
void expect_those_of_all_pairs(const Matrix<T>& edges, Semiring semiring) {
  const std::size_t n = edges.rows();
  const Request request{semiring};
  const AllPairs<T> all = all_pairs(edges, {}, request).solution;
  const Matrix<T>& expected = all.lengths;
  const bool exact = std::is_integral_v<T> || !semiring.adds();
  const auto found =
      from_sources(test::sparse(edges, semiring), test::every_vertex(n), test::by("dijkstra"), request).solution;
  if (exact) {
    EXPECT_EQ(found.lengths, expected) << n << ", " << to_string(semiring);
  } else {
    for (std::size_t at = 0; at < n * n; ++at) {
      const auto a = static_cast<double>(found.lengths.values()[at]), b = static_cast<double>(expected.values()[at]);
      ASSERT_TRUE(a == b || std::abs(a - b) <= 1e-5 * std::abs(b)) << a << ", " << b;
    }
  }
  const auto of_all = from_sources(all, test::every_vertex(n), request);
  for (const PathsFrom<T>* const paths : {&found, &of_all}) {
    const Verdict verdict = verify(test::sparse(edges, semiring), *paths, {}, request);
    EXPECT_TRUE(verdict.is_optimal) << n << ", " << to_string(semiring) << ": " << verdict.violation.value_or("");
  }
  minplus::with_choosing_tag<T>(semiring, [&](auto tag) {
    expect_paths<decltype(tag)>(edges, found);
    if (exact) expect_paths<decltype(tag)>(edges, of_all);
  });
}

template <class T>
class FromSources : public testing::Test {};
using FromSourcesTypes = testing::Types<std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(FromSources, FromSourcesTypes);

TYPED_TEST(FromSources, AreThoseOfAllPairsInEverySemiring) {
  for (const Semiring semiring : test::choosing_semirings) {
    for (const std::size_t n : {0, 1, 2, 5, 40, 90}) {
      // In (max,+), no cycle improves if all lengths are 0 or less.
      expect_those_of_all_pairs(drawn<TypeParam>(n, semiring, 0.1, n), semiring);
    }
  }
}

/// The paths from 0 to 1 by 2, and by 3 and 2, have equal lengths, because the last edge rounds the difference away.
/// Those to 2 differ.
TEST(FromSources, TakeEachVertexsOwnPathWhereFarOnesAreRounded) {
  const std::vector<Edge<float>> edges = {{0, 2, 36}, {2, 1, 1e9F}, {0, 3, 0}, {3, 2, 0.001F}};
  for (const char* algorithm : {"dijkstra", "all-pairs"}) {
    const auto found = from_sources(SparseGraph<float>(4, edges), {0}, test::by(algorithm)).solution;
    EXPECT_EQ(found.lengths(0, 2), 0.001F);
    EXPECT_EQ(found.path(0, 2), (std::vector<std::uint32_t>{0, 3, 2})) << algorithm;
  }
}

/// The paths to 1 by 2, and by 0 and 3, have equal lengths, because the last edge rounds the difference away. Those to
/// 2 differ.
TEST(FromSources, TakeEachVertexsOwnLongestPathWhereNearOnesAreRounded) {
  const std::vector<Edge<float>> edges = {{0, 2, 0.001F}, {2, 1, 1e9F}, {0, 3, 0.0005F}, {3, 2, 0.001F}};
  const Request request{Semiring::max_plus};
  const SparseGraph<float> graph(4, edges);
  const auto found = from_sources(graph, {0}, {}, request).solution;
  EXPECT_EQ(found.path(0, 2), (std::vector<std::uint32_t>{0, 3, 2}));
  EXPECT_EQ(verify(graph, found, {}, request).violation, std::nullopt);
}

/// Edges of 1, and edges of less than half of its last bit. Many of the latter are rounded away one by one, but not if
/// another path has their sum as one edge.
template <class T>
void expect_verified_where_edges_round_away(std::uint64_t seed) {
  const auto n = 3 + seed % 40;
  constexpr T bit = std::numeric_limits<T>::epsilon();
  Matrix<T> edges = drawn<T>(n, {}, 0.3, seed);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (edges(i, j) == infinity<T>) continue;
      const auto kind = static_cast<std::uint64_t>(edges(i, j) * 7) % 4;
      edges(i, j) = kind == 0 ? T{1} : kind == 1 ? static_cast<T>(n) * bit / 5 : static_cast<T>(0.49) * bit;
    }
  }
  for (std::size_t i = 1; i < n; ++i) edges(i - 1, i) = i == 1 ? T{1} : static_cast<T>(0.49) * bit;
  const auto all = all_pairs(edges).solution;
  EXPECT_EQ(verify(edges, all).violation, std::nullopt) << seed;
  const SparseGraph<T> graph = test::sparse(edges, {});
  const auto of_all = from_sources(all, test::every_vertex(n));
  EXPECT_EQ(verify(graph, of_all).violation, std::nullopt) << seed;
  EXPECT_EQ(verify(graph, from_sources(graph, test::every_vertex(n), test::by("dijkstra")).solution).violation,
            std::nullopt);
  for (std::uint32_t j = 0; j < n; ++j) {
    EXPECT_EQ(verify_path<T>(graph, all.path(0, j), all.lengths(0, j)).violation, std::nullopt) << seed;
    EXPECT_EQ(verify_path<T>(graph, of_all.path(0, j), of_all.lengths(0, j)).violation, std::nullopt) << seed;
  }
}

TEST(FromSources, AreVerifiedWhereManySmallEdgesAreRoundedAway) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    expect_verified_where_edges_round_away<float>(seed);
    expect_verified_where_edges_round_away<double>(seed);
  }
}

TEST(FromSources, AreVerifiedPathByPathWhereSomeLengthsAreBelowZero) {
  constexpr std::size_t n = 100;
  Matrix<float> edges = test::drawn_graph<float>(n, {}, 0.2, 7);
  for (std::size_t i = 0; i < n; ++i) {  // without cycles
    for (std::size_t j = 0; j < n; ++j) {
      if (edges(i, j) != infinity<float>) {
        edges(i, j) = j > i ? std::sin(static_cast<float>(i * n + j)) : infinity<float>;
      }
    }
  }
  const SparseGraph<float> graph = test::sparse(edges, {});
  const auto found = from_sources(graph, {0, 1, 2}).solution;
  EXPECT_EQ(verify(graph, found).violation, std::nullopt);
  for (std::uint32_t s = 0; s < 3; ++s) {
    for (std::uint32_t j = 0; j < n; ++j) {
      EXPECT_EQ(verify_path<float>(graph, found.path(s, j), found.lengths(s, j)).violation, std::nullopt);
    }
  }
}

TEST(FromSourcesOfOrAnd, AreWhatCanBeReached) {
  Matrix<std::uint8_t> edges(5, 5);
  edges(0, 1) = edges(1, 2) = edges(2, 0) = edges(3, 4) = 1;
  expect_those_of_all_pairs(edges, Semiring::or_and);
}

RC_GTEST_PROP(FromSourcesOfIntegers, AreThoseOfAllPairs, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(1, 60);
  const auto edges =
      drawn<std::int32_t>(n, {}, *rc::gen::inRange(1, 100) / 100.0, *rc::gen::arbitrary<std::uint64_t>());
  const std::uint32_t source = *rc::gen::inRange<std::uint32_t>(0, static_cast<std::uint32_t>(n));
  const auto expected = all_pairs(edges).solution;
  for (const char* algorithm : {"dijkstra", "all-pairs"}) {
    const auto found = from_sources(test::sparse(edges, {}), {source}, test::by(algorithm)).solution;
    for (std::size_t j = 0; j < n; ++j) RC_ASSERT(found.lengths(0, j) == expected.lengths(source, j));
    expect_paths<MinPlus<std::int32_t>>(edges, found);
  }
}

/// Small graphs with few different lengths, in which many paths tie.
template <class T>
void expect_paths_of_ties(Semiring semiring, std::uint64_t seed) {
  const std::size_t n = 2 + seed % 6;
  Matrix<T> edges = drawn<T>(n, semiring, 0.5, seed);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (edges(i, j) != semiring.zero<T>()) edges(i, j) = static_cast<T>(std::fmod(edges(i, j), 4));
    }
  }
  for (const char* algorithm : {"dijkstra", "all-pairs"}) {
    const auto found =
        from_sources(test::sparse(edges, semiring), test::every_vertex(n), test::by(algorithm), {semiring}).solution;
    minplus::with_choosing_tag<T>(semiring, [&](auto tag) { expect_paths<decltype(tag)>(edges, found); });
  }
}

TEST(FromSources, HavePathsOfTheirLengthsInEverySemiring) {
  for (const Semiring semiring : test::choosing_semirings) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
      expect_paths_of_ties<std::int32_t>(semiring, seed);
      expect_paths_of_ties<std::int64_t>(semiring, seed);
      if (!semiring.adds()) expect_paths_of_ties<double>(semiring, seed);
    }
  }
}

TEST(FromSources, PassThroughThoseThatAnotherPathReachesBetter) {
  const std::vector<Edge<std::int32_t>> edges = {{0, 2, 3}, {0, 3, 2}, {2, 1, 3}, {3, 2, 0}};
  const auto found =
      from_sources(SparseGraph<std::int32_t>(4, edges), {0}, test::by("all-pairs"), {Semiring::min_max}).solution;
  EXPECT_EQ(found.lengths(0, 2), 2);
  EXPECT_EQ(found.path(0, 2), (std::vector<std::uint32_t>{0, 3, 2}));
}

TEST(FromSources, RefuseToWalkACycleOfPredecessors) {
  PathsFrom<double> forged{{0}, Matrix<double>(1, 3), Matrix<std::uint32_t>(1, 3)};
  forged.predecessors(0, 1) = 2;
  forged.predecessors(0, 2) = 1;
  try {
    (void)forged.path(0, 2);
    FAIL() << "a path was found";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::infeasible);
    EXPECT_STREQ(error.what(), "the predecessors from 0 to 2 do not begin there");
  }
}

TEST(FromSources, TakeTheBestOfSeveralEdgesAndNoneForNone) {
  const std::vector<Edge<double>> edges = {{0, 1, 5}, {0, 1, 3}, {0, 1, 4}, {1, 1, 1}, {1, 2, infinity<double>}};
  for (const char* algorithm : {"dijkstra", "all-pairs"}) {
    const auto found = from_sources(SparseGraph<double>(3, edges), {0, 0}, test::by(algorithm)).solution;
    EXPECT_EQ(found.lengths(0, 1), 3) << algorithm;
    EXPECT_EQ(found.lengths(1, 2), infinity<double>) << algorithm;
    EXPECT_EQ(found.path(1, 1), (std::vector<std::uint32_t>{0, 1})) << algorithm;
    EXPECT_TRUE(found.path(0, 2).empty()) << algorithm;
  }
}

TEST(FromSources, AreFoundByTheAlgorithmThatIsQuickest) {
  const auto ran = [](const std::vector<Edge<std::int32_t>>& edges, std::size_t n,
                      const std::vector<std::uint32_t>& sources) {
    return from_sources(SparseGraph<std::int32_t>(n, edges), sources).report.algorithm;
  };
  EXPECT_EQ(ran({{0, 1, 3}, {1, 2, 2}}, 2000, {0}), "dijkstra");
  EXPECT_EQ(ran({{0, 1, 3}, {1, 2, -2}}, 100, {0}), "bellman-ford");
  EXPECT_EQ(ran({{0, 1, 3}, {1, 2, -2}}, 100, test::every_vertex(100)), "johnson");
  std::vector<Edge<std::int32_t>> complete;
  for (std::uint32_t i = 0; i < 300; ++i) {
    for (std::uint32_t j = 0; j < 300; ++j) complete.push_back({i, j, 1});
  }
  EXPECT_EQ(ran(complete, 300, test::every_vertex(300)), "blocked");
}

TEST(FromSources, RefuseWhatIsNoGraphAndNoSource) {
  const auto refusal = [](const std::vector<Edge<double>>& edges, std::uint32_t source,
                          const char* algorithm) -> std::string {
    try {
      (void)from_sources(SparseGraph<double>(3, edges), {source}, test::by(algorithm));
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal({{0, 3, 1}}, 0, ""), "an edge leads from 0 to 3: vertices below 3 are accepted");
  EXPECT_EQ(refusal({{0, 1, 1}}, 3, ""), "source is 3: a vertex below 3 is accepted");
  EXPECT_EQ(refusal({{0, 1, std::nan("")}}, 0, ""),
            "the edge (0, 1) is nan: a finite length, or inf for no edge, is accepted");
  EXPECT_EQ(refusal({{0, 1, -1}}, 0, "dijkstra"),
            "algorithm 'dijkstra' does not solve graphs in which an edge improves by itself (a length below 0, in "
            "max-plus above 0): bellman-ford, johnson, all-pairs are accepted");
}

TEST(FromSources, RefuseMoreVerticesThanThereCanBeBeforeTheyTakeMemory) {
  try {
    (void)SparseGraph<double>(std::size_t{1} << 40, {});
    FAIL() << "such a graph was made";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_STREQ(error.what(), "1099511627776 vertices: up to 268435456 are accepted");
  }
}

TEST(FromSources, StopWhenAsked) {
  std::stop_source source;
  source.request_stop();
  Options options;
  options.stop = source.get_token();
  EXPECT_THROW((void)from_sources(SparseGraph<float>(3, std::vector<Edge<float>>{{0, 1, 1}}), {0}, options), Error);
}

}  // namespace
}  // namespace warpfold::paths
