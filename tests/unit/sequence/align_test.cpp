#include <gmock/gmock.h>

#include <random>
#include <string>

#include "unit/sequence/alignment_oracle.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/sequence/verify.hpp"

namespace warpfold::sequence {
namespace {

using test::Symbols;

Alignment by_table(const ScoredPair& pair, const AlignmentRequest& request) {
  Options options;
  options.algorithm = "table";
  return align(pair, options, request).solution;
}

const std::vector<GapCosts>& some_gaps() {
  static const std::vector<GapCosts> all = {
      {0, 1, {}}, {3, 1, {}}, {1, 0, {}}, {0, 0, {}}, {1, 2, GapCosts::Piece{3, 1}}, {4, 0, GapCosts::Piece{0, 2}}};
  return all;
}

TEST(ReferenceAlignment, HasTheLargestScoreOfAllAlignments) {
  std::vector<std::string> all = {""};
  for (std::size_t at = 0; all[at].size() < 3; ++at) all.push_back(all[at] + 'a'), all.push_back(all[at] + 'b');
  for (const auto& a : all) {
    for (const auto& b : all) {
      const ScoredPair pair(Coded(a, b), 2, -1);
      for (const FreeEnds& ends : test::all_ends()) {
        for (const GapCosts& gaps : some_gaps()) {
          const AlignmentRequest request{.gaps = gaps, .ends = ends};
          ASSERT_EQ(by_table(pair, request).score, test::AllAlignments(pair, request).largest()) << a << ' ' << b;
        }
      }
    }
  }
}

TEST(ReferenceAlignment, FollowsTheRuleForTies) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 600; ++round) {
    const Symbols a = test::draw(random() % 30, 3, random);
    const Symbols b = random() % 2 ? test::draw(random() % 30, 3, random) : test::mutate(a, 4, 3, random);
    const ScoredPair pair =
        random() % 2 ? ScoredPair(test::coded(a, b), 2, -2) : ScoredPair(a, b, test::drawn_matrix(3, -4, 4, random));
    const AlignmentRequest request{.script = true,
                                   .gaps = some_gaps()[random() % some_gaps().size()],
                                   .ends = test::all_ends()[random() % test::all_ends().size()]};
    const Alignment expected = test::GapTable(pair, request).solution();
    const Alignment found = by_table(pair, request);
    ASSERT_EQ(found.score, expected.score);
    ASSERT_EQ(found.end_a, expected.end_a);
    ASSERT_EQ(found.end_b, expected.end_b);
    ASSERT_EQ(found.script.cigar(), expected.script.cigar());
    ASSERT_EQ(found.script, expected.script);
  }
}

TEST(ReferenceAlignment, HasTiesOnTheRightFromTheBeginning) {
  const ScoredPair pair(Coded("abbbc", "abbc"), 1, -1);
  AlignmentRequest request{.script = true};
  EXPECT_EQ(by_table(pair, request).script.cigar(), "1=1D3=");
  request.ties = Ties::right;
  EXPECT_EQ(by_table(pair, request).script.cigar(), "3=1D1=");
  const ScoredPair twice(Coded("ab", "xabyab"), 1, -1);
  request.ends = infix_ends;
  EXPECT_EQ(by_table(twice, request).end_b, 6u);
  request.ties = Ties::left;
  EXPECT_EQ(by_table(twice, request).end_b, 3u);
  EXPECT_EQ(by_table(twice, request).script.begin_b, 1u);
}

TEST(ReferenceAlignment, TakesTheSmallestEndOfLocalAlignments) {
  const ScoredPair pair(Coded("xaby", "abzab"), 1, -1);
  const Alignment found = by_table(pair, {.script = true, .ends = local_ends});
  EXPECT_EQ(found.score, 2);
  EXPECT_EQ(found.end_a, 3u);
  EXPECT_EQ(found.end_b, 2u);
  EXPECT_EQ(found.script.begin_a, 1u);
  EXPECT_EQ(found.script.begin_b, 0u);
}

TEST(Alignments, OfTwoEmptySequencesScoreNothing) {
  for (const FreeEnds& ends : test::all_ends()) {
    const Alignment found = align("", "", {}, {.script = true, .ends = ends}).solution;
    EXPECT_EQ(found.score, 0);
    EXPECT_TRUE(found.script.empty());
  }
}

TEST(Alignments, OfAnEmptySequenceAreOneGapOrFree) {
  for (const FreeEnds& ends : test::all_ends()) {
    for (const Ties ties : {Ties::left, Ties::right}) {
      for (const auto& [a, b] : {std::pair("abc", ""), std::pair("", "abc")}) {
        const ScoredPair pair(Coded(a, b), 1, -1);
        const AlignmentRequest request{.script = true, .ties = ties, .gaps = {2, 1, {}}, .ends = ends};
        const Alignment found = align(pair, {}, request).solution;
        EXPECT_EQ(found.score, test::AllAlignments(pair, request).largest());
        EXPECT_TRUE(verify(pair, found, request, true));
        if (ties == Ties::right) continue;
        EXPECT_EQ(found.script, test::GapTable(pair, request).solution().script);
      }
    }
  }
}

TEST(Alignments, AreTheEditDistanceWhereEveryEditCostsOne) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 50; ++round) {
    const Symbols a = test::draw(random() % 60, 4, random);
    const Coded pair = test::coded(a, test::mutate(a, 4, 4, random));
    const auto distance = edit_distance(pair, {}, {.script = true}).solution;
    const auto found = align(ScoredPair(pair, 0, -1), {}, {.script = true}).solution;
    EXPECT_EQ(found.score, -*distance.distance);
    EXPECT_EQ(found.script, distance.script);
  }
}

TEST(Alignments, OfEqualPiecesAreThoseOfOne) {
  std::mt19937_64 random(4);
  const ScoredPair pair(test::coded(test::draw(80, 4, random), test::draw(70, 4, random)), 2, -3);
  const auto one = align(pair, {}, {.script = true, .gaps = {3, 1, {}}}).solution;
  const auto two = align(pair, {}, {.script = true, .gaps = {3, 1, GapCosts::Piece{3, 1}}}).solution;
  EXPECT_EQ(one.score, two.score);
  EXPECT_EQ(one.script, two.script);
}

TEST(Alignments, RejectBadCosts) {
  const auto kind = [](const AlignmentRequest& request, std::int64_t match) {
    try {
      static_cast<void>(align(ScoredPair(Coded("ab", "ac"), match, -1), {}, request));
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::internal;
  };
  EXPECT_EQ(kind({.gaps = {-1, 1, {}}}, 1), ErrorKind::usage);
  EXPECT_EQ(kind({.gaps = {1, -1, {}}}, 1), ErrorKind::usage);
  EXPECT_EQ(kind({.gaps = {1, 1, GapCosts::Piece{1, -1}}}, 1), ErrorKind::usage);
  EXPECT_EQ(kind({}, std::int64_t{1} << 60), ErrorKind::overflow);
  EXPECT_EQ(kind({.gaps = {std::int64_t{1} << 60, 1, {}}}, 1), ErrorKind::overflow);
}

TEST(ScoreMatrices, RejectWhatIsNoMatrix) {
  EXPECT_THROW(ScoreMatrix({'a', 'b'}, {1, 2, 3}), Error);
  EXPECT_THROW(ScoreMatrix({'a', 'a'}, {1, 2, 3, 4}), Error);
  const ScoreMatrix matrix({'b', 'a'}, {1, 2, 3, 4});
  EXPECT_FALSE(matrix.is_symmetric());
  EXPECT_EQ(matrix.score(*matrix.find('a'), *matrix.find('b')), 3);
  EXPECT_THROW(ScoredPair("abc", "a", matrix), Error);
}

TEST(ScoredPairs, ScoreASymbolOfAAgainstOneOfB) {
  const ScoreMatrix matrix({'a', 'b'}, {1, 2, 3, 4});
  EXPECT_EQ(align(ScoredPair("a", "b", matrix)).solution.score, 2);
  EXPECT_EQ(align(ScoredPair("b", "a", matrix)).solution.score, 3);
}

TEST(VerifiedAlignments, AreFoundWrong) {
  const ScoredPair pair(Coded("kitten", "sitting"), 1, -1);
  const AlignmentRequest request{.script = true};
  const Alignment right = align(pair, {}, request).solution;
  EXPECT_TRUE(verify(pair, right, request, true));
  Alignment wrong = right;
  ++wrong.score;
  EXPECT_FALSE(verify(pair, wrong, request));
  wrong = right;
  wrong.script = {};
  wrong.script.push(Edit::deletion, 6), wrong.script.push(Edit::insertion, 7);
  wrong.score = -13;
  EXPECT_TRUE(verify(pair, wrong, request));
  EXPECT_FALSE(verify(pair, wrong, request, true));
  wrong = right;
  wrong.end_b = 6;
  EXPECT_FALSE(verify(pair, wrong, request));
  EXPECT_FALSE(verify(pair, right, {.script = true, .gaps = {1, 1, {}}}));
}

}  // namespace
}  // namespace warpfold::sequence
