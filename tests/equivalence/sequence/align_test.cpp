#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "unit/sequence/alignment_oracle.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/instruction_set.hpp"
#include "warpfold/sequence/verify.hpp"

namespace warpfold::sequence {
namespace {

using test::Symbols;

Options options_for(const std::string& algorithm, int threads = 1) {
  Options options;
  options.algorithm = algorithm;
  options.threads = threads;
  return options;
}

/// Whether `found` is the expected alignment, begin, end and script.
void expect_same(const Alignment& found, const Alignment& expected, const std::string& name) {
  ASSERT_EQ(found.score, expected.score) << name;
  ASSERT_EQ(found.end_a, expected.end_a) << name;
  ASSERT_EQ(found.end_b, expected.end_b) << name;
  ASSERT_EQ(found.script.begin_a, expected.script.begin_a) << name;
  ASSERT_EQ(found.script.begin_b, expected.script.begin_b) << name;
  ASSERT_EQ(found.script.cigar(), expected.script.cigar()) << name;
}

bool supports(const std::string& algorithm, const ScoredPair& pair, const AlignmentRequest& request) {
  if (algorithm == "strips") return !request.gaps.second;
  if (algorithm == "band") return !request.gaps.second && request.ends == global_ends;
  if (algorithm != "diagonals") return true;
  if (pair.has_matrix() || request.gaps.second || request.ends != global_ends) return false;
  const std::int64_t match = pair.score(0, 0), mismatch = pair.score(0, 1);
  return match > mismatch && 2 * request.gaps.extend + match > 0;
}

/// Whether every algorithm gives the alignment of the complete table.
void expect_all_equal(const ScoredPair& pair, AlignmentRequest request, int threads = 1,
                      const std::string& expected_by = "table") {
  const Alignment expected = align(pair, options_for(expected_by), request).solution;
  AlignmentRequest score = request;
  score.script = false;
  score.ties = Ties::left;
  const Alignment expected_score = align(pair, options_for(expected_by), score).solution;
  for (const auto& info : align_algorithms()) {
    if (info.name == expected_by || info.name == "table" || !supports(info.name, pair, request)) continue;
    const std::string what = info.name + ' ' + std::to_string(pair.n()) + ' ' + std::to_string(pair.m());
    ASSERT_NO_FATAL_FAILURE(
        expect_same(align(pair, options_for(info.name, threads), request).solution, expected, what));
    ASSERT_NO_FATAL_FAILURE(
        expect_same(align(pair, options_for(info.name, threads), score).solution, expected_score, what + " score"));
  }
}

/// The same against the rows, by strips where they support the scores.
void expect_supported_equal(const ScoredPair& pair, const AlignmentRequest& request) {
  const Alignment expected = align(pair, options_for("rows"), request).solution;
  try {
    ASSERT_NO_FATAL_FAILURE(expect_same(align(pair, options_for("strips"), request).solution, expected, "strips"));
  } catch (const Error& error) {
    ASSERT_GT(pair.max_score(), 200'000) << error.what();
  }
}

GapCosts drawn_gaps(std::mt19937_64& random) {
  GapCosts gaps{static_cast<std::int64_t>(random() % 12), static_cast<std::int64_t>(random() % 4), {}};
  if (random() % 4 == 0) {
    gaps.second = {static_cast<std::int64_t>(random() % 12), static_cast<std::int64_t>(random() % 3)};
  }
  return gaps;
}

AlignmentRequest drawn_request(std::mt19937_64& random) {
  return {.script = true,
          .ties = random() % 4 ? Ties::left : Ties::right,
          .gaps = drawn_gaps(random),
          .ends = random() % 4 ? test::all_ends()[random() % test::all_ends().size()] : local_ends};
}

ScoredPair drawn_pair(std::size_t longest, std::uint32_t alphabet, std::mt19937_64& random) {
  const Symbols a = test::draw(random() % longest, alphabet, random);
  const Symbols b =
      random() % 2 ? test::draw(random() % longest, alphabet, random) : test::mutate(a, 5, alphabet, random);
  if (random() % 2 || alphabet > 300) return {test::coded(a, b), static_cast<std::int64_t>(random() % 4), -2};
  return {a, b, test::drawn_matrix(alphabet, -6, 9, random)};
}

TEST(AlignmentAlgorithms, AgreeOnShortSequences) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 1500; ++round) {
    const std::uint32_t alphabet = std::vector<std::uint32_t>{1, 2, 4, 20, 256, 1u << 20}[random() % 6];
    expect_all_equal(drawn_pair(80, alphabet, random), drawn_request(random));
    if (HasFatalFailure()) return;
  }
}

TEST(AlignmentAlgorithms, AgreeOnAllMatchesMismatchesAndGaps) {
  std::mt19937_64 random(6);
  for (int round = 0; round < 1500; ++round) {
    const std::uint32_t alphabet = std::vector<std::uint32_t>{1, 2, 4, 300}[random() % 4];
    const Symbols a = test::draw(random() % 60, alphabet, random);
    const Symbols b = random() % 3 ? test::mutate(a, 5, alphabet, random) : test::draw(random() % 60, alphabet, random);
    const auto score = [&] { return static_cast<std::int64_t>(random() % 9) - 5; };
    const GapCosts gaps{static_cast<std::int64_t>(random() % 9), static_cast<std::int64_t>(random() % 4), {}};
    expect_all_equal({test::coded(a, b), score(), score()},
                     {.script = true, .ties = random() % 2 ? Ties::left : Ties::right, .gaps = gaps});
    if (HasFatalFailure()) return;
  }
}

TEST(AlignmentAlgorithms, FindSimilarSequencesByDiagonals) {
  std::mt19937_64 random(7);
  const Symbols a = test::draw(20'000, 4, random), similar = test::mutate(a, 200, 4, random);
  const AlignmentRequest request{.script = true, .gaps = {6, 2, {}}};
  const auto by_default = [&](const Symbols& b) { return align({test::coded(a, b), 1, -4}, options_for(""), request); };
  const auto found = by_default(similar);
  EXPECT_EQ(found.report.algorithm, "diagonals");
  expect_same(found.solution, align({test::coded(a, similar), 1, -4}, options_for("strips"), request).solution,
              "similar");
  const auto given_up = by_default(test::draw(20'000, 4, random));
  EXPECT_EQ(given_up.report.algorithm, "strips");
}

TEST(AlignmentAlgorithms, GiveUpDiagonalsBeyondTheMemory) {
  std::mt19937_64 random(8);
  const Symbols a = test::draw(30'000, 4, random);
  const ScoredPair pair(test::coded(a, test::mutate(a, 120, 4, random)), 1, -4);
  const AlignmentRequest request{.script = true, .gaps = {6, 2, {}}};
  EXPECT_EQ(align(pair, options_for(""), request).report.algorithm, "diagonals");
  Options options = options_for("");
  options.max_memory = 6'000'000;
  const auto found = align(pair, options, request);
  EXPECT_EQ(found.report.algorithm, "strips");
  EXPECT_LE(found.report.peak_bytes, options.max_memory);
  options.algorithm = "diagonals";
  EXPECT_THROW(static_cast<void>(align(pair, options, request)), Error);
}

TEST(AlignmentAlgorithms, AgreeOnLongerSequences) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 60; ++round) {
    expect_all_equal(drawn_pair(1200, round % 2 ? 4 : 20, random), drawn_request(random), 1 + round % 3);
    if (HasFatalFailure()) return;
  }
}

TEST(AlignmentAlgorithms, AgreeForEveryInstructionSet) {
  std::mt19937_64 random(3);
  for (const auto& set : instruction_sets()) {
    force_instruction_set(set);
    for (int round = 0; round < 12; ++round) {
      expect_all_equal(drawn_pair(700, round % 2 ? 4 : 20, random), drawn_request(random), 2);
      if (HasFatalFailure()) return;
    }
  }
  force_instruction_set("");
}

TEST(AlignmentAlgorithms, FindLongGaps) {
  std::mt19937_64 random(4);
  const Symbols a = test::draw(1500, 4, random);
  Symbols b = a;
  b.erase(b.begin() + 200, b.begin() + 1200);
  for (const FreeEnds& ends : {global_ends, local_ends, infix_ends, overlap_ends}) {
    for (const auto& [first, second] : {std::pair(a, b), std::pair(b, a)}) {
      for (const GapCosts& gaps : {GapCosts{5, 0, {}}, GapCosts{40, 1, {}}, GapCosts{0, 0, {}}, GapCosts{0, 1, {}}}) {
        expect_all_equal({test::coded(first, second), 5, -4}, {.script = true, .gaps = gaps, .ends = ends}, 2);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(AlignmentAlgorithms, AgreeOnPatternsAndUnequalLengths) {
  std::mt19937_64 random(5);
  const auto repeated = [](std::string_view part, std::size_t length) {
    std::string text;
    while (text.size() < length) text += part;
    return text.substr(0, length);
  };
  for (int round = 0; round < 8; ++round) {
    const AlignmentRequest request = drawn_request(random);
    expect_all_equal({Coded(repeated("abc", 700), repeated("ab", 500)), 2, -1}, request);
    expect_all_equal({Coded(repeated("a", 700), repeated("a", 500)), 2, -1}, request);
    expect_all_equal({Coded(repeated("a", 300), repeated("b", 500)), 2, -1}, request);
    const Symbols many = test::draw(5000, 3, random);
    for (const std::size_t few : {1u, 2u, 60u}) {
      const Symbols short_one = test::draw(few, 3, random);
      expect_all_equal({test::coded(many, short_one), 1, -1}, request, 2);
      expect_all_equal({test::coded(short_one, many), 1, -1}, request, 2);
    }
    if (HasFatalFailure()) return;
  }
}

TEST(AlignmentAlgorithms, ObeyTheMemoryLimitWithTheSameScript) {
  std::mt19937_64 random(6);
  const Symbols a = test::draw(2500, 4, random);
  const ScoredPair pair(test::coded(a, test::mutate(a, 3, 4, random)), 2, -3);
  for (const FreeEnds& ends : {global_ends, local_ends}) {
    const AlignmentRequest request{.script = true, .gaps = {5, 2, {}}, .ends = ends};
    const Alignment expected = align(pair, options_for("table"), request).solution;
    for (const auto& info : align_algorithms()) {
      // The memory of the first two has no limit below the need.
      if (info.name == "table" || info.name == "diagonals" || !supports(info.name, pair, request)) continue;
      for (const std::size_t bytes : {4'000'000u, 8'000'000u}) {
        Options options = options_for(info.name, 2);
        options.max_memory = bytes;
        const auto found = align(pair, options, request);
        ASSERT_NO_FATAL_FAILURE(expect_same(found.solution, expected, info.name));
        EXPECT_LE(found.report.peak_bytes, bytes) << info.name;
      }
    }
  }
}

TEST(AlignmentAlgorithms, TakeASmallerEndInALaterChunk) {
  const ScoredPair pair(Coded("abyz", "yz" + std::string(400, 'q') + "ab"), 2, -2);
  const Alignment found = align(pair, options_for("strips"), {.script = true, .ends = local_ends}).solution;
  EXPECT_EQ(found.end_a, 2u);
  EXPECT_EQ(found.end_b, 404u);
}

TEST(AlignmentAlgorithms, AgreeOnManyStripsWithFineAndCoarseGrids) {
  std::mt19937_64 random(8);
  const Symbols a = test::draw(9000, 20, random);
  const Symbols b = test::mutate({a.begin() + 1500, a.end()}, 3, 20, random);
  const ScoredPair pair(a, b, test::drawn_matrix(20, -5, 6, random));
  for (const FreeEnds& ends : {global_ends, local_ends, overlap_ends}) {
    const AlignmentRequest request{.script = true, .gaps = {11, 1, {}}, .ends = ends};
    const Alignment expected = align(pair, options_for("rows"), request).solution;
    for (const std::size_t bytes : {0u, 1'000'000u, 2'000'000u}) {
      Options options = options_for("strips", 2);
      if (bytes > 0) options.max_memory = bytes;
      const auto found = align(pair, options, request);
      ASSERT_NO_FATAL_FAILURE(expect_same(found.solution, expected, std::to_string(bytes)));
      EXPECT_LE(found.report.peak_bytes, bytes > 0 ? bytes : found.report.peak_bytes);
    }
  }
}

/// Runs of one symbol, of random ones, and of those of another sequence, so that H rises and falls as fast as it can.
Symbols drawn_segments(std::size_t length, std::uint32_t alphabet, const Symbols& other, std::mt19937_64& random) {
  Symbols symbols;
  while (symbols.size() < length) {
    const std::size_t size = 1 + random() % 300;
    const std::uint64_t kind = random() % 3;
    const std::size_t from = other.size() > size ? random() % (other.size() - size) : 0;
    const auto one = static_cast<std::uint32_t>(random() % alphabet);
    for (std::size_t at = 0; at < size; ++at) {
      const bool copies = kind == 0 && from + at < other.size();
      symbols.push_back(copies ? other[from + at] : kind == 1 ? one : static_cast<std::uint32_t>(random() % alphabet));
    }
  }
  return symbols;
}

/// The largest scores and costs for 8 bits are among them, and those beyond.
TEST(AlignmentAlgorithms, AgreeWhereDifferencesNearlyLeaveEightBits) {
  std::mt19937_64 random(10);
  for (const auto& set : instruction_sets()) {
    force_instruction_set(set);
    for (int round = 0; round < 12; ++round) {
      const std::uint32_t alphabet = std::vector<std::uint32_t>{2, 4, 20, 200}[random() % 4];
      const Symbols a = drawn_segments(200 + random() % 2500, alphabet, {}, random);
      const Symbols b = drawn_segments(200 + random() % 1000, alphabet, a, random);
      const GapCosts gaps{static_cast<std::int64_t>(random() % 28), static_cast<std::int64_t>(random() % 5), {}};
      const auto match = static_cast<std::int64_t>(random() % 24), mismatch = -static_cast<std::int64_t>(random() % 60);
      const AlignmentRequest request{
          .script = true, .gaps = gaps, .ends = test::all_ends()[random() % test::all_ends().size()]};
      const ScoredPair pair = random() % 2 ? ScoredPair(test::coded(a, b), match, mismatch)
                                           : ScoredPair(a, b, test::drawn_matrix(alphabet, mismatch, match, random));
      const Alignment expected = align(pair, options_for("rows"), request).solution;
      const std::string what = fmt::format("{}: {} to {}, gap {} + {}", set, mismatch, match, gaps.open, gaps.extend);
      ASSERT_NO_FATAL_FAILURE(expect_same(align(pair, options_for("strips"), request).solution, expected, what));
    }
  }
  force_instruction_set("");
}

/// Scores and costs near the largest that 16 bits hold in a strip, and beyond 16 and 32 bits.
TEST(AlignmentAlgorithms, AgreeWhereNarrowValuesNearlyOverflow) {
  std::mt19937_64 random(9);
  const Symbols a = test::draw(2500, 4, random);
  const Symbols b = test::mutate(a, 40, 4, random);
  for (const std::int64_t match : {10, 24, 26, 28, 60, 900, 3000, 60'000, 1'000'000, 5'000'000}) {
    for (const std::int64_t open : {std::int64_t{0}, match, 40 * match}) {
      for (const FreeEnds& ends : {global_ends, local_ends}) {
        const AlignmentRequest request{.script = true, .gaps = {open, match / 3, {}}, .ends = ends};
        expect_supported_equal({test::coded(a, b), match, -match}, request);
        expect_supported_equal({test::coded(a, a), match, -40 * match}, request);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(AlignmentAlgorithms, PassVerify) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 60; ++round) {
    const ScoredPair pair = drawn_pair(300, 4, random);
    const AlignmentRequest request = drawn_request(random);
    EXPECT_TRUE(verify(pair, align(pair, {}, request).solution, request, true));
  }
}

}  // namespace
}  // namespace warpfold::sequence
