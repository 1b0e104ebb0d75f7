#include "warpfold/sequence/script.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "warpfold/core/error.hpp"

namespace warpfold::sequence {
namespace {

/// Turns "kitten" into "sitting".
Script kitten() {
  Script script;
  script.push(Edit::substitution);
  script.push(Edit::match, 3);
  script.push(Edit::substitution);
  script.push(Edit::match);
  script.push(Edit::insertion);
  return script;
}

Script swapped() {
  Script script;
  script.push(Edit::match);
  script.push(Edit::transposition, 2);
  script.push(Edit::deletion);
  return script;
}

TEST(SequenceScript, EqualStepsAreOneRun) {
  Script script;
  script.push(Edit::match);
  script.push(Edit::match, 2);
  script.push(Edit::deletion, 0);
  EXPECT_EQ(script.runs(), (std::vector<sequence::Run>{{Edit::match, 3}}));
}

TEST(SequenceScript, GivesTheCigar) {
  EXPECT_EQ(kitten().cigar(), "1X3=1X1=1I");
  EXPECT_EQ(kitten().cigar(false), "6M1I");
  EXPECT_EQ(swapped().cigar(), "1=2T1D");
  EXPECT_EQ(swapped().cigar(false), "5M1D");
  EXPECT_EQ(Script().cigar(), "");
}

TEST(SequenceScript, CostsWhatItsStepsCost) {
  EXPECT_EQ(kitten().cost(), 3);
  EXPECT_EQ(kitten().cost({.insertion = 10, .deletion = 100, .substitution = 1000}), 2010);
  EXPECT_EQ(swapped().cost({.deletion = 5, .transposition = 7}), 19);
}

TEST(SequenceScript, TurnsTheFirstSequenceIntoTheSecond) {
  EXPECT_EQ(kitten().apply("kitten", "sitting"), "sitting");
  EXPECT_EQ(swapped().apply("abcdef", "acbed"), "acbed");
}

TEST(SequenceScript, TheInverseTurnsTheSecondIntoTheFirst) {
  EXPECT_EQ(kitten().inverse().apply("sitting", "kitten"), "kitten");
  EXPECT_EQ(kitten().inverse().cigar(), "1X3=1X1=1D");
}

Script script_of(std::vector<sequence::Run> runs) {
  Script script;
  for (const auto& [edit, length] : runs) script.push(edit, length);
  return script;
}

TEST(SequenceScript, ComposesWithTheNextOne) {
  const Script none = script_of({{Edit::match, 7}});
  EXPECT_EQ(kitten().compose(none, "kitten", "sitting"), kitten());
  EXPECT_EQ(kitten().compose(kitten().inverse(), "kitten", "kitten"), script_of({{Edit::match, 6}}));
  const Script only_ends = script_of({{Edit::match, 1}, {Edit::deletion, 5}, {Edit::match, 1}, {Edit::insertion, 2}});
  EXPECT_EQ(kitten().compose(only_ends, "kitten", "sgxy").cigar(), "1X3I5D");
  EXPECT_EQ(Script().compose(Script(), "", ""), Script());
}

TEST(SequenceScript, ComposesATranspositionWhereTheOtherOneMatches) {
  const Script swap = script_of({{Edit::match, 1}, {Edit::transposition, 1}, {Edit::match, 1}});
  const Script none = script_of({{Edit::match, 4}});
  EXPECT_EQ(swap.compose(none, "abcd", "acbd"), swap);
  EXPECT_EQ(none.compose(swap, "abcd", "acbd"), swap);
  EXPECT_EQ(swap.compose(swap, "abcd", "abcd"), none);
  const Script cut = script_of({{Edit::match, 2}, {Edit::deletion, 1}, {Edit::match, 1}});
  EXPECT_EQ(swap.compose(cut, "abcd", "acd").cigar(), "1=1X1D1=");
  const Script late = script_of({{Edit::match, 2}, {Edit::transposition, 1}});
  EXPECT_EQ(swap.compose(late, "abcd", "acdb").cigar(), "1=3X");
}

TEST(SequenceScript, ComposesPartsThatFollow) {
  Script first = script_of({{Edit::match, 2}}), next = script_of({{Edit::substitution, 2}});
  first.begin_a = 3, first.begin_b = 1;
  next.begin_a = 1, next.begin_b = 5;
  const Script both = first.compose(next, "xxxab", "yyyyycd");
  EXPECT_EQ(both.cigar(), "2X");
  EXPECT_EQ(both.begin_a, 3u);
  EXPECT_EQ(both.begin_b, 5u);
  EXPECT_THROW(static_cast<void>(first.compose(next, "xxxa", "yyyyycd")), Error);
  EXPECT_THROW(static_cast<void>(first.compose(next, "xxxab", "yyyyyc")), Error);
  next.begin_a = 0;
  try {
    static_cast<void>(first.compose(next, "xxxab", "yyyyycd"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_STREQ(error.what(),
                 "the scripts go over symbols 1 to 3 and 0 to 2 of the sequence between: the same are accepted");
  }
}

TEST(SequenceScript, MatchedPairsArePositions) {
  using Pairs = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
  EXPECT_EQ(kitten().matched_pairs(), (Pairs{{1, 1}, {2, 2}, {3, 3}, {5, 5}}));
  Script local = kitten();
  local.begin_a = 10;
  local.begin_b = 20;
  EXPECT_EQ(local.matched_pairs().front(), (std::pair<std::uint64_t, std::uint64_t>{11, 21}));
}

TEST(SequenceScript, RowsHaveGapsWhereTheOtherSideIsAlone) {
  EXPECT_EQ(kitten().rows("kitten", "sitting"), (std::pair<std::string, std::string>{"kitten-", "sitting"}));
  EXPECT_EQ(swapped().rows("abcdef", "acbed"), (std::pair<std::string, std::string>{"abcdef", "acbed-"}));
}

TEST(SequenceScript, OfLongerSequencesIsRejected) {
  try {
    static_cast<void>(kitten().apply("kit", "sitting"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_STREQ(error.what(),
                 "the script goes over 6 and 7 symbols: at most 3 and 7 are accepted, the lengths of the "
                 "sequences");
  }
}

TEST(SequenceScript, OfMoreSymbolsThanAnIntegerHoldsIsRejected) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  Script deleted, swapped, inserted, late;
  deleted.push(Edit::deletion, most);
  deleted.push(Edit::match, 3);
  swapped.push(Edit::transposition, std::uint64_t{1} << 63);
  swapped.push(Edit::match, 3);
  inserted.push(Edit::deletion, most - 1);
  inserted.push(Edit::insertion, 3);
  inserted.push(Edit::match, 3);
  late.begin_a = most;
  late.push(Edit::match, 3);
  for (const Script& script : {deleted, swapped, inserted, late}) {
    EXPECT_THROW(static_cast<void>(script.apply("abc", "abcdef")), Error);
    EXPECT_THROW(static_cast<void>(script.rows("abc", "abcdef")), Error);
  }
}

}  // namespace
}  // namespace warpfold::sequence
