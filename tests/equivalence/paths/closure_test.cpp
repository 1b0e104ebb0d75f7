#include "warpfold/paths/closure.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "core/listed.hpp"
#include "graphs.hpp"
#include "options.hpp"
#include "sanitizers.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/minplus/multiply.hpp"
#include "warpfold/paths/verify.hpp"

namespace warpfold::paths {
namespace {

/// Checks 1 + A + A^2 + .. by products only: it is closed, and no smaller matrix is.
template <class T>
Matrix<T> by_squaring(Semiring semiring, Matrix<T> a) {
  const auto better = [&](T x, T y) { return semiring.is_min() ? x < y : y < x; };
  for (std::size_t i = 0; i < a.rows(); ++i) {
    if (better(semiring.one<T>(), a(i, i))) a(i, i) = semiring.one<T>();
  }
  for (std::size_t edges = 1; edges < a.rows(); edges *= 2) a = minplus::multiply(semiring, a, a).solution.values;
  return a;
}

template <class T>
class Closure : public testing::Test {};
using ClosureTypes = testing::Types<std::int16_t, std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(Closure, ClosureTypes);

// Integers, so that the order of additions does not matter to floats either.
TYPED_TEST(Closure, IsTheSumOfAllPowers) {
  for (const Semiring semiring : test::choosing_semirings) {
    for (const std::size_t n : {0, 1, 2, 3, 10, 70, 131}) {
      const Matrix<std::int32_t> whole = test::drawn_graph<std::int32_t>(n, semiring, 0.1, n);
      Matrix<TypeParam> graph(n, n, semiring.zero<TypeParam>());
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          if (whole(i, j) != semiring.zero<std::int32_t>()) graph(i, j) = static_cast<TypeParam>(whole(i, j));
        }
      }
      EXPECT_EQ(closure(semiring, graph).solution, by_squaring(semiring, graph)) << to_string(semiring) << ", " << n;
    }
  }
}

TEST(ClosureOfNarrowNumbers, RefusesALengthThatTheyDoNotHold) {
  Matrix<std::int16_t> graph(4, 4, infinity<std::int16_t>);
  for (std::size_t i = 0; i < 3; ++i) graph(i, i + 1) = 6000;
  try {
    (void)closure(Semiring::min_plus, graph);
    FAIL() << "nothing was raised";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::overflow);
    EXPECT_STREQ(error.what(), "entry (0, 3) is 18000: i16 holds from -16382 to 16382");
  }
}

TEST(ClosureErrors, AreOneForEachCause) {
  const auto refusal = [](Semiring semiring, const Matrix<double>& a) -> std::string {
    try {
      (void)closure(semiring, a);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal(Semiring::plus_times, Matrix<double>(2, 2)),
            "plus-times has no best paths: " + listed(minplus::semiring_names(true)) + " is accepted");
  EXPECT_EQ(refusal(Semiring::or_and, Matrix<double>(2, 2)), "or-and does not take f64: u8 is accepted");
  EXPECT_EQ(refusal(Semiring::min_plus, Matrix<double>(2, 3)), "the edges are 2 x 3: a square matrix is accepted");
}

void expect_the_three_loops(const Matrix<std::uint8_t>& edges) {
  const std::size_t n = edges.rows();
  const Request request{Semiring::or_and};
  const auto expected = all_pairs(edges, test::by("reference"), request).solution;
  const auto found = all_pairs(edges, test::by("blocked"), request).solution;
  EXPECT_EQ(found.lengths, expected.lengths) << n;
  EXPECT_EQ(found.successors, expected.successors) << n;
  EXPECT_EQ(verify(edges, found, {}, request).violation, std::nullopt) << n;
  EXPECT_EQ(closure(Semiring::or_and, edges).solution, expected.lengths) << n;
}

TEST(Reach, IsThatOfTheThreeLoopsAtEverySize) {
  for (std::size_t n = 0; n <= 70; ++n) expect_the_three_loops(test::drawn_bits(n, n == 0 ? 0 : 1.5 / double(n), n));
}

TEST(Reach, IsThatOfTheThreeLoopsAroundWordsPivotsAndStrips) {
  for (const std::size_t n : {127, 128, 129, 255, 256, 257, 511, 512, 513, 700, 1030}) {
    if (test::under_sanitizer && n > 300) break;  // the three loops would take minutes
    for (const double edges_a_vertex : {0.0, 0.7, 1.2, 4.0, 300.0}) {
      expect_the_three_loops(test::drawn_bits(n, edges_a_vertex / static_cast<double>(n), n));
    }
  }
}

TEST(Reach, GoesAlongAWayThroughEveryVertexInAnyOrder) {
  constexpr std::size_t n = 600;
  std::vector<std::size_t> way(n);
  for (std::size_t i = 0; i < n; ++i) way[i] = i;
  std::shuffle(way.begin(), way.end(), std::mt19937_64(3));
  Matrix<std::uint8_t> edges(n, n);
  for (std::size_t i = 0; i + 1 < n; ++i) edges(way[i], way[i + 1]) = 1;
  expect_the_three_loops(edges);
  const auto reach = closure(Semiring::or_and, edges).solution;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) ASSERT_EQ(reach(way[i], way[j]), i <= j);
  }
}

TEST(Reach, IsTheSameWithAnyNumberOfThreads) {
  const Matrix<std::uint8_t> edges = test::drawn_bits(1600, 0.001, 1);
  Options options;
  options.threads = 1;
  const auto alone = all_pairs(edges, options, {Semiring::or_and}).solution;
  for (const int threads : {2, 3, 7}) {
    options.threads = threads;
    const auto together = all_pairs(edges, options, {Semiring::or_and}).solution;
    EXPECT_EQ(together.lengths, alone.lengths) << threads;
    EXPECT_EQ(together.successors, alone.successors) << threads;
  }
}

TEST(Reach, RefusesWhatIsNeitherAnEdgeNorNone) {
  Matrix<std::uint8_t> edges(2, 2);
  edges(1, 0) = 2;
  try {
    (void)all_pairs(edges, {}, {Semiring::or_and});
    FAIL() << "nothing was raised";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_STREQ(error.what(), "the edge (1, 0) is 2: 1, or 0 for no edge, is accepted");
  }
}

}  // namespace
}  // namespace warpfold::paths
