#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "needs_gpu.hpp"
#include "options.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/instruction_set.hpp"
#include "warpfold/minplus/multiply.hpp"
#include "warpfold/minplus/verify.hpp"
#include "warpfold/paths/closure.hpp"
#include "warpfold/paths/from_sources.hpp"
#include "warpfold/paths/verify.hpp"
#include "warpfold/run/devices.hpp"

/// The most reliable path. Every edge works with its own probability, independently of the others.
namespace warpfold::paths::most_reliable {
namespace {

const Request request{Semiring::max_times, true};

/// Probabilities whose products are rounded. Some are 1, and some edges are missing.
template <class T>
Matrix<T> drawn(std::size_t n, double density, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Matrix<T> edges(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (static_cast<double>(random() % 1000) >= 1000 * density) continue;
      edges(i, j) = random() % 8 == 0 ? T{1} : static_cast<T>(1 + random() % 997) / T{997};
    }
  }
  return edges;
}

/// Powers of 1/2, whose products are exact.
template <class T>
Matrix<T> drawn_exact(std::size_t n, double density, std::uint64_t seed) {
  Matrix<T> edges = drawn<T>(n, density, seed);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (edges(i, j) > T{0}) edges(i, j) = static_cast<T>(std::exp2(std::floor(std::log2(edges(i, j)))));
    }
  }
  return edges;
}

/// The largest product along any path from `at` to `to` through new vertices.
template <class T>
long double best_of_all_paths(const Matrix<T>& edges, std::size_t at, std::size_t to, std::vector<bool>& is_on) {
  if (at == to) return 1;
  long double best = 0;
  is_on[at] = true;
  for (std::size_t next = 0; next < edges.rows(); ++next) {
    if (is_on[next] || edges(at, next) == T{0}) continue;
    best = std::max(best, static_cast<long double>(edges(at, next)) * best_of_all_paths(edges, next, to, is_on));
  }
  is_on[at] = false;
  return best;
}

template <class T>
bool are_alike(long double a, long double b, std::size_t edges) {
  return std::abs(a - b) <= 2 * static_cast<long double>(edges) * std::numeric_limits<T>::epsilon() * b;
}

std::string words(const Verdict& verdict) { return verdict.violation.value_or("valid"); }

template <class Call>
std::string refusal(const Call& call) {
  try {
    static_cast<void>(call());
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

template <class T>
class MostReliable : public testing::Test {};
using FloatTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(MostReliable, FloatTypes);

TYPED_TEST(MostReliable, PathIsTheBestOfAllPathsInTinyGraphs) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const std::size_t n = 1 + seed % 7;
    const Matrix<TypeParam> edges = drawn<TypeParam>(n, 0.5, seed);
    const AllPairs<TypeParam> found = all_pairs(edges, {}, request).solution;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        std::vector<bool> is_on(n);
        const long double best = best_of_all_paths(edges, i, j, is_on);
        ASSERT_PRED3(are_alike<TypeParam>, found.lengths(i, j), best, n) << seed << ": " << i << " to " << j;
        const std::vector<std::uint32_t> path = found.path(i, j);
        ASSERT_EQ(path.empty(), best == 0);
        if (path.empty()) continue;
        long double walked = 1;
        for (std::size_t at = 1; at < path.size(); ++at) walked *= edges(path[at - 1], path[at]);
        ASSERT_PRED3(are_alike<TypeParam>, walked, best, n) << seed << ": " << i << " to " << j;
      }
    }
  }
}

TYPED_TEST(MostReliable, PathsHaveTheThreeLoopsBitsInEveryInstructionSet) {
  for (const std::size_t n : {0, 1, 2, 7, 63, 64, 65, 131, 200}) {
    const Matrix<TypeParam> edges = drawn<TypeParam>(n, n % 2 == 0 ? 0.5 : 0.05, n);
    const AllPairs<TypeParam> expected = all_pairs(edges, test::by("reference"), request).solution;
    EXPECT_EQ(words(verify(edges, expected, {}, request)), "valid") << n;
    for (const std::string& set : instruction_sets()) {
      force_instruction_set(set);
      const AllPairs<TypeParam> found = all_pairs(edges, test::by("blocked", 3), request).solution;
      EXPECT_EQ(found.lengths, expected.lengths) << n << ", " << set;
      EXPECT_EQ(found.successors, expected.successors) << n << ", " << set;
    }
    force_instruction_set("");
  }
}

TYPED_TEST(MostReliable, PathsFromSourcesAreThoseOfAllPairsUpToRounding) {
  for (const std::size_t n : {1, 2, 9, 40, 90}) {
    const Matrix<TypeParam> edges = drawn<TypeParam>(n, 0.1, n);
    const SparseGraph<TypeParam> graph = test::sparse(edges, request.semiring);
    const AllPairs<TypeParam> all = all_pairs(edges, {}, request).solution;
    for (const char* algorithm : {"dijkstra", "all-pairs"}) {
      const auto found = from_sources(graph, test::every_vertex(n), test::by(algorithm), request).solution;
      EXPECT_EQ(words(verify(graph, found, {}, request)), "valid") << n << ", " << algorithm;
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          ASSERT_PRED3(are_alike<TypeParam>, found.lengths(i, j), all.lengths(i, j), n) << algorithm;
        }
      }
    }
  }
}

TYPED_TEST(MostReliable, ClosureIsTheProductOfProductsWhereTheyAreExact) {
  for (const std::size_t n : {1, 2, 10, 70}) {
    const Matrix<TypeParam> edges = drawn_exact<TypeParam>(n, 0.1, n);
    Matrix<TypeParam> expected = edges;
    for (std::size_t i = 0; i < n; ++i) expected(i, i) = 1;
    for (std::size_t reach = 1; reach < n; reach *= 2) {
      expected = minplus::multiply(Semiring::max_times, expected, expected).solution.values;
    }
    EXPECT_EQ(closure(Semiring::max_times, edges).solution, expected) << n;
  }
}

TYPED_TEST(MostReliable, ClosureIsVerifiedUpToRoundingHoweverSmall) {
  Matrix<TypeParam> edges = drawn<TypeParam>(40, 0.1, 3);
  const auto tiny = static_cast<TypeParam>(1e-30);
  edges(0, 1) = edges(0, 2) = tiny;
  Matrix<TypeParam> closed = closure(Semiring::max_times, edges).solution;
  const auto verdict = [&] {
    return words(minplus::verify_closure<TypeParam>(Semiring::max_times, edges.view(), closed.view()));
  };
  EXPECT_EQ(verdict(), "valid");
  for (std::size_t j = 1; j < 40; ++j) {
    const TypeParam right = closed(0, j);
    closed(0, j) = right == 0 ? tiny : right * static_cast<TypeParam>(1.001);
    EXPECT_NE(verdict(), "valid") << j;
    closed(0, j) = right;
  }
}

TYPED_TEST(MostReliable, LengthThatIsNoPathsIsFound) {
  const Matrix<TypeParam> edges = drawn<TypeParam>(30, 0.2, 4);
  AllPairs<TypeParam> found = all_pairs(edges, {}, request).solution;
  ASSERT_GT(found.lengths(3, 8), 0);
  found.lengths(3, 8) *= static_cast<TypeParam>(0.999);
  EXPECT_NE(words(verify(edges, found, {}, request)), "valid");
  found.lengths(3, 8) = static_cast<TypeParam>(1.5);
  EXPECT_NE(words(verify(edges, found, {}, request)).find("neither that of a path nor 0"), std::string::npos);
}

TEST(MostReliableOfFloats, PathWhoseProductIsRoundedToZeroIsNone) {
  Matrix<float> edges(3, 3);
  edges(0, 1) = edges(1, 2) = 1e-30F;
  for (const char* algorithm : {"reference", "blocked"}) {
    const AllPairs<float> found = all_pairs(edges, test::by(algorithm), request).solution;
    EXPECT_EQ(found.lengths(0, 2), 0);
    EXPECT_TRUE(found.path(0, 2).empty());
    EXPECT_EQ(words(verify(edges, found, {}, request)), "valid");
  }
}

TYPED_TEST(MostReliable, EdgeOutsideZeroToOneIsRefusedWithItsPlace) {
  Matrix<TypeParam> edges(2, 2, 1);
  const auto of_edge = [&](TypeParam x) {
    edges(1, 0) = x;
    return refusal([&] { return all_pairs(edges, {}, request); });
  };
  const std::string accepted = ": a number above 0 and up to 1, or 0 for no edge, is accepted";
  EXPECT_EQ(of_edge(static_cast<TypeParam>(1.5)), "the edge (1, 0) is 1.5" + accepted);
  EXPECT_EQ(of_edge(static_cast<TypeParam>(-0.25)), "the edge (1, 0) is -0.25" + accepted);
  EXPECT_EQ(of_edge(infinity<TypeParam>), "the edge (1, 0) is inf" + accepted);
  EXPECT_EQ(of_edge(std::nan("")), "the edge (1, 0) is nan" + accepted);
  EXPECT_EQ(of_edge(0), "accepted");
}

TYPED_TEST(MostReliable, FactorOutsideZeroToOneIsRefusedWithItsPlace) {
  const Matrix<TypeParam> ones(2, 2, 1);
  Matrix<TypeParam> factor = ones;
  const std::string accepted = ": " + std::string(dtype_name<TypeParam>()) + " from 0 to 1 are accepted";
  for (const double x : {1.5, -0.25, std::nan("")}) {
    factor(0, 1) = static_cast<TypeParam>(x);
    const std::string number = x > 0 ? "1.5" : x < 0 ? "-0.25" : "nan";
    EXPECT_EQ(refusal([&] { return minplus::multiply(Semiring::max_times, factor, ones); }),
              "A(0, 1) is " + number + accepted);
    EXPECT_EQ(refusal([&] { return minplus::multiply(Semiring::max_times, ones, factor); }),
              "B(0, 1) is " + number + accepted);
  }
}

TEST(MostReliableErrors, IntegersAreRefused) {
  const Matrix<std::int32_t> ones(2, 2, 1);
  const std::string expected = "max-times does not take i32: f32 or f64 is accepted";
  EXPECT_EQ(refusal([&] { return minplus::multiply(Semiring::max_times, ones, ones); }), expected);
  EXPECT_EQ(refusal([&] { return all_pairs(ones, {}, request); }), expected);
}

TYPED_TEST(MostReliable, ProductIsVerifiedBitByBit) {
  const Matrix<TypeParam> a = drawn<TypeParam>(33, 0.5, 1), b = drawn<TypeParam>(33, 0.5, 2);
  auto product = minplus::multiply(Semiring::max_times, a, b, {}, true).solution;
  EXPECT_EQ(words(minplus::verify<TypeParam>(Semiring::max_times, a.view(), b.view(), product)), "valid");
  product.values(4, 5) = std::nextafter(product.values(4, 5), TypeParam{2});
  EXPECT_NE(words(minplus::verify<TypeParam>(Semiring::max_times, a.view(), b.view(), product)), "valid");
}

template <class T>
class MostReliableOnGpu : public warpfold::test::NeedsGpu {};
TYPED_TEST_SUITE(MostReliableOnGpu, FloatTypes);

TYPED_TEST(MostReliableOnGpu, PathsAndProductsHaveTheCpusBits) {
  Options on_gpu;
  on_gpu.device = parse_device("cuda");
  for (const std::size_t n : {1, 2, 63, 64, 65, 129, 257, 400}) {
    const Matrix<TypeParam> edges = drawn<TypeParam>(n, 0.3, n);
    const AllPairs<TypeParam> expected = all_pairs(edges, test::by("reference"), request).solution;
    const AllPairs<TypeParam> found = all_pairs(edges, on_gpu, request).solution;
    EXPECT_EQ(found.lengths, expected.lengths) << n;
    EXPECT_EQ(found.successors, expected.successors) << n;
    const auto product = minplus::multiply(Semiring::max_times, edges, edges, test::by("reference"), true).solution;
    const auto on_device = minplus::multiply(Semiring::max_times, edges, edges, on_gpu, true).solution;
    EXPECT_EQ(on_device.values, product.values) << n;
    EXPECT_EQ(on_device.argmin, product.argmin) << n;
  }
}

}  // namespace
}  // namespace warpfold::paths::most_reliable
