// Symbols that are sets: scores, scripts and verification against the plain recurrence.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "warpfold/core/error.hpp"
#include "warpfold/run/backend.hpp"
#include "warpfold/sequence/align.hpp"
#include "warpfold/sequence/edit_distance.hpp"
#include "warpfold/sequence/lcs.hpp"
#include "warpfold/sequence/verify.hpp"

namespace warpfold::sequence {
namespace {

using Sets = std::vector<std::uint32_t>;

Sets drawn_sets(std::mt19937& random, std::size_t length) {
  Sets sets(length);
  for (std::uint32_t& set : sets)
    set = static_cast<std::uint32_t>(random() % 4 == 0 ? 1 + random() % 15 : 1u << random() % 4);
  return sets;
}

/// D(n,m) by the recurrence, with sets in place of symbols.
std::int64_t plain_distance(const Sets& a, const Sets& b, std::int64_t substitution) {
  std::vector<std::vector<std::int64_t>> d(a.size() + 1, std::vector<std::int64_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = static_cast<std::int64_t>(i + j);
        continue;
      }
      const std::int64_t diagonal = d[i - 1][j - 1] + ((a[i - 1] & b[j - 1]) != 0 ? 0 : substitution);
      d[i][j] = std::min({diagonal, d[i - 1][j] + 1, d[i][j - 1] + 1});
    }
  }
  return d[a.size()][b.size()];
}

TEST(Sets, HaveTheDistanceAndTheScriptOfTheRecurrenceByEveryAlgorithm) {
  std::mt19937 random(7);
  for (const std::size_t n : {1u, 2u, 5u, 40u, 63u, 64u, 65u, 130u}) {
    for (const std::size_t m : {1u, 3u, 64u, 100u}) {
      const Sets a = drawn_sets(random, n), b = drawn_sets(random, m);
      const Coded pair = Coded::of_sets(a, b);
      const std::int64_t distance = plain_distance(a, b, 1), indel = plain_distance(a, b, 2);
      for (const Ties ties : {Ties::left, Ties::right}) {
        const Request request{.script = true, .ties = ties};
        const Script expected = edit_distance(pair, with_algorithm("table", {}), request).solution.script;
        const Script common = lcs(pair, with_algorithm("table", {}), request).solution.script;
        for (const char* name : {"table", "words", "rows", ""}) {
          const auto edits = edit_distance(pair, with_algorithm(name, {}), request).solution;
          ASSERT_EQ(edits.distance, distance) << name << ' ' << n << ' ' << m;
          ASSERT_EQ(edits.script, expected) << name << ' ' << n << ' ' << m;
          EXPECT_TRUE(verify(pair, edits, request, true));
          const auto found = lcs(pair, with_algorithm(name, {}), request).solution;
          ASSERT_EQ(2 * *found.length, static_cast<std::int64_t>(n + m) - indel) << name;
          ASSERT_EQ(found.script, common) << name << ' ' << n << ' ' << m;
          EXPECT_TRUE(verify(pair, found, request, true));
        }
      }
    }
  }
}

TEST(Sets, AlignAsTheyMatch) {
  std::mt19937 random(8);
  for (const std::size_t n : {1u, 30u, 200u}) {
    const Sets a = drawn_sets(random, n), b = drawn_sets(random, n + 7);
    const ScoredPair pair(Coded::of_sets(a, b), 0, -1);
    const AlignmentRequest request{.script = true, .gaps = {0, 1, {}}};
    const auto expected = align(pair, with_algorithm("table", {}), request).solution;
    EXPECT_EQ(-expected.score, plain_distance(a, b, 1));
    for (const char* name : {"strips", "rows"}) {
      const auto found = align(pair, with_algorithm(name, {}), request).solution;
      EXPECT_EQ(found.score, expected.score) << name;
      EXPECT_EQ(found.script, expected.script) << name;
      EXPECT_TRUE(verify(pair, found, request, true));
    }
    EXPECT_EQ(expected.script, edit_distance(Coded::of_sets(a, b), {}, {.script = true}).solution.script);
  }
}

TEST(Sets, MatchThoughTheyAreNotTransitive) {
  const Sets a = {1}, n = {15}, c = {2}, none = {0};
  EXPECT_EQ(edit_distance(Coded::of_sets(a, n)).solution.distance, 0);
  EXPECT_EQ(edit_distance(Coded::of_sets(n, c)).solution.distance, 0);
  EXPECT_EQ(edit_distance(Coded::of_sets(a, c)).solution.distance, 1);
  EXPECT_EQ(edit_distance(Coded::of_sets(none, none)).solution.distance, 1);
  EXPECT_EQ(Coded::of_sets(Sets{1, 15, 2}, Sets{1, 2}).matching_pairs(), 4u);
}

TEST(Sets, AreRejectedByAlgorithmsThatCompareSymbols) {
  const Coded pair = Coded::of_sets(Sets{1, 2, 3}, Sets{1, 2, 4});
  for (const char* name : {"diagonals", "band", "slices"}) {
    EXPECT_THROW(static_cast<void>(edit_distance(pair, with_algorithm(name, {}))), Error) << name;
  }
  EXPECT_THROW(static_cast<void>(lcs(pair, with_algorithm("dominance", {}))), Error);
}

TEST(Sets, SwapNeighborsThatMatchAfterTheSwap) {
  const Coded pair = Coded::of_sets(Sets{1, 2, 4}, Sets{3, 1, 12});
  const Request request{.script = true, .transpositions = true};
  for (const char* name : {"table", "rows"}) {
    const auto found = edit_distance(pair, with_algorithm(name, {}), request).solution;
    EXPECT_EQ(found.distance, 1) << name;
    EXPECT_TRUE(verify(pair, found, request, true)) << name;
  }
}

}  // namespace
}  // namespace warpfold::sequence
