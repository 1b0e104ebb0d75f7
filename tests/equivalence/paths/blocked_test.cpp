#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>
#include <utility>

#include "graphs.hpp"
#include "options.hpp"
#include "paths/tuning.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/paths/all_pairs.hpp"
#include "warpfold/paths/verify.hpp"

/// Compares the bits of the blocked solver with those of the three loops.
namespace warpfold::paths {
namespace {

template <class T>
class Blocked : public testing::Test {};
using BlockedTypes = testing::Types<std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(Blocked, BlockedTypes);

template <class T>
void expect_the_three_loops(const Matrix<T>& edges, Semiring semiring) {
  for (const bool successors : {true, false}) {
    const Request request{semiring, successors};
    const AllPairs<T> expected = all_pairs(edges, test::by("reference"), request).solution;
    const AllPairs<T> found = all_pairs(edges, test::by("blocked", 2), request).solution;
    EXPECT_EQ(found.lengths, expected.lengths) << edges.rows() << " vertices, " << to_string(semiring);
    EXPECT_EQ(found.successors, expected.successors) << edges.rows() << " vertices, " << to_string(semiring);
    EXPECT_EQ(verify(edges, found, {}, request).violation, std::nullopt) << edges.rows() << ", " << to_string(semiring);
  }
}

TYPED_TEST(Blocked, GivesTheThreeLoopsBitsAndSuccessorsAtEverySize) {
  for (std::size_t n = 0; n <= 70; ++n) {
    for (const Semiring semiring : test::choosing_semirings) {
      expect_the_three_loops(test::drawn_graph<TypeParam>(n, semiring, n % 3 == 0 ? 0.05 : 0.5, n), semiring);
    }
  }
}

TYPED_TEST(Blocked, GivesTheThreeLoopsBitsAroundTiles) {
  for (const std::size_t n : {127, 128, 129, 191, 192, 193, 200}) {
    for (const Semiring semiring : test::choosing_semirings) {
      for (const double density : {0.02, 1.0}) {
        expect_the_three_loops(test::drawn_graph<TypeParam>(n, semiring, density, n), semiring);
      }
    }
  }
}

TYPED_TEST(Blocked, GivesTheThreeLoopsSuccessorsOfSeveralSearches) {
  const std::size_t n = (searched_rounds<TypeParam> + 2) * 64 + 5;
  for (const double density : {0.01, 1.0}) {
    const auto edges = test::drawn_graph<TypeParam>(n, Semiring::min_plus, density, n);
    const AllPairs<TypeParam> expected = all_pairs(edges, test::by("reference")).solution;
    const AllPairs<TypeParam> found = all_pairs(edges, test::by("blocked", 2)).solution;
    EXPECT_EQ(found.lengths, expected.lengths) << density;
    EXPECT_EQ(found.successors, expected.successors) << density;
  }
}

TYPED_TEST(Blocked, GivesTheThreeLoopsSuccessorsWhereEveryTurnImproves) {
  for (const std::size_t n : {100, 197, 320}) {
    Matrix<TypeParam> edges(n, n);  // the more vertices a path passes, the shorter it is
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) edges(i, j) = static_cast<TypeParam>((i - j) * (i - j));
    }
    expect_the_three_loops(edges, Semiring::min_plus);
    std::mt19937_64 random(n);
    for (std::size_t i = n; i-- > 1;) {  // the same by other numbers, so that turns improve in any order
      const std::size_t other = random() % (i + 1);
      for (std::size_t j = 0; j < n; ++j) std::swap(edges(i, j), edges(other, j));
      for (std::size_t j = 0; j < n; ++j) std::swap(edges(j, i), edges(j, other));
    }
    expect_the_three_loops(edges, Semiring::min_plus);
  }
}

TEST(BlockedFloats, TakeTheFirstOfTurnsThatTieInZerosOfAnySign) {
  const std::size_t n = 260;
  const double values[] = {0.0, -0.0, 1.0, infinity<double>, infinity<double>};
  std::mt19937_64 random(3);
  Matrix<double> edges(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) edges(i, j) = random() % 40 == 0 ? values[random() % 5] : infinity<double>;
  }
  expect_the_three_loops(edges, Semiring::min_plus);
}

TYPED_TEST(Blocked, GivesTheSameWithAnyNumberOfThreads) {
  const auto edges = test::drawn_graph<TypeParam>(700, Semiring::min_plus, 0.1, 5);
  const AllPairs<TypeParam> one = all_pairs(edges, test::by("blocked", 1)).solution;
  for (const int threads : {2, 3, 7}) {
    const AllPairs<TypeParam> many = all_pairs(edges, test::by("blocked", threads)).solution;
    EXPECT_EQ(many.lengths, one.lengths) << threads;
    EXPECT_EQ(many.successors, one.successors) << threads;
  }
}

TEST(BlockedFloats, RoundAsTheThreeLoopsDo) {
  for (const std::size_t n : {64, 65, 300}) {
    expect_the_three_loops(test::graph_of_many_magnitudes<float>(n, n), Semiring::min_plus);
    expect_the_three_loops(test::graph_of_many_magnitudes<double>(n, n), Semiring::min_plus);
  }
}

TEST(BlockedNegativeCycles, OfEveryLengthAreNamed) {
  for (std::size_t length = 1; length <= 50; ++length) {
    const std::size_t n = 150, first = 90;  // a pivot in a later tile
    Matrix<std::int32_t> edges(n, n, infinity<std::int32_t>);
    for (std::size_t i = 0; i + 1 < n; ++i) edges(i, i + 1) = 1;
    const std::size_t last = first + length - 1;
    edges(last, first) = -static_cast<std::int32_t>(length);
    for (const char* algorithm : {"blocked", "reference"}) {
      for (const bool successors : {true, false}) {
        try {
          (void)all_pairs(edges, test::by(algorithm), {Semiring::min_plus, successors});
          FAIL() << "accepted a cycle of " << length;
        } catch (const Error& error) {
          EXPECT_EQ(error.kind(), ErrorKind::infeasible);
          const std::string what = error.what();
          EXPECT_NE(what.find("negative length"), std::string::npos) << what;
          EXPECT_TRUE(what.starts_with("the cycle 90 -> ")) << what;
          EXPECT_NE(what.find(std::to_string(last) + " -> 90 has"), std::string::npos) << what;
        }
      }
    }
    edges(last, first) = -static_cast<std::int32_t>(length) + 1;  // of length 0, so that every walk ends
    const auto paths = all_pairs(edges).solution;
    EXPECT_EQ(verify(edges, paths).violation, std::nullopt) << length;
    EXPECT_EQ(paths.lengths(first, first), 0);
  }
}

RC_GTEST_PROP(BlockedGraphs, HaveTheLengthsAndSuccessorsOfTheThreeLoops, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(1, 90);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const double density = *rc::gen::inRange(1, 100) / 100.0;
  const Semiring semiring = *rc::gen::elementOf(
      std::vector<Semiring>(std::begin(test::choosing_semirings), std::end(test::choosing_semirings)));
  const auto edges = test::drawn_graph<std::int32_t>(n, semiring, density, seed);
  const auto expected = all_pairs(edges, test::by("reference"), {semiring}).solution;
  const auto found = all_pairs(edges, test::by("blocked"), {semiring}).solution;
  RC_ASSERT(found.lengths == expected.lengths);
  RC_ASSERT(found.successors == expected.successors);
}

}  // namespace
}  // namespace warpfold::paths
