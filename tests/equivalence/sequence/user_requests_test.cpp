// What users of other libraries ask for and do not get: each test is a row of their issues.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "warpfold/run/backend.hpp"
#include "warpfold/sequence/align.hpp"
#include "warpfold/sequence/edit_distance.hpp"
#include "warpfold/sequence/lcs.hpp"
#include "warpfold/sequence/time_warping.hpp"
#include "warpfold/sequence/verify.hpp"

namespace warpfold::sequence {
namespace {

std::string drawn_text(std::mt19937& random, std::size_t length, const std::string& letters = "ACGT") {
  std::string text(length, ' ');
  for (char& letter : text) letter = letters[random() % letters.size()];
  return text;
}

/// A copy in which one symbol in `rarity` is replaced, deleted or doubled.
std::string changed_text(std::mt19937& random, const std::string& text, std::size_t rarity) {
  std::string copy;
  for (const char letter : text) {
    const bool changes = random() % rarity == 0;
    const std::uint64_t kind = random() % 3;
    if (!changes || kind > 0) copy += changes && kind == 1 ? "ACGT"[random() % 4] : letter;
    if (changes && kind == 2) copy += letter;
  }
  return copy;
}

double peak_of(const Estimate& estimate) {
  return static_cast<double>(std::max(estimate.bytes, estimate.worst_case ? estimate.worst_case->bytes : 0));
}

// WFA2-lib 7 and 118: a heuristic that is on by default gives a larger distance.
TEST(UserRequests, TheDefaultIsExactForPairsOfAnySimilarity) {
  std::mt19937 random(1);
  const std::string a = drawn_text(random, 8000);
  const std::string long_gap = a.substr(0, 3000) + drawn_text(random, 1500) + a.substr(5000);
  for (const std::string& b :
       {changed_text(random, a, 500), changed_text(random, a, 7), drawn_text(random, 7000), long_gap}) {
    EXPECT_EQ(edit_distance(a, b).solution.distance,
              edit_distance(a, b, with_algorithm("words", {})).solution.distance);
    EXPECT_EQ(lcs(a, b).solution.length, lcs(a, b, with_algorithm("words", {})).solution.length);
    EXPECT_EQ(align(a, b).solution.score, align(a, b, with_algorithm("rows", {})).solution.score);
  }
}

// parasail 44 and 53, seqan3 1619, biopython 3407, opal 18, RapidFuzz 351: a script takes n m bytes. dtw-python 12,
// dtwalign 7 (115,200 samples): so does a path.
TEST(UserRequests, AScriptOf100000SymbolsTakesNoTableAndIsEstimatedSo) {
  constexpr std::size_t n = 100'000;
  const double symbols = 2 * n, table = double{n} * n;
  const double most = (64 << 20) + 16 * symbols + 12e6;
  EXPECT_LT(peak_of(estimate_edit_distance(n, n, {}, {.script = true})), most);
  EXPECT_LT(peak_of(estimate_lcs(n, n, {}, {.script = true})), most);
  std::mt19937 random(2);
  const std::string a = drawn_text(random, n), b = drawn_text(random, n);
  const auto aligned = estimate_align({Coded(a, b), 1, -1}, {}, {.script = true, .gaps = {11, 1, {}}});
  EXPECT_LT(peak_of(aligned), most);
  const std::vector<float> series(115'200);
  const auto warped = estimate_dtw(TimeSeries<float>(series), TimeSeries<float>(series), {}, {.script = true});
  EXPECT_LT(peak_of(warped), most);
  EXPECT_LT(most, table / 100);
}

// pollen-robotics/dtw 37: two series of a million points.
TEST(UserRequests, APathOfAMillionPointsTakes64MegabytesAndFewerPointsProportionallyLess) {
  const std::vector<float> million(1'000'000);
  Options limited;
  limited.max_memory = 64'000'000;
  const TimeSeries<float> series(million);
  const Estimate estimated = estimate_dtw(series, series, limited, {.script = true});
  EXPECT_EQ(estimated.algorithm, "strips");
  EXPECT_LE(estimated.bytes, limited.max_memory);
  std::mt19937 random(6);
  std::vector<float> a(20'000), b(20'000);
  for (auto* side : {&a, &b}) {
    float value = 0;
    for (float& entry : *side) entry = value += static_cast<float>(random() % 7) - 3;
  }
  const TimeSeries<float> first(a), second(b);
  limited.max_memory = 64'000'000 / 50;
  const auto small = dtw(first, second, limited, {.script = true}), large = dtw(first, second, {}, {.script = true});
  EXPECT_LE(small.report.peak_bytes, limited.max_memory);
  EXPECT_LE(small.report.peak_bytes, estimate_dtw(first, second, limited, {.script = true}).bytes);
  EXPECT_EQ(small.solution.distance, large.solution.distance);
  EXPECT_EQ(small.solution.script, large.solution.script);
}

// parasail-python 46, vsearch 52, minimap2 79: scores and differences leave 16 or 8 bits without a word.
TEST(UserRequests, ScoresBeyond16BitsAndCostsBeyond8BitsAreRight) {
  const std::string same(9000, 'A');
  EXPECT_EQ(align(ScoredPair(Coded(same, same), 10, -10)).solution.score, 90'000);
  EXPECT_EQ(align(ScoredPair(Coded(same, same), 10, -10), {}, {.ends = local_ends}).solution.score, 90'000);
  std::mt19937 random(3);
  const std::string a = drawn_text(random, 500), b = changed_text(random, a, 5);
  for (const std::int64_t scale : {1, 30, 127, 128, 1000, 40'000, 2'000'000}) {
    const ScoredPair pair(Coded(a, b), 2 * scale, -3 * scale);
    const AlignmentRequest request{.script = true, .gaps = {5 * scale, scale, {}}};
    const Alignment expected = align(pair, with_algorithm("table", {}), request).solution;
    for (const char* name : {"strips", "rows", ""}) {
      const Alignment found = align(pair, with_algorithm(name, {}), request).solution;
      EXPECT_EQ(found.score, expected.score) << name << ' ' << scale;
      EXPECT_EQ(found.script, expected.script) << name << ' ' << scale;
    }
  }
}

// editdistance 103: wrong beyond 640 symbols. python-Levenshtein 9: symbols of four bytes overrun the heap.
TEST(UserRequests, LengthsAround640AndWideSymbolsAreRight) {
  std::mt19937 random(4);
  for (const std::size_t n : {511u, 512u, 513u, 639u, 640u, 641u, 1023u, 1025u, 1281u}) {
    std::vector<std::uint32_t> a(n), b(n - 3);
    for (std::uint32_t& symbol : a) symbol = static_cast<std::uint32_t>(0x1F600 + random() % 80);
    for (std::uint32_t& symbol : b) symbol = static_cast<std::uint32_t>(0x1F600 + random() % 80);
    const Coded pair{std::span<const std::uint32_t>(a), std::span<const std::uint32_t>(b)};
    const auto expected = edit_distance(pair, with_algorithm("table", {}), {.script = true}).solution;
    for (const char* name : {"words", "slices", "rows", ""}) {
      const auto found = edit_distance(pair, with_algorithm(name, {}), {.script = true}).solution;
      EXPECT_EQ(found.distance, expected.distance) << name << ' ' << n;
      EXPECT_EQ(found.script, expected.script) << name << ' ' << n;
    }
  }
}

// weighted-levenshtein 10, fast-levenshtein 27, WFA-paper 29: a cost for each pair of symbols, with the script.
TEST(UserRequests, ACostForEachPairOfSymbolsIsAMatrixOfNegativeScores) {
  const ScoreMatrix costs({'a', 'b', 'c'}, {0, -1, -9, -1, 0, -9, -9, -9, 0});
  const ScoredPair pair("abcab", "bbaab", costs);
  const AlignmentRequest request{.script = true, .gaps = {0, 4, {}}};
  const Alignment found = align(pair, {}, request).solution;
  EXPECT_EQ(found.score, -9);  // a by b for 1, c deleted for 4, an a inserted for 4
  EXPECT_EQ(found.score, align(pair, with_algorithm("table", {}), request).solution.score);
  EXPECT_TRUE(verify(pair, found, request, true));
}

// cpython 118150, 106865, 119105, icdiff 213: 30,854 lines of difference in place of 26.
TEST(UserRequests, ADifferenceOfLongFilesOfFewDifferentLinesIsMinimal) {
  std::mt19937 random(5);
  std::vector<std::uint32_t> a(30'000);
  for (std::uint32_t& line : a)
    line = static_cast<std::uint32_t>(random() % 40 < 39 ? random() % 5 : 5 + random() % 10'000);
  std::vector<std::uint32_t> b = a;
  for (int change = 0; change < 13; ++change)
    b[2000 * static_cast<std::size_t>(change) + 7] = static_cast<std::uint32_t>(50'000 + random() % 9);
  const Coded pair{std::span<const std::uint32_t>(a), std::span<const std::uint32_t>(b)};
  const Subsequence found = lcs(pair, {}, {.script = true}).solution;
  EXPECT_EQ(found.script.count(Edit::deletion) + found.script.count(Edit::insertion), 26u);
  EXPECT_TRUE(verify(pair, found, {.script = true}, true));
}

// edlib 92, 93, 96 and 213, WFA2-lib 59, parasail 104: one of several optima, and which one is not said.
TEST(UserRequests, TheRuleOfTiesDecidesWhereAGapIs) {
  for (const char* name : {"table", "words", "slices", "rows", "diagonals", ""}) {
    const auto matches_before_gap = [&](Ties ties) {
      const Request request{.script = true, .ties = ties};
      return edit_distance("CAAAT", "CAAT", with_algorithm(name, {}), request).solution.script.runs().front().length;
    };
    EXPECT_EQ(matches_before_gap(Ties::left), 1u) << name;
    EXPECT_EQ(matches_before_gap(Ties::right), 3u) << name;
  }
}

// edlib 114, 123 and 140: different letters have distance 0, because a symbol is a byte. jellyfish 84, jiwer 100.
TEST(UserRequests, SymbolsThatShareALowByteOrWordAreDifferent) {
  const std::vector<std::uint32_t> a = {0x41, 0x141, 0x10041, 0xD800}, b = {0x141, 0x41, 0x20041, 0xDC00};
  const Coded pair{std::span<const std::uint32_t>(a), std::span<const std::uint32_t>(b)};
  for (const char* name : {"table", "words", "slices", "rows", "diagonals", ""}) {
    EXPECT_EQ(edit_distance(pair, with_algorithm(name, {})).solution.distance, 4) << name;
    EXPECT_EQ(lcs(pair, with_algorithm(name, {})).solution.length, 1) << name;
  }
}

// Levenshtein 18, tslearn 121, pyecsca 36: one thread solves. More give the same script here. nvbio 35: no long pair on
// a GPU. OnGpu and OnGpuAlign (cuda_test.cpp, cuda_align_test.cpp) solve it there.
TEST(UserRequests, OnePairIsSolvedByAllThreadsWithTheSameScript) {
  std::mt19937 random(6);
  const std::string a = drawn_text(random, 9000), b = drawn_text(random, 8000);
  const auto solve = [&](int threads) {
    Options options = with_algorithm("slices", {});
    options.threads = threads;
    return edit_distance(a, b, options, {.script = true});
  };
  const auto alone = solve(1), together = solve(3);
  EXPECT_EQ(alone.report.threads, 1);
  EXPECT_EQ(together.report.threads, 3);
  EXPECT_EQ(alone.solution.distance, together.solution.distance);
  EXPECT_EQ(alone.solution.script, together.solution.script);
}

}  // namespace
}  // namespace warpfold::sequence
