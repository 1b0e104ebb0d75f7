#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "graphs.hpp"
#include "options.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/paths/from_sources.hpp"
#include "warpfold/paths/verify.hpp"

/// Compares searches of sparse graphs with the recurrence of Floyd and Warshall. Lengths may be negative.
namespace warpfold::paths::searches {
namespace {

constexpr const char* any_lengths[] = {"bellman-ford", "johnson"};

template <class T>
bool is_near(T found, T expected) {
  if (std::is_integral_v<T> || found == expected) return found == expected;
  return std::abs(static_cast<double>(found) - static_cast<double>(expected)) <= 1e-4;
}

template <class T>
class Searches : public testing::Test {};
using SearchTypes = testing::Types<std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(Searches, SearchTypes);

TYPED_TEST(Searches, FindTheLengthsOfAllPairs) {
  for (const Semiring semiring : {Semiring::min_plus, Semiring::max_plus}) {
    for (const std::size_t n : {1, 2, 5, 40, 90}) {
      const Matrix<TypeParam> edges = test::drawn_graph<TypeParam>(n, semiring, 0.1, n);
      const SparseGraph<TypeParam> graph = test::sparse(edges, semiring);
      const Request request{semiring};
      const auto expected = all_pairs(edges, {}, request).solution.lengths.values();
      for (const char* algorithm : any_lengths) {
        const auto from = from_sources(graph, test::every_vertex(n), test::by(algorithm), request).solution;
        const auto all = all_pairs(graph, test::by(algorithm), request).solution;
        for (std::size_t at = 0; at < n * n; ++at) {
          ASSERT_TRUE(is_near(from.lengths.values()[at], expected[at])) << algorithm << ", " << n << ", " << at;
          ASSERT_TRUE(is_near(all.lengths.values()[at], expected[at])) << algorithm << ", " << n << ", " << at;
        }
        EXPECT_EQ(verify(graph, from, {}, request).violation, std::nullopt) << algorithm;
        EXPECT_EQ(verify(edges, all, {}, request).violation, std::nullopt) << algorithm;
      }
    }
  }
}

TYPED_TEST(Searches, FindAllPairsInEverySemiringWhereNoEdgeImproves) {
  for (const Semiring semiring : test::choosing_semirings) {
    if (semiring.adds()) continue;
    const Matrix<TypeParam> edges = test::drawn_graph<TypeParam>(50, semiring, 0.1, 7);
    const auto expected = all_pairs(edges, {}, {semiring}).solution.lengths;
    for (const char* algorithm : {"dijkstra", "bellman-ford"}) {
      const auto all = all_pairs(test::sparse(edges, semiring), test::by(algorithm), {semiring}).solution;
      EXPECT_EQ(all.lengths, expected) << algorithm << ", " << to_string(semiring);
      EXPECT_EQ(verify(edges, all, {}, {semiring}).violation, std::nullopt) << algorithm;
    }
  }
}

/// Successors of different vertices must not form a cycle of length 0.
TEST(SearchesOfAllPairs, EndEveryWalkAlongCyclesOfLengthZero) {
  std::vector<Edge<std::int32_t>> edges;
  for (std::uint32_t i = 0; i < 20; ++i) {
    for (const std::uint32_t step : {1U, 3U, 7U}) edges.push_back({i, (i + step) % 20, 0});
  }
  for (const char* algorithm : {"dijkstra", "bellman-ford", "johnson"}) {
    const auto all = all_pairs(SparseGraph<std::int32_t>(20, edges), test::by(algorithm)).solution;
    for (std::size_t i = 0; i < 20; ++i) {
      for (std::size_t j = 0; j < 20; ++j) {
        const auto path = all.path(i, j);
        ASSERT_EQ(path.front(), i) << algorithm;
        ASSERT_EQ(path.back(), j) << algorithm;
      }
    }
  }
}

std::string refusal(const std::vector<Edge<std::int64_t>>& edges, const std::vector<std::uint32_t>& sources,
                    const std::string& algorithm) {
  try {
    static_cast<void>(from_sources(SparseGraph<std::int64_t>(6, edges), sources, test::by(algorithm)));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::infeasible);
    return error.what();
  }
  return "accepted";
}

TEST(NegativeCycles, AreRejectedWhereASourceReachesThem) {
  const std::vector<Edge<std::int64_t>> edges = {{0, 1, 2}, {1, 2, 3}, {3, 4, 1}, {4, 5, -3}, {5, 3, 1}};
  const std::string cycle = "the cycle 3 -> 4 -> 5 -> 3 has a negative length: there are no best paths";
  for (const std::string algorithm : {"", "bellman-ford", "johnson"}) {
    EXPECT_EQ(refusal(edges, {0}, algorithm), "accepted") << algorithm;
    EXPECT_EQ(refusal(edges, {0, 1, 2}, algorithm), "accepted") << algorithm;
    EXPECT_EQ(refusal(edges, {4}, algorithm), cycle) << algorithm;
    EXPECT_EQ(refusal(edges, {0, 5}, algorithm), cycle) << algorithm;
  }
  EXPECT_EQ(refusal(edges, {0}, "all-pairs"), cycle);
  EXPECT_THROW(static_cast<void>(all_pairs(SparseGraph<std::int64_t>(6, edges))), Error);
}

TEST(NegativeCycles, AreLoopsToo) {
  for (const std::string algorithm : {"bellman-ford", "johnson"}) {
    EXPECT_EQ(refusal({{0, 0, -1}}, {0}, algorithm), "the cycle 0 -> 0 has a negative length: there are no best paths");
    EXPECT_EQ(refusal({{0, 1, 1}, {1, 1, -1}}, {0}, algorithm),
              "the cycle 1 -> 1 has a negative length: there are no best paths");
    EXPECT_EQ(refusal({{0, 1, -1}, {1, 1, 0}, {1, 0, 1}}, {0}, algorithm), "accepted");
    EXPECT_EQ(refusal({{0, 1, -1}, {1, 0, 0}}, {0}, algorithm),
              "the cycle 0 -> 1 -> 0 has a negative length: there are no best paths");
  }
}

/// A long path to a cycle, and vertices that are improved many times. The search for the cycle must neither wait for
/// the bound of n passes nor overflow.
TEST(NegativeCycles, OfTheLargestLengthsAreFoundBeforeSumsOverflow) {
  constexpr std::uint32_t n = 300;
  const auto most = max_length<std::int32_t>(n);
  std::vector<Edge<std::int32_t>> edges;
  for (std::uint32_t i = 0; i < n; ++i) edges.push_back({i, (i + 1) % n, i % 2 == 0 ? -most : most - 1});
  for (const std::string algorithm : {"bellman-ford", "johnson"}) {
    EXPECT_THROW(static_cast<void>(from_sources(SparseGraph<std::int32_t>(n, edges), {0}, test::by(algorithm))), Error);
  }
}

RC_GTEST_PROP(SearchesOfIntegers, AreThoseOfAllPairsOrRefuseWhatTheyRefuse, ()) {
  const auto n = *rc::gen::inRange<std::uint32_t>(1, 8);
  const auto vertex = rc::gen::inRange<std::uint32_t>(0, n);
  const auto edges = *rc::gen::container<std::vector<Edge<std::int32_t>>>(
      rc::gen::construct<Edge<std::int32_t>>(vertex, vertex, rc::gen::inRange(-3, 9)));
  const SparseGraph<std::int32_t> graph(n, edges);
  const auto solved = [&](const std::string& algorithm) -> std::optional<Matrix<std::int32_t>> {
    try {
      return all_pairs(graph, test::by(algorithm)).solution.lengths;
    } catch (const Error& error) {
      RC_ASSERT(error.kind() == ErrorKind::infeasible);
      return std::nullopt;
    }
  };
  const auto expected = solved("reference");
  for (const char* algorithm : any_lengths) RC_ASSERT(solved(algorithm) == expected);
}

TEST(SearchesOfAllPairs, RunWhereTheyAreEstimatedAsQuicker) {
  std::vector<Edge<std::int32_t>> path;
  for (std::uint32_t i = 0; i + 1 < 3000; ++i) path.push_back({i, i + 1, 1});
  const auto ran = [&](std::uint32_t n, std::int32_t length) {
    path[0].length = length;
    const SparseGraph<std::int32_t> graph(n, std::span(path).first(n - 1));
    return all_pairs(graph, {}, {.successors = false}).report.algorithm;
  };
  EXPECT_EQ(ran(100, 1), "blocked");
  EXPECT_EQ(ran(3000, 1), "dijkstra");
  EXPECT_EQ(ran(3000, -1), "johnson");
}

}  // namespace
}  // namespace warpfold::paths::searches
