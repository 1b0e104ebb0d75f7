#include "warpfold/paths/k_shortest.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "warpfold/core/error.hpp"

/// Compares the k shortest simple paths with all simple paths.
namespace warpfold::paths::k_shortest {
namespace {

using Path = RankedPath<std::int32_t>;
using Graph = std::vector<Edge<std::int32_t>>;

std::vector<Path> found_by_yen(std::uint32_t n, const Graph& edges, std::uint32_t from, std::uint32_t to,
                               std::size_t k) {
  return k_shortest_paths(SparseGraph<std::int32_t>(n, edges), from, to, k).solution;
}

/// Every simple path, in the promised order.
class AllPaths {
 public:
  AllPaths(std::uint32_t n, const Graph& edges) : n_(n) {
    for (const auto& [from, to, length] : edges) {
      const auto [at, is_new] = best_.try_emplace({from, to}, length);
      if (!is_new) at->second = std::min(at->second, length);
    }
  }

  std::vector<Path> between(std::uint32_t from, std::uint32_t to) {
    found_.clear();
    extend({0, {from}}, to);
    std::sort(found_.begin(), found_.end(), [](const Path& a, const Path& b) {
      return std::tuple(a.length, a.vertices.size(), a.vertices) < std::tuple(b.length, b.vertices.size(), b.vertices);
    });
    return found_;
  }

 private:
  void extend(const Path& path, std::uint32_t to) {
    if (path.vertices.back() == to) return found_.push_back(path);
    for (std::uint32_t next = 0; next < n_; ++next) {
      const auto edge = best_.find({path.vertices.back(), next});
      const bool is_there = std::find(path.vertices.begin(), path.vertices.end(), next) != path.vertices.end();
      if (edge == best_.end() || is_there) continue;
      Path longer = path;
      longer.length += edge->second;
      longer.vertices.push_back(next);
      extend(longer, to);
    }
  }

  std::uint32_t n_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::int32_t> best_;
  std::vector<Path> found_;
};

TEST(KShortestPaths, AreOrderedByLengthThenEdgesThenVertices) {
  const Graph edges = {{0, 3, 4}, {0, 2, 1}, {2, 3, 3}, {0, 1, 2}, {1, 3, 2}, {2, 1, 0}, {1, 2, 9}};
  EXPECT_EQ(found_by_yen(4, edges, 0, 3, 9),
            (std::vector<Path>{{3, {0, 2, 1, 3}}, {4, {0, 3}}, {4, {0, 1, 3}}, {4, {0, 2, 3}}, {14, {0, 1, 2, 3}}}));
  EXPECT_EQ(found_by_yen(4, edges, 0, 3, 2).size(), 2);
}

TEST(KShortestPaths, AreFewerWhereThereAreNoMore) {
  EXPECT_TRUE(found_by_yen(3, {{0, 1, 1}}, 0, 2, 5).empty());
  EXPECT_EQ(found_by_yen(3, {{0, 1, 1}, {1, 0, 1}}, 0, 0, 5), (std::vector<Path>{{0, {0}}}));
  EXPECT_EQ(found_by_yen(2, {{0, 1, 7}, {0, 1, 5}, {1, 1, 0}}, 0, 1, 5), (std::vector<Path>{{5, {0, 1}}}));
}

RC_GTEST_PROP(KShortestPaths, AreTheFirstOfAllSimplePaths, ()) {
  const auto n = *rc::gen::inRange<std::uint32_t>(1, 7);
  const auto vertex = rc::gen::inRange<std::uint32_t>(0, n);
  const auto edges =
      *rc::gen::container<Graph>(rc::gen::construct<Edge<std::int32_t>>(vertex, vertex, rc::gen::inRange(0, 4)));
  const std::uint32_t from = *vertex, to = *vertex;
  const auto k = *rc::gen::inRange<std::size_t>(1, 30);
  std::vector<Path> expected = AllPaths(n, edges).between(from, to);
  expected.resize(std::min(expected.size(), k));
  RC_ASSERT(found_by_yen(n, edges, from, to, k) == expected);
}

TEST(KShortestPaths, RefuseNegativeLengthsAndNoPaths) {
  const auto refusal = [](const Graph& edges, std::size_t k, const Request& request = {}) -> std::string {
    try {
      static_cast<void>(k_shortest_paths(SparseGraph<std::int32_t>(2, edges), 0, 1, k, {}, request));
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal({{0, 1, -1}}, 1), "the length from 0 to 1 is -1: 0 or more is accepted for k paths");
  EXPECT_EQ(refusal({{0, 1, 1}}, 0), "k is 0: 1 or more is accepted");
  EXPECT_EQ(refusal({{0, 1, 1}}, 1, {Semiring::max_min}), "max-min has no k paths: min-plus is accepted");
}

}  // namespace
}  // namespace warpfold::paths::k_shortest
