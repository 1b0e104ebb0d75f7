#include "warpfold/sequence/symbols.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace warpfold::sequence {
namespace {

using Codes = std::vector<std::uint32_t>;

Codes codes_of(std::span<const std::uint32_t> codes) { return {codes.begin(), codes.end()}; }

TEST(SequenceSymbols, CommonOnesAreCodedInAscendingOrder) {
  const Coded pair("banana", "nab");
  EXPECT_EQ(codes_of(pair.a()), (Codes{1, 0, 2, 0, 2, 0}));
  EXPECT_EQ(codes_of(pair.b()), (Codes{2, 0, 1}));
  EXPECT_EQ(pair.alphabet(), 3u);
  EXPECT_EQ(pair.planes(), 2);
}

TEST(SequenceSymbols, ThoseOfOneSideShareOneCodeThatTheOtherSideLacks) {
  const Coded pair("axyz", "abcd");
  EXPECT_EQ(codes_of(pair.a()), (Codes{0, 1, 1, 1}));
  EXPECT_EQ(codes_of(pair.b()), (Codes{0, 2, 2, 2}));
  EXPECT_EQ(pair.alphabet(), 1u);
  EXPECT_EQ(pair.codes(), 3u);
}

TEST(SequenceSymbols, PlanesGrowWithTheAlphabet) {
  EXPECT_EQ(Coded("", "").planes(), 1);
  EXPECT_EQ(Coded("aaa", "aa").planes(), 1);
  EXPECT_EQ(Coded("ACGT", "TGCA").planes(), 2);
  EXPECT_EQ(Coded("ACGTA", "TGCAN").planes(), 3);
}

TEST(SequenceSymbols, MatchingPairsAreCountedOverBothSequences) {
  EXPECT_EQ(Coded("aab", "abb").matching_pairs(), 4u);
  EXPECT_EQ(Coded("aab", "xyz").matching_pairs(), 0u);
}

TEST(SequenceSymbols, WideSymbolsAreCodedAsBytesAre) {
  const std::vector<std::uint32_t> a = {7, 1'000'000, 7}, b = {1'000'000, 0xFFFFFFFF};
  const Coded wide{std::span<const std::uint32_t>(a), std::span<const std::uint32_t>(b)};
  EXPECT_EQ(codes_of(wide.a()), (Codes{1, 0, 1}));
  EXPECT_EQ(codes_of(wide.b()), (Codes{0, 2}));
  const std::vector<std::uint16_t> c = {300, 2}, d = {2, 300};
  const Coded narrow{std::span<const std::uint16_t>(c), std::span<const std::uint16_t>(d)};
  EXPECT_EQ(codes_of(narrow.a()), (Codes{1, 0}));
}

TEST(SequenceSymbols, ReversalKeepsTheCodes) {
  const Coded pair = Coded("abx", "ba").reversed();
  EXPECT_EQ(codes_of(pair.a()), (Codes{2, 1, 0}));
  EXPECT_EQ(codes_of(pair.b()), (Codes{0, 1}));
}

}  // namespace
}  // namespace warpfold::sequence
