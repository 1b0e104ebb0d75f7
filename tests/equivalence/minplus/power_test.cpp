#include "warpfold/minplus/power.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
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

TEST(Power, RefusesEntriesThatAreNotAccepted) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), -infinity<double>}) {
    for (const std::size_t place : {0, 1}) {  // on the diagonal and beside it
      std::vector<double> a(4, 1), result(4);
      a[place] = bad;
      for (const std::uint64_t k : {0, 1, 2}) {
        try {
          power<double>(Semiring::min_plus, {a.data(), 2, 2, 2}, k, {result.data(), 2, 2, 2});
          FAIL() << "nothing was raised for power " << k;
        } catch (const Error& error) {
          EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
        }
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
    EXPECT_EQ(error.kind(), ErrorKind::overflow);
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
