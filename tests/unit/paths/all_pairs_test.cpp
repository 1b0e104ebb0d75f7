#include "warpfold/paths/all_pairs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/listed.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/paths/verify.hpp"

namespace warpfold::paths {
namespace {

constexpr std::int64_t none = infinity<std::int64_t>;

/// Four towns in a ring, a bypass, and a town without a way back.
Matrix<std::int64_t> towns() {
  Matrix<std::int64_t> edges(5, 5, none);
  edges(0, 1) = 3;
  edges(1, 2) = 4;
  edges(2, 3) = 1;
  edges(3, 0) = 2;
  edges(0, 2) = 8;
  edges(1, 4) = 1;
  return edges;
}

template <class T>
std::string refusal(const Matrix<T>& edges, const Request& request = {}) {
  try {
    (void)all_pairs(edges, {}, request);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(AllPairs, FindsTheShortestPathsOfASmallGraph) {
  const auto [paths, report] = all_pairs(towns());
  EXPECT_EQ(report.algorithm, "blocked");
  EXPECT_EQ(paths.lengths(0, 2), 7);
  EXPECT_EQ(paths.path(0, 2), (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(paths.lengths(2, 4), 7);
  EXPECT_EQ(paths.path(2, 4), (std::vector<std::uint32_t>{2, 3, 0, 1, 4}));
  EXPECT_EQ(paths.lengths(3, 3), 0);
  EXPECT_EQ(paths.path(3, 3), (std::vector<std::uint32_t>{3}));
  EXPECT_EQ(paths.lengths(4, 0), none);
  EXPECT_EQ(paths.successors(4, 0), no_vertex);
  EXPECT_TRUE(paths.path(4, 0).empty());
}

TEST(AllPairs, RefuseLengthsBeyondInfinity) {
  Matrix<std::int32_t> edges(2, 2, infinity<std::int32_t>);
  EXPECT_EQ(refusal(edges), "accepted");
  edges(0, 1) = infinity<std::int32_t> + 5;
  EXPECT_EQ(refusal(edges), "the edge (0, 1) is 1073741828: a finite length, or 1073741823 for no edge, is accepted");
  edges(0, 1) = -infinity<std::int32_t> - 5;
  EXPECT_NE(refusal(edges, {Semiring::max_plus}), "accepted");
}

TEST(AllPairs, OfNoVertexAndOfOneAreTheirOwn) {
  EXPECT_EQ(all_pairs(Matrix<float>()).solution.lengths.rows(), 0u);
  const auto one = all_pairs(Matrix<float>(1, 1, 5.0F)).solution;
  EXPECT_EQ(one.lengths(0, 0), 0.0F);
  EXPECT_EQ(one.path(0, 0), (std::vector<std::uint32_t>{0}));
}

TEST(AllPairs, KnowsTheWidestAndTheLeastLongestEdge) {
  Matrix<double> edges(3, 3, -infinity<double>);
  edges(0, 1) = 10;
  edges(1, 2) = 6;
  edges(0, 2) = 4;
  const auto widest = all_pairs(edges, {}, {Semiring::max_min}).solution;
  EXPECT_EQ(widest.lengths(0, 2), 6);
  EXPECT_EQ(widest.path(0, 2), (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(widest.lengths(2, 0), -infinity<double>);
  EXPECT_EQ(widest.lengths(1, 1), infinity<double>);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) edges(i, j) = edges(i, j) > 0 ? edges(i, j) : infinity<double>;
  }
  const auto bottleneck = all_pairs(edges, {}, {Semiring::min_max}).solution;
  EXPECT_EQ(bottleneck.lengths(0, 2), 4);
  EXPECT_EQ(bottleneck.path(0, 2), (std::vector<std::uint32_t>{0, 2}));
}

TEST(AllPairs, WithoutSuccessorsHasLengthsAlone) {
  const auto paths = all_pairs(towns(), {}, {Semiring::min_plus, false}).solution;
  EXPECT_EQ(paths.lengths(0, 2), 7);
  EXPECT_TRUE(paths.successors.empty());
  EXPECT_THROW((void)paths.path(0, 2), Error);
}

TEST(AllPairs, NamesTheCycleThatImprovesWithoutEnd) {
  Matrix<std::int64_t> edges = towns();
  edges(3, 0) = -9;
  EXPECT_EQ(refusal(edges), "the cycle 0 -> 1 -> 2 -> 3 -> 0 has a negative length: there are no best paths");
  edges = Matrix<std::int64_t>(3, 3, -none);
  edges(0, 0) = 1;
  EXPECT_EQ(refusal(edges, {Semiring::max_plus}), "the cycle 0 -> 0 has a positive length: there are no best paths");
}

TEST(AllPairs, RefusesWhatIsNoGraph) {
  EXPECT_EQ(refusal(Matrix<float>(2, 3)), "the edges are 2 x 3: a square matrix is accepted");
  Matrix<double> edges(2, 2, 1.0);
  edges(1, 0) = std::nan("");
  EXPECT_EQ(refusal(edges), "the edge (1, 0) is nan: a finite length, or inf for no edge, is accepted");
  edges(1, 0) = -infinity<double>;
  EXPECT_EQ(refusal(edges), "the edge (1, 0) is -inf: a finite length, or inf for no edge, is accepted");
  EXPECT_EQ(refusal(Matrix<double>(2, 2, 1.0), {Semiring::plus_times}),
            "plus-times has no best paths: " + listed(minplus::semiring_names(true)) + " is accepted");
}

TEST(AllPairs, RefusesLengthsWhoseSumsMayNotFit) {
  Matrix<std::int32_t> edges(1001, 1001, 1);
  edges(3, 4) = 268435;
  EXPECT_NO_THROW((void)all_pairs(edges, {}, {Semiring::min_plus, false}));
  edges(3, 4) = 268436;
  EXPECT_EQ(refusal(edges), "a length is 268436: up to 268435 are accepted for 1001 vertices in i32");
}

TEST(AllPairs, StopsWhenAsked) {
  std::stop_source source;
  source.request_stop();
  Options options;
  options.stop = source.get_token();
  try {
    (void)all_pairs(Matrix<float>(300, 300, 1.0F), options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
}

TEST(PathsVerify, FindsEveryWrongEntry) {
  const Matrix<std::int64_t> edges = towns();
  const auto right = all_pairs(edges).solution;
  EXPECT_TRUE(verify(edges, right).is_optimal);
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < 5; ++j) {
      for (const std::int64_t change : {-1, 1}) {
        auto wrong = right;
        wrong.lengths(i, j) += change;
        EXPECT_TRUE(verify(edges, wrong).violation) << i << ", " << j << ", " << change;
      }
      for (std::uint32_t next = 0; next < 6; ++next) {
        auto wrong = right;
        wrong.successors(i, j) = next == 5 ? no_vertex : next;
        if (wrong.successors == right.successors) continue;
        EXPECT_TRUE(verify(edges, wrong).violation) << i << ", " << j << ": " << next;
      }
    }
  }
}

template <class T>
std::string violation_without_successors(T length, Semiring semiring) {
  Matrix<T> edges(3, 3, semiring.zero<T>());
  edges(0, 1) = edges(1, 2) = T{1};
  auto paths = all_pairs(edges, {}, {semiring, false}).solution;
  EXPECT_FALSE(verify(edges, paths, {}, {semiring}).violation) << to_string(semiring);
  paths.lengths(0, 1) = length;
  return verify(edges, paths, {}, {semiring}).violation.value_or("none");
}

TEST(PathsVerify, FindsWhatIsNoLength) {
  EXPECT_EQ(violation_without_successors(-infinity<double>, Semiring::min_plus),
            "the length from 0 to 1 is -inf: neither that of a path nor inf for none");
  EXPECT_EQ(violation_without_successors(infinity<float>, Semiring::max_plus),
            "the length from 0 to 1 is inf: neither that of a path nor -inf for none");
  EXPECT_EQ(violation_without_successors(-infinity<std::int32_t> - 1, Semiring::min_max),
            "the length from 0 to 1 is -1073741824: neither that of a path nor 1073741823 for none");
  EXPECT_EQ(violation_without_successors(infinity<std::int32_t> + 1, Semiring::min_plus),
            "the length from 0 to 1 is 1073741824: neither that of a path nor 1073741823 for none");
  EXPECT_EQ(violation_without_successors(std::nan(""), Semiring::max_min),
            "the length from 0 to 1 is nan: neither that of a path nor -inf for none");
}

/// The ring of towns as a list, with a second edge from 1 to 2.
SparseGraph<std::int64_t> roads() {
  const std::vector<Edge<std::int64_t>> edges = {{0, 1, 3}, {1, 2, 6}, {1, 2, 4}, {2, 3, 1},
                                                 {3, 0, 2}, {0, 2, 8}, {1, 4, 1}, {4, 0, none}};
  return {5, edges};
}

TEST(PathsVerify, FindsEveryWrongEntryOfPathsFromSources) {
  const auto right = from_sources(roads(), {0, 4, 2}).solution;
  EXPECT_TRUE(verify(roads(), right).is_optimal);
  for (std::size_t s = 0; s < 3; ++s) {
    for (std::size_t j = 0; j < 5; ++j) {
      for (const std::int64_t change : {-1, 1}) {
        auto wrong = right;
        wrong.lengths(s, j) += change;
        EXPECT_TRUE(verify(roads(), wrong).violation) << s << ", " << j << ", " << change;
      }
      for (std::uint32_t before = 0; before < 6; ++before) {
        auto wrong = right;
        wrong.predecessors(s, j) = before == 5 ? no_vertex : before;
        if (wrong.predecessors == right.predecessors) continue;
        EXPECT_TRUE(verify(roads(), wrong).violation) << s << ", " << j << ": " << before;
      }
    }
  }
}

std::string violation_where_before(std::uint32_t vertex, std::uint32_t before) {
  auto paths = from_sources(roads(), {0}).solution;
  paths.predecessors(0, vertex) = before;
  return verify(roads(), paths).violation.value_or("none");
}

TEST(PathsVerify, SaysWhichPredecessorIsWrong) {
  EXPECT_EQ(violation_where_before(0, 1), "the predecessor of 0 on the way from itself is not 0");
  EXPECT_EQ(violation_where_before(3, 1), "the predecessor of 3 on the way from 0 is 1, from which there is no edge");
  EXPECT_EQ(violation_where_before(3, 9), "the predecessor of 3 on the way from 0 is 9, from which there is no edge");
  EXPECT_EQ(violation_where_before(2, 0), "the length from 0 to 2 is 7, its path's is 8");
  EXPECT_EQ(violation_where_before(1, no_vertex), "there is no path from 0 to 1, and a length of 3");
  EXPECT_EQ(violation_where_before(0, 3), "the predecessor of 0 on the way from itself is not 0");
}

TEST(PathsVerify, TakesPathsThatAreNoneForNone) {
  const auto four = from_sources(roads(), {4}).solution;
  EXPECT_EQ(four.lengths(0, 0), none);
  EXPECT_TRUE(verify(roads(), four).is_optimal);
  EXPECT_TRUE(verify(roads(), from_sources(roads(), {}).solution).is_optimal);
  auto wrong = from_sources(roads(), {0}).solution;
  wrong.sources = {5};
  EXPECT_THROW((void)verify(roads(), wrong), Error);
  wrong.sources = {0, 1};
  EXPECT_THROW((void)verify(roads(), wrong), Error);
}

/// Edges of length 0 in a ring. No edge connects it with 2.
TEST(PathsVerify, FindsPathsThatTurnInACycle) {
  const std::vector<Edge<std::int32_t>> list = {{0, 1, 0}, {1, 0, 0}};
  Matrix<std::int32_t> edges(3, 3, infinity<std::int32_t>);
  for (const auto& [from, to, length] : list) edges(from, to) = length;
  auto all = all_pairs(edges).solution;
  all.lengths(0, 2) = all.lengths(1, 2) = 0;
  all.successors(0, 2) = 1;
  all.successors(1, 2) = 0;
  EXPECT_EQ(verify(edges, all).violation, "the successors from 0 to 2 form a cycle");
  const SparseGraph<std::int32_t> graph(3, list);
  auto found = from_sources(graph, {2}).solution;
  found.lengths(0, 0) = found.lengths(0, 1) = 0;
  found.predecessors(0, 0) = 1;
  found.predecessors(0, 1) = 0;
  EXPECT_EQ(verify(graph, found).violation, "the predecessors from 2 to 0 form a cycle");
}

TEST(PathsVerify, TakesNoDetourOfFractionsForRounding) {
  const std::vector<Edge<double>> list = {{0, 1, 1}, {1, 2, 1}, {0, 2, 2.25}};
  Matrix<double> edges(3, 3, infinity<double>);
  for (const auto& [from, to, length] : list) edges(from, to) = length;
  const SparseGraph<double> graph(3, list);
  auto all = all_pairs(edges).solution;
  auto found = from_sources(graph, {0}).solution;
  EXPECT_EQ(verify(edges, all).violation, std::nullopt);
  EXPECT_EQ(verify(graph, found).violation, std::nullopt);
  all.lengths(0, 2) = found.lengths(0, 2) = 2.25;
  all.successors(0, 2) = 2;
  found.predecessors(0, 2) = 0;
  EXPECT_EQ(verify(edges, all).violation, "the length from 0 to 2 is 2.25, by way of 1 it is 2");
  EXPECT_EQ(verify(graph, found).violation, "the length from 0 to 2 is 2.25, by way of 1 it is 2");
}

TEST(PathsVerify, TakesNoInfinityForTheLengthOfAPath) {
  constexpr double endless = infinity<double>;
  const std::vector<Edge<double>> list = {{0, 1, 1}};
  const std::vector<std::uint32_t> step = {0, 1}, vertex = {0};
  for (const Semiring semiring : {Semiring::min_plus, Semiring::max_plus}) {
    const SparseGraph<double> graph(2, list);
    EXPECT_FALSE(verify_path<double>(graph, step, 1, {semiring}).violation);
    for (const double said : {endless, -endless, std::nan(""), std::numeric_limits<double>::max()}) {
      EXPECT_TRUE(verify_path<double>(graph, step, said, {semiring}).violation) << said;
      EXPECT_TRUE(verify_path<double>(graph, vertex, said, {semiring}).violation) << said;
    }
    auto found = from_sources(graph, {0}, {}, {semiring}).solution;
    found.lengths(0, 1) = semiring.zero<double>();
    EXPECT_FALSE(verify(graph, found, {}, {semiring}).is_feasible);
  }
}

/// Sums that the type does not hold would be limited to infinity - 1.
TEST(PathsVerify, RefusesGraphsThatTheSolverDoesNot) {
  Matrix<std::int32_t> edges(3, 3, infinity<std::int32_t>);
  edges(0, 1) = edges(1, 2) = 1'000'000'000;
  AllPairs<std::int32_t> paths{edges, Matrix<std::uint32_t>(3, 3, no_vertex)};
  for (std::uint32_t i = 0; i < 3; ++i) paths.lengths(i, i) = 0, paths.successors(i, i) = i;
  paths.successors(0, 1) = paths.successors(0, 2) = 1;
  paths.successors(1, 2) = 2;
  paths.lengths(0, 2) = infinity<std::int32_t> - 1;
  EXPECT_EQ(refusal(edges), "a length is 1000000000: up to 134217727 are accepted for 3 vertices in i32");
  EXPECT_THROW((void)verify(edges, paths), Error);
  const std::vector<Edge<std::int32_t>> list = {{0, 1, 1'000'000'000}, {1, 2, 1'000'000'000}};
  const SparseGraph<std::int32_t> graph(3, list);
  PathsFrom<std::int32_t> found{{0}, Matrix<std::int32_t>(1, 3), Matrix<std::uint32_t>(1, 3)};
  EXPECT_THROW((void)verify(graph, found), Error);
  EXPECT_THROW((void)verify_path<std::int32_t>(graph, std::vector<std::uint32_t>{0, 1, 2}, infinity<std::int32_t> - 1),
               Error);
}

TEST(PathsVerify, HoldsOnePathAgainstItsLength) {
  const auto violation = [](const std::vector<std::uint32_t>& path, std::int64_t length) {
    return verify_path(roads(), path, length).violation.value_or("none");
  };
  EXPECT_EQ(violation({0, 1, 2, 3}, 8), "none");
  EXPECT_EQ(violation({0, 2}, 8), "none");  // not the best one
  EXPECT_EQ(violation({3}, 0), "none");
  EXPECT_EQ(violation({}, none), "none");
  EXPECT_EQ(violation({}, 0), "there is no path, and a length of 0");
  EXPECT_EQ(violation({0, 1, 2, 3}, 10), "the length is 10, the path's is 8");
  EXPECT_EQ(violation({0, 1, 3}, 8), "the path leads from 1 to 3: there is no edge");
  EXPECT_EQ(violation({1, 4, 0}, 8), "the path leads from 4 to 0: there is no edge");
  EXPECT_EQ(violation({0, 1, 2, 3, 0, 1}, 13), "the path passes 0 twice");
  EXPECT_THROW((void)violation({0, 5}, 8), Error);
}

TEST(PathsVerify, SaysWhatItDidNotCheck) {
  const auto lengths = all_pairs(towns(), {}, {Semiring::min_plus, false}).solution;
  const Verdict verdict = verify(towns(), lengths);
  EXPECT_FALSE(verdict.violation);
  EXPECT_FALSE(verdict.is_complete());
}

}  // namespace
}  // namespace warpfold::paths
