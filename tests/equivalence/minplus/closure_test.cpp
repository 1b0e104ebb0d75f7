#include "warpfold/minplus/closure.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "equivalence/minplus/in_place.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::minplus {
namespace {

template <class T>
struct Graph {
  std::size_t n;
  std::vector<T> edges;

  T& operator()(std::size_t i, std::size_t j) { return edges[i * n + j]; }
  T operator()(std::size_t i, std::size_t j) const { return edges[i * n + j]; }
  MatrixView<T> view() { return {edges.data(), n, n, n}; }
};

template <class T>
Graph<T> without_edges(Semiring semiring, std::size_t n) {
  return {n, std::vector<T>(n * n, semiring.zero<T>())};
}

/// Edges go from low potential to high, so that some are negative and no cycle is; vertices of different remainders
/// modulo `parts` do not meet.
template <class T>
Graph<T> random_graph(std::size_t n, std::size_t parts, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  Graph<T> graph = without_edges<T>(Semiring::min_plus, n);
  std::vector<int> potential(n);
  for (int& x : potential) x = static_cast<int>(generator() % 100);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const bool there = generator() % 5 == 0 && i % parts == j % parts;
      if (there) graph(i, j) = static_cast<T>(static_cast<int>(generator() % 50) + potential[j] - potential[i]);
    }
  }
  return graph;
}

/// Floyd and Warshall's three loops over any semiring that chooses.
template <class T>
Graph<T> floyd_warshall(Semiring semiring, Graph<T> graph) {
  const auto plus = [&](T x, T y) { return semiring.takes_least() ? std::min(x, y) : std::max(x, y); };
  const auto times = [&](T x, T y) {
    if (x == semiring.zero<T>() || y == semiring.zero<T>()) return semiring.zero<T>();
    if (semiring.adds()) return static_cast<T>(x + y);
    return semiring.takes_least() ? std::max(x, y) : std::min(x, y);
  };
  for (std::size_t i = 0; i < graph.n; ++i) graph(i, i) = plus(graph(i, i), semiring.one<T>());
  for (std::size_t k = 0; k < graph.n; ++k) {
    for (std::size_t i = 0; i < graph.n; ++i) {
      for (std::size_t j = 0; j < graph.n; ++j) graph(i, j) = plus(graph(i, j), times(graph(i, k), graph(k, j)));
    }
  }
  return graph;
}

template <class T>
class Closure : public testing::Test {};
using Types = testing::Types<std::int16_t, std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(Closure, Types);

// Whole numbers, so that the order of additions does not matter to floats either.
TYPED_TEST(Closure, IsFloydAndWarshallsOnGraphsWithNegativeEdgesAndSeveralParts) {
  for (const std::size_t n : {0, 1, 2, 3, 10, 70, 131}) {
    for (const std::size_t parts : {1, 3}) {
      Graph<TypeParam> graph = random_graph<TypeParam>(n, parts, n + parts);
      Graph<TypeParam> result = without_edges<TypeParam>({}, n);
      closure(Semiring::min_plus, graph.view(), result.view());
      EXPECT_EQ(result.edges, floyd_warshall(Semiring::min_plus, graph).edges) << n << " vertices, " << parts;
      for (TypeParam& x : graph.edges) x = static_cast<TypeParam>(-x);
      closure(Semiring::max_plus, graph.view(), result.view());
      EXPECT_EQ(result.edges, floyd_warshall(Semiring::max_plus, graph).edges) << n << " vertices, " << parts;
    }
  }
}

TYPED_TEST(Closure, FindsTheBottlenecksBetweenAllPairs) {
  for (const auto kind : {Semiring::min_max, Semiring::max_min}) {
    Graph<TypeParam> graph = random_graph<TypeParam>(90, 2, 1);
    if (kind == Semiring::max_min) {
      for (TypeParam& x : graph.edges) x = static_cast<TypeParam>(-x);
    }
    Graph<TypeParam> result = without_edges<TypeParam>(kind, 90);
    closure(kind, graph.view(), result.view());
    EXPECT_EQ(result.edges, floyd_warshall(kind, graph).edges) << to_string(kind);
  }
}

TEST(ClosureOrAnd, FindsWhatCanBeReached) {
  Graph<std::uint8_t> graph = without_edges<std::uint8_t>(Semiring::or_and, 200);
  for (std::size_t i = 0; i + 1 < 200; ++i) graph(i, i + 1) = i != 99;  // two chains of 100
  Graph<std::uint8_t> result = graph;
  closure(Semiring::or_and, graph.view(), result.view());
  for (std::size_t i = 0; i < 200; ++i) {
    for (std::size_t j = 0; j < 200; ++j) EXPECT_EQ(result(i, j), i <= j && i / 100 == j / 100) << i << "-" << j;
  }
}

/// Whether a simple cycle through v improves, by trying every one: for tiny graphs.
bool on_negative_cycle(const Graph<std::int32_t>& graph, std::size_t start, std::size_t at, unsigned visited,
                       int length) {
  for (std::size_t next = 0; next < graph.n; ++next) {
    const std::int32_t edge = graph(at, next);
    if (edge == infinity<std::int32_t>) continue;
    if (next == start && length + edge < 0) return true;
    if (next == start || (visited >> next & 1) != 0) continue;
    if (on_negative_cycle(graph, start, next, visited | 1U << next, length + edge)) return true;
  }
  return false;
}

TEST(ClosureMinPlus, NamesAVertexOnANegativeCycleExactlyWhereThereIsOne) {
  std::mt19937_64 generator(1);
  int with = 0, without = 0;
  for (int graph_number = 0; graph_number < 500; ++graph_number) {
    const std::size_t n = 1 + generator() % 6;
    Graph<std::int32_t> graph = without_edges<std::int32_t>({}, n);
    for (std::int32_t& x : graph.edges) {
      if (generator() % 3 == 0) x = static_cast<std::int32_t>(generator() % 12) - 3;
    }
    Graph<std::int32_t> result = graph;
    bool expected = false;
    for (std::size_t v = 0; v < n; ++v) expected |= on_negative_cycle(graph, v, v, 1U << v, 0);
    std::optional<std::size_t> named;
    try {
      closure(Semiring::min_plus, graph.view(), result.view());
      ++without;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::infeasible);
      named = std::stoul(std::string(error.what()).substr(std::string("vertex ").size()));
      ++with;
    }
    ASSERT_EQ(named.has_value(), expected) << "graph " << graph_number;
    if (named) {
      EXPECT_TRUE(on_negative_cycle(graph, *named, *named, 1U << *named, 0)) << "graph " << graph_number;
    }
  }
  EXPECT_GT(with, 50);
  EXPECT_GT(without, 50);
}

TEST(ClosureMinPlus, FindsANegativeCycleThroughEveryVertex) {
  for (const std::size_t n : {2, 3, 64, 65}) {
    Graph<double> graph = without_edges<double>({}, n);
    for (std::size_t i = 0; i < n; ++i) graph(i, (i + 1) % n) = i == 0 ? -static_cast<double>(n) : 1;
    Graph<double> result = graph;
    EXPECT_THROW(closure(Semiring::min_plus, graph.view(), result.view()), Error) << n;
    graph(0, 1) += 1;  // the cycle is 0 now
    EXPECT_NO_THROW(closure(Semiring::min_plus, graph.view(), result.view())) << n;
  }
}

TEST(ClosureErrors, AreOneForEachCause) {
  Graph<std::uint64_t> counts = without_edges<std::uint64_t>(Semiring::plus_times, 2);
  EXPECT_THROW(closure(Semiring::plus_times, counts.view(), counts.view()), Error);
  std::vector<float> six(6);
  EXPECT_THROW(closure<float>(Semiring::min_plus, {six.data(), 2, 3, 3}, {six.data(), 2, 2, 2}), Error);
}

template <class T>
void expect_powers(Semiring semiring, std::size_t n, std::uint64_t most) {
  std::mt19937_64 generator(n);
  Graph<T> graph = without_edges<T>(semiring, n);
  for (T& x : graph.edges) {
    if (generator() % 3 == 0) x = static_cast<T>(semiring.kind == Semiring::or_and ? 1 : generator() % 3);
  }
  Graph<T> expected = without_edges<T>(semiring, n);
  for (std::size_t i = 0; i < n; ++i) expected(i, i) = semiring.one<T>();
  Options naive;
  naive.device.kind = Device::Kind::cpu;
  naive.algorithm = "reference";
  for (std::uint64_t k = 0; k <= most; ++k) {
    Graph<T> result = without_edges<T>(semiring, n);
    power(semiring, graph.view(), k, result.view());
    EXPECT_EQ(result.edges, expected.edges) << to_string(semiring) << ", power " << k;
    Graph<T> next = without_edges<T>(semiring, n);
    accumulate(semiring, expected.view(), graph.view(), next.view(), naive);
    expected = next;
  }
}

TEST(Power, IsTheProductRepeated) {
  expect_powers<std::int32_t>(Semiring::min_plus, 20, 17);
  expect_powers<double>(Semiring::max_plus, 20, 9);
  expect_powers<float>(Semiring::min_max, 20, 9);
  expect_powers<std::int64_t>(Semiring::max_min, 20, 9);
  expect_powers<std::uint8_t>(Semiring::or_and, 20, 9);
  expect_powers<std::uint64_t>(Semiring::plus_times, 6, 17);
  expect_powers<std::uint64_t>({Semiring::plus_times, 1000003}, 6, 17);
}

TEST(ClosureErrors, AreBadInputForEntriesThatAreNotAccepted) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), -infinity<double>}) {
    for (const std::size_t place : {0, 1}) {  // on the diagonal and beside it
      std::vector<double> a(4, 1), result(4);
      a[place] = bad;
      const MatrixView<const double> view{a.data(), 2, 2, 2};
      const auto expect_refused = [&](const char* what, const auto& run) {
        try {
          run();
          FAIL() << what << ": nothing was raised";
        } catch (const Error& error) {
          EXPECT_EQ(error.kind(), ErrorKind::input) << what << ": " << error.what();
        }
      };
      const MatrixView<double> to{result.data(), 2, 2, 2};
      expect_refused("closure", [&] { closure<double>(Semiring::min_plus, view, to); });
      for (const std::uint64_t k : {0, 1, 2}) {
        expect_refused("power", [&] { power<double>(Semiring::min_plus, view, k, to); });
      }
    }
  }
}

TEST(Power, RefusesForEveryExponentWhatMultiplyRefuses) {
  std::vector<std::int32_t> a(1), result(1);
  const auto run = [&](Semiring semiring, std::uint64_t k, const std::string& algorithm) {
    Options options;
    options.algorithm = algorithm;
    power<std::int32_t>(semiring, {a.data(), 1, 1, 1}, k, {result.data(), 1, 1, 1}, options);
  };
  for (const std::uint64_t k : {0, 1, 2}) {
    EXPECT_THROW(run(Semiring::or_and, k, ""), Error) << k;
    EXPECT_THROW(run({Semiring::min_plus, 7}, k, ""), Error) << k;
    EXPECT_THROW(run(Semiring::min_plus, k, "nope"), Error) << k;
    EXPECT_NO_THROW(run(Semiring::min_plus, k, "")) << k;
  }
}

TEST(Power, SaysWhichOneDoesNotFit) {
  std::vector<std::int16_t> a = {3000}, result = {0};
  power<std::int16_t>(Semiring::min_plus, {a.data(), 1, 1, 1}, 4, {result.data(), 1, 1, 1});
  EXPECT_EQ(result[0], 12000);
  try {
    power<std::int16_t>(Semiring::min_plus, {a.data(), 1, 1, 1}, 8, {result.data(), 1, 1, 1});
    FAIL() << "nothing was raised";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_NE(std::string(error.what()).find("in power 8: "), std::string::npos) << error.what();
  }
}

TEST(Power, OfMillionsOfEdgesTakesDozensOfProducts) {
  std::vector<std::int64_t> a = {7}, result = {0};
  power<std::int64_t>(Semiring::min_plus, {a.data(), 1, 1, 1}, 1'000'000'007, {result.data(), 1, 1, 1});
  EXPECT_EQ(result[0], 7'000'000'049);
}

}  // namespace
}  // namespace warpfold::minplus
