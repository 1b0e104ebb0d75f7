#include "warpfold/paths/update.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "graphs.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/paths/verify.hpp"

/// Compares updated paths with those of a new solve.
namespace warpfold::paths {
namespace {

template <class T>
Matrix<T> first_of(const Matrix<T>& edges, std::size_t n) {
  Matrix<T> few(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) few(i, j) = edges(i, j);
  }
  return few;
}

template <class T>
void expect_as_new(const Matrix<T>& edges, const AllPairs<T>& paths, Semiring semiring) {
  const Request request{semiring, !paths.successors.empty()};
  EXPECT_EQ(paths.lengths, all_pairs(edges, {}, request).solution.lengths) << to_string(semiring);
  EXPECT_EQ(verify(edges, paths, {}, request).violation, std::nullopt) << to_string(semiring);
}

/// Adds edges in an order that is independent of the vertices.
template <class T>
void expect_edges_added_one_by_one(std::size_t n, Semiring semiring, bool successors, std::uint64_t seed) {
  const Matrix<T> all = test::drawn_graph<T>(n, semiring, 0.3, seed);
  Matrix<T> edges(n, n, semiring.zero<T>());
  const Request request{semiring, successors};
  AllPairs<T> paths = all_pairs(edges, {}, request).solution;
  std::mt19937_64 random(seed);
  for (std::size_t step = 0; step < 3 * n; ++step) {
    const std::size_t i = random() % n, j = random() % n;
    edges(i, j) = all(i, j);
    add_edge(paths, i, j, all(i, j), request);
    if (step % 8 == 0 || step + 1 == 3 * n) expect_as_new(edges, paths, semiring);
  }
}

TEST(AddEdge, LeavesThePathsOfANewSolve) {
  for (const Semiring semiring : test::choosing_semirings) {
    for (const std::size_t n : {1, 2, 7, 30}) {
      expect_edges_added_one_by_one<std::int32_t>(n, semiring, true, n);
      expect_edges_added_one_by_one<std::int64_t>(n, semiring, false, n);
    }
  }
  expect_edges_added_one_by_one<double>(20, Semiring::max_min, true, 1);
}

TEST(AddVertex, LeavesThePathsOfANewSolve) {
  for (const Semiring semiring : test::choosing_semirings) {
    for (const bool successors : {true, false}) {
      const auto edges = test::drawn_graph<std::int32_t>(25, semiring, 0.2, 3);
      const Request request{semiring, successors};
      AllPairs<std::int32_t> paths = all_pairs(first_of(edges, 1), {}, request).solution;
      for (std::size_t n = 1; n < 25; ++n) {
        std::vector<std::int32_t> to(n), from(n);
        for (std::size_t k = 0; k < n; ++k) to[k] = edges(k, n), from[k] = edges(n, k);
        add_vertex(paths, to, from, request);
        expect_as_new(first_of(edges, n + 1), paths, semiring);
      }
    }
  }
}

TEST(AddVertex, ToNoneMakesOneThatReachesItself) {
  AllPairs<float> paths;
  add_vertex(paths, {}, {});
  EXPECT_EQ(paths.lengths(0, 0), 0);
  EXPECT_EQ(paths.path(0, 0), (std::vector<std::uint32_t>{0}));
}

RC_GTEST_PROP(UpdatedPaths, AreThoseOfANewSolve, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(2, 14);
  const Semiring semiring = *rc::gen::elementOf(
      std::vector<Semiring>(std::begin(test::choosing_semirings), std::end(test::choosing_semirings)));
  const auto all = test::drawn_graph<std::int32_t>(n, semiring, 0.5, *rc::gen::arbitrary<std::uint64_t>());
  Matrix<std::int32_t> edges(n, n, semiring.zero<std::int32_t>());
  const Request request{semiring};
  auto paths = all_pairs(edges, {}, request).solution;
  for (int step = 0; step < 20; ++step) {
    const auto i = *rc::gen::inRange<std::size_t>(0, n), j = *rc::gen::inRange<std::size_t>(0, n);
    edges(i, j) = all(i, j);
    add_edge(paths, i, j, all(i, j), request);
    RC_ASSERT(paths.lengths == all_pairs(edges, {}, request).solution.lengths);
    RC_ASSERT(!verify(edges, paths, {}, request).violation);
  }
}

// In f32 and with rounded lengths, only the verifier's tolerance is promised.
TEST(UpdatedFloats, AreRightToRounding) {
  const std::size_t n = 60;
  const Matrix<float> all = test::drawn_graph<float>(n, {}, 0.2, 5);
  Matrix<float> edges(n, n, infinity<float>);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) edges(i, j) = all(i, j) < 0 ? -all(i, j) : all(i, j);
  }
  auto paths = all_pairs(edges).solution;
  std::mt19937_64 random(2);
  for (int step = 0; step < 200; ++step) {
    const std::size_t i = random() % n, j = random() % n;
    const auto length = static_cast<float>(random() % 1000) / 300;
    edges(i, j) = std::min(edges(i, j), length);
    add_edge(paths, i, j, length);
  }
  EXPECT_EQ(verify(edges, paths).violation, std::nullopt);
}

TEST(UpdatedPaths, AreRefusedOfTablesOfOtherShapes) {
  const AllPairs<float> right = all_pairs(Matrix<float>(3, 3, 1)).solution;
  const std::vector<float> ends(3, 1);
  for (const auto& [columns, successors] : {std::pair{2, 3}, {3, 2}}) {
    AllPairs<float> wrong{Matrix<float>(3, static_cast<std::size_t>(columns)),
                          Matrix<std::uint32_t>(static_cast<std::size_t>(successors), 3)};
    EXPECT_THROW(add_edge(wrong, 0, 1, 1.0F), Error);
    EXPECT_THROW(add_vertex<float>(wrong, ends, ends), Error);
    EXPECT_THROW((void)from_sources(wrong, {0}), Error);
  }
  AllPairs<float> moved = right;
  const AllPairs<float> taken = std::move(moved);
  EXPECT_EQ(taken.lengths, right.lengths);
  EXPECT_THROW(add_edge(moved, 0, 1, 1.0F), Error);  // NOLINT: that is the question
}

TEST(UpdatedPaths, AreAsTheyWereWhereTheChangeIsRefused) {
  Matrix<std::int32_t> edges(3, 3, infinity<std::int32_t>);
  edges(0, 1) = 3;
  edges(1, 2) = 4;
  const auto paths = all_pairs(edges).solution;
  const auto refusal = [&](const auto& change) -> std::string {
    auto changed = paths;
    std::string line = "accepted";
    try {
      change(changed);
    } catch (const Error& error) {
      line = error.what();
      EXPECT_EQ(changed.lengths, paths.lengths);
      EXPECT_EQ(changed.successors, paths.successors);
    }
    return line;
  };
  EXPECT_EQ(refusal([](auto& p) { add_edge(p, 2, 0, -7); }), "accepted");
  EXPECT_EQ(refusal([](auto& p) { add_edge(p, 2, 0, -8); }),
            "the cycle 2 -> 0 -> 1 -> 2 has a negative length: there are no best paths");
  EXPECT_EQ(refusal([](auto& p) { add_edge(p, 1, 1, -1); }),
            "the cycle 1 -> 1 has a negative length: there are no best paths");
  EXPECT_EQ(refusal([](auto& p) { add_edge(p, 3, 0, 1); }), "an edge leads from 3 to 0: vertices below 3 are accepted");
  EXPECT_EQ(refusal([](auto& p) { add_edge(p, 0, 2, 134217728); }),
            "a length is 134217728: up to 134217727 are accepted for 3 vertices in i32");
  EXPECT_EQ(refusal([](auto& p) { add_edge(p, 1, 2, 1, {Semiring::or_and}); }),
            "or-and does not take i32: u8 is accepted");
  constexpr std::int32_t none = infinity<std::int32_t>;
  const std::vector<std::int32_t> to = {none, none, -9}, from = {1, none, none}, two = {1, 1};
  EXPECT_EQ(refusal([&](auto& p) { add_vertex(p, to, from); }),
            "the cycle 3 -> 0 -> 1 -> 2 -> 3 has a negative length: there are no best paths");
  EXPECT_EQ(refusal([&](auto& p) { add_vertex(p, two, from); }),
            "2 edges to a vertex and 3 from it: 3 of each are accepted");
}

}  // namespace
}  // namespace warpfold::paths
