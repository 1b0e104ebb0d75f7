#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <stop_token>
#include <vector>

#include "needs_gpu.hpp"
#include "options.hpp"
#include "sequence/gpu/scores.hpp"
#include "unit/sequence/alignment_oracle.hpp"
#include "warpfold/core/error.hpp"

/// Alignments on a GPU against those of the CPU: the same score, the same end and the same script.
namespace warpfold::sequence {
namespace {

using test::Symbols;

class OnGpuAlign : public warpfold::test::NeedsGpu {};

void expect_alignment(const Alignment& found, const Alignment& expected, const ScoredPair& pair) {
  ASSERT_EQ(found.score, expected.score) << pair.n() << ' ' << pair.m();
  ASSERT_EQ(found.end_a, expected.end_a) << pair.n() << ' ' << pair.m();
  ASSERT_EQ(found.end_b, expected.end_b) << pair.n() << ' ' << pair.m();
  ASSERT_EQ(found.script.begin_a, expected.script.begin_a) << pair.n() << ' ' << pair.m();
  ASSERT_EQ(found.script.begin_b, expected.script.begin_b) << pair.n() << ' ' << pair.m();
  ASSERT_EQ(found.script.runs(), expected.script.runs()) << pair.n() << ' ' << pair.m();
}

/// By every kernel that holds the values, and that many groups of strips, if there are as many strips.
void expect_alignment_of_the_cpu(const ScoredPair& pair, const AlignmentRequest& request, std::uint64_t groups = 1) {
  const char* const algorithm = request.gaps.second ? "rows" : "strips";
  const Alignment expected = align(pair, warpfold::test::by(algorithm, Device::Kind::cpu), request).solution;
  const alignment::Query query{pair, request};
  const Options options = warpfold::test::by("strips", Device::Kind::cuda);
  std::size_t kernels = 0;
  for (const cuda::ScoreKernel& kernel : cuda::score_kernels) {
    auto layout = cuda::score_layout_of(alignment::size_of(pair, request), kernel);
    if (!layout) continue;
    layout->groups = std::min(groups, layout->strips());
    Report report;
    Context context(options, report);
    ASSERT_NO_FATAL_FAILURE(expect_alignment(cuda::alignment_by_strips(query, context, *layout), expected, pair))
        << (kernel.pairs ? 16 : 32) << " bits, " << kernel.rows << " rows";
    ++kernels;
  }
  ASSERT_GT(kernels, 0u);
}

void expect_script_of_the_cpu(const ScoredPair& pair, AlignmentRequest request, std::uint64_t groups = 1) {
  request.script = true;
  expect_alignment_of_the_cpu(pair, request, groups);
}

std::vector<FreeEnds> ends_not_local() {
  std::vector<FreeEnds> ends;
  for (int bits = 0; bits < 16; ++bits) {
    ends.push_back(
        {.begin_a = (bits & 1) != 0, .end_a = (bits & 2) != 0, .begin_b = (bits & 4) != 0, .end_b = (bits & 8) != 0});
  }
  return ends;
}

ScoredPair drawn_pair_of(std::size_t n, std::size_t m, std::uint32_t alphabet, std::mt19937_64& random) {
  const Symbols a = test::draw(n, alphabet, random);
  Symbols b = random() % 2 ? test::draw(m, alphabet, random) : test::mutate(a, 5, alphabet, random);
  b.resize(m, 0);
  if (random() % 2) return {test::coded(a, b), static_cast<std::int64_t>(random() % 4), -2};
  return {a, b, test::drawn_matrix(alphabet, -6, 9, random)};
}

AlignmentRequest request_with(const FreeEnds& ends, std::mt19937_64& random) {
  const GapCosts gaps{static_cast<std::int64_t>(random() % 12), static_cast<std::int64_t>(random() % 4), {}};
  return {.gaps = gaps, .ends = ends};
}

TEST_F(OnGpuAlign, ShortSequencesWithAllFreeEndsAreThoseOfTheCpu) {
  std::mt19937_64 random(1);
  for (std::size_t n = 1; n <= 40; ++n) {
    for (const FreeEnds& ends : ends_not_local()) {
      const std::size_t m = 1 + random() % 80;
      const ScoredPair pair = drawn_pair_of(n, m, n % 2 ? 4 : 20, random);
      const AlignmentRequest request = request_with(ends, random);
      expect_alignment_of_the_cpu(pair, request);
      expect_script_of_the_cpu(pair, request);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_F(OnGpuAlign, LengthsAroundStripsAndChunksAreThoseOfTheCpu) {
  std::mt19937_64 random(2);
  for (const std::size_t n : {255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 2047, 2048, 2049, 10'007}) {
    for (const std::size_t m : {1, 31, 32, 33, 63, 64, 65, 127, 128, 129, 2049}) {
      const FreeEnds ends = ends_not_local()[random() % 16];
      expect_alignment_of_the_cpu(drawn_pair_of(n, m, random() % 2 ? 4 : 20, random), request_with(ends, random));
      if (HasFatalFailure()) return;
    }
  }
}

TEST_F(OnGpuAlign, MoreStripsThanWarpsAreThoseOfTheCpu) {
  std::mt19937_64 random(3);
  expect_alignment_of_the_cpu(drawn_pair_of(1'500'000, 400, 4, random), {.gaps = {5, 2, {}}});
  expect_alignment_of_the_cpu(drawn_pair_of(400, 1'500'000, 4, random), {.gaps = {5, 2, {}}, .ends = overlap_ends});
  expect_alignment_of_the_cpu(drawn_pair_of(100'000, 90'000, 20, random), {.gaps = {11, 1, {}}, .ends = infix_ends});
}

TEST_F(OnGpuAlign, ScriptsOfLengthsAroundStripsAndTilesAreThoseOfTheCpu) {
  std::mt19937_64 random(6);
  for (const std::size_t n : {1, 255, 256, 257, 1023, 1024, 1025, 2047, 2048, 2049, 10'007}) {
    for (const std::size_t m : {1, 127, 128, 129, 959, 960, 961, 1023, 1024, 1025, 2049, 9000}) {
      const FreeEnds ends = random() % 2 ? global_ends : ends_not_local()[random() % 16];
      expect_script_of_the_cpu(drawn_pair_of(n, m, random() % 2 ? 4 : 20, random), request_with(ends, random));
      if (HasFatalFailure()) return;
    }
  }
}

TEST_F(OnGpuAlign, LongScriptsAreThoseOfTheCpu) {
  std::mt19937_64 random(7);
  expect_script_of_the_cpu(drawn_pair_of(60'000, 70'000, 4, random), {.gaps = {5, 2, {}}});
  expect_script_of_the_cpu(drawn_pair_of(90'000, 80'000, 20, random), {.gaps = {11, 1, {}}});
  expect_script_of_the_cpu(drawn_pair_of(500, 300'000, 4, random), {.gaps = {5, 2, {}}, .ends = infix_ends});
  expect_script_of_the_cpu(drawn_pair_of(300'000, 500, 4, random), {.gaps = {0, 1, {}}});
}

/// The walk follows no straight line to cell (0,0), so it leaves the tiles that are kept.
TEST_F(OnGpuAlign, ScriptsFarFromTheDiagonalAreThoseOfTheCpu) {
  std::mt19937_64 random(8);
  const Symbols a = test::draw(40'000, 4, random);
  Symbols before = test::draw(30'000, 4, random);
  const Symbols after = before;
  before.insert(before.end(), a.begin(), a.end());
  Symbols behind = a;
  behind.insert(behind.end(), after.begin(), after.end());
  for (const AlignmentRequest& request : {AlignmentRequest{.gaps = {5, 1, {}}}, AlignmentRequest{.gaps = {5, 0, {}}}}) {
    expect_script_of_the_cpu({test::coded(a, before), 2, -3}, request);
    expect_script_of_the_cpu({test::coded(behind, a), 2, -3}, request);
    if (HasFatalFailure()) return;
  }
}

/// Scores near the largest that bytes and 16 bits hold, and wide gaps.
TEST_F(OnGpuAlign, ScoresNearTheLimitsAreThoseOfTheCpu) {
  std::mt19937_64 random(4);
  const Symbols a = test::draw(3000, 4, random), b = test::mutate(a, 40, 4, random);
  for (const std::int64_t match : {0, 1, 20, 30, 60, 63, 120}) {
    for (const GapCosts& gaps : {GapCosts{0, 0, {}}, GapCosts{0, 3, {}}, GapCosts{64, 2, {}}, GapCosts{128, 1, {}}}) {
      for (const FreeEnds& ends : {global_ends, overlap_ends}) {
        expect_alignment_of_the_cpu({test::coded(a, b), match, -100}, {.gaps = gaps, .ends = ends});
        if (gaps.open < 64) expect_script_of_the_cpu({test::coded(a, b), match, -100}, {.gaps = gaps, .ends = ends});
        expect_alignment_of_the_cpu({test::coded(a, a), match, -match}, {.gaps = gaps, .ends = ends});
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_F(OnGpuAlign, AForcedGpuRuns) {
  const ScoredPair pair(Coded("GATTACA", "GCATGCT"), 1, -1);
  const auto found = align(pair, warpfold::test::by("strips", Device::Kind::cuda));
  EXPECT_EQ(found.report.device, "cuda:0");
  EXPECT_EQ(found.solution.score, align(pair, warpfold::test::by("strips", Device::Kind::cpu)).solution.score);
}

TEST_F(OnGpuAlign, EveryRuleOfTiesGivesTheScriptOfTheCpu) {
  std::mt19937_64 random(9);
  const Symbols a = test::draw(700, 2, random), b = test::mutate(a, 40, 2, random);
  const ScoredPair pair(test::coded(a, b), 1, -1);
  for (const FreeEnds& ends : {global_ends, overlap_ends}) {
    for (const Ties ties : {Ties::left, Ties::right}) {
      const AlignmentRequest request{.script = true, .ties = ties, .gaps = {1, 1, {}}, .ends = ends};
      expect_alignment(align(pair, warpfold::test::by("strips", Device::Kind::cuda), request).solution,
                       align(pair, warpfold::test::by("table", Device::Kind::cpu), request).solution, pair);
    }
  }
}

TEST_F(OnGpuAlign, AScriptTakesTheMemoryThatTheEstimateNames) {
  std::mt19937_64 random(10);
  const ScoredPair pair(test::coded(test::draw(100'000, 4, random), test::draw(100'000, 4, random)), 1, -1);
  Options options = warpfold::test::by("strips", Device::Kind::cuda);
  const std::size_t bytes = estimate_align(pair, options, {.script = true}).device_bytes;
  EXPECT_GT(bytes, estimate_align(pair, options).device_bytes);
  options.max_device_memory = bytes;
  const auto found = align(pair, options, {.script = true});
  EXPECT_EQ(found.report.peak_device_bytes, bytes);
  options.max_device_memory = bytes - 1;
  const auto with_less = align(pair, options, {.script = true});
  EXPECT_LT(with_less.report.peak_device_bytes, bytes);
  expect_alignment(with_less.solution, found.solution, pair);
  options.max_device_memory = 1'000'000;
  EXPECT_THROW((void)align(pair, options, {.script = true}), Error);
}

AlignmentRequest local_request(std::mt19937_64& random) {
  AlignmentRequest request = request_with(local_ends, random);
  request.gaps.extend += 1;
  return request;
}

TEST_F(OnGpuAlign, ShortLocalAlignmentsAreThoseOfTheCpu) {
  std::mt19937_64 random(12);
  for (std::size_t n = 1; n <= 40; ++n) {
    for (int round = 0; round < 8; ++round) {
      const ScoredPair pair = drawn_pair_of(n, 1 + random() % 80, round % 2 ? 2 : 20, random);
      const AlignmentRequest request = request_with(local_ends, random);
      expect_alignment_of_the_cpu(pair, request);
      expect_script_of_the_cpu(pair, request);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_F(OnGpuAlign, LocalAlignmentsAroundStripsAndTilesAreThoseOfTheCpu) {
  std::mt19937_64 random(13);
  for (const std::size_t n : {255, 256, 257, 1023, 1024, 1025, 2047, 2048, 2049, 10'007}) {
    for (const std::size_t m : {1, 31, 32, 33, 127, 128, 129, 959, 960, 961, 1024, 2049, 9000}) {
      expect_script_of_the_cpu(drawn_pair_of(n, m, random() % 2 ? 4 : 20, random), local_request(random));
      if (HasFatalFailure()) return;
    }
  }
}

/// Parts that score alike, in other strips, rows and columns: the one that ends first in A is found, then in B.
TEST_F(OnGpuAlign, OfSeveralLocalAlignmentsTheOneThatEndsFirstIsFound) {
  std::mt19937_64 random(14);
  const Symbols part = test::draw(40, 4, random);
  for (const std::size_t apart : {33, 200, 1500}) {
    Symbols a, b;
    for (int copy = 0; copy < 4; ++copy) {
      for (Symbols* const each : {&a, &b}) {
        each->insert(each->end(), apart + random() % 40, each == &a ? 4 : 5);
        each->insert(each->end(), part.begin(), part.end());
      }
    }
    expect_script_of_the_cpu({test::coded(a, b), 2, -3}, {.gaps = {5, 2, {}}, .ends = local_ends});
    if (HasFatalFailure()) return;
  }
  const Symbols equal(3000, 1), other(3000, 2);
  expect_script_of_the_cpu({test::coded(equal, Symbols(500, 1)), 1, -1}, {.gaps = {1, 1, {}}, .ends = local_ends});
  expect_script_of_the_cpu({test::coded(Symbols(500, 1), equal), 1, -1}, {.gaps = {0, 1, {}}, .ends = local_ends});
  expect_script_of_the_cpu({test::coded(equal, other), 1, -1}, {.ends = local_ends});
}

/// Scores beyond 16 bits, whose 0 is far below the values of a strip.
TEST_F(OnGpuAlign, LongLocalAlignmentsAreThoseOfTheCpu) {
  std::mt19937_64 random(15);
  const Symbols inner = test::draw(30'000, 4, random), changed = test::mutate(inner, 3000, 4, random);
  Symbols a = test::draw(9000, 4, random), b = test::draw(40'000, 4, random);
  a.insert(a.end(), inner.begin(), inner.end());
  b.insert(b.end(), changed.begin(), changed.end());
  for (const std::size_t behind : {5000, 100}) {
    const Symbols after = test::draw(behind, 4, random);
    a.insert(a.end(), after.begin(), after.end());
    b.insert(b.end(), after.rbegin(), after.rend());
  }
  for (const std::int64_t match : {2, 60, 100}) {
    expect_script_of_the_cpu({test::coded(a, b), match, -3 * match / 2},
                             {.gaps = {2 * match < 60 ? 2 * match : 60, 2, {}}, .ends = local_ends});
    if (HasFatalFailure()) return;
  }
}

TEST_F(OnGpuAlign, ALocalAlignmentIsThatOfTheTableByEachRuleOfTies) {
  std::mt19937_64 random(16);
  const Symbols a = test::draw(700, 2, random), b = test::mutate(a, 40, 2, random);
  const ScoredPair pair(test::coded(a, b), 1, -1);
  for (const Ties ties : {Ties::left, Ties::right}) {
    const AlignmentRequest request{.script = true, .ties = ties, .gaps = {1, 1, {}}, .ends = local_ends};
    expect_alignment(align(pair, warpfold::test::by("strips", Device::Kind::cuda), request).solution,
                     align(pair, warpfold::test::by("table", Device::Kind::cpu), request).solution, pair);
  }
}

TEST_F(OnGpuAlign, ALocalAlignmentTakesTheMemoryThatTheEstimateNames) {
  std::mt19937_64 random(17);
  const ScoredPair pair(test::coded(test::draw(60'000, 4, random), test::draw(60'000, 4, random)), 1, -2);
  const Options options = warpfold::test::by("strips", Device::Kind::cuda);
  for (const bool script : {false, true}) {
    const AlignmentRequest request{.script = script, .gaps = {4, 1, {}}, .ends = local_ends};
    EXPECT_EQ(align(pair, options, request).report.peak_device_bytes,
              estimate_align(pair, options, request).device_bytes);
  }
}

TEST_F(OnGpuAlign, ScriptsByGroupsOfStripsAreThoseOfTheCpu) {
  std::mt19937_64 random(18);
  for (const std::size_t n : {257, 1025, 2049, 4097, 10'007}) {
    for (const std::size_t m : {1, 129, 1025, 9000}) {
      for (const std::uint64_t groups : {2, 3, 16, 1000}) {
        const FreeEnds ends = random() % 3 == 0 ? local_ends : ends_not_local()[random() % 16];
        expect_script_of_the_cpu(drawn_pair_of(n, m, random() % 2 ? 4 : 20, random), request_with(ends, random),
                                 groups);
        if (HasFatalFailure()) return;
      }
    }
  }
  expect_script_of_the_cpu(drawn_pair_of(60'000, 70'000, 4, random), {.gaps = {5, 2, {}}}, 5);
  expect_script_of_the_cpu(drawn_pair_of(70'000, 60'000, 4, random), {.gaps = {60, 0, {}}, .ends = overlap_ends}, 5);
}

TEST_F(OnGpuAlign, AScriptObeysALimitOfMemory) {
  std::mt19937_64 random(19);
  const Symbols a = test::draw(100'000, 4, random);
  const ScoredPair pair(test::coded(a, test::mutate(a, 7, 4, random)), 2, -3);
  for (const FreeEnds& ends : {global_ends, local_ends}) {
    const AlignmentRequest request{.script = true, .gaps = {5, 2, {}}, .ends = ends};
    Options options = warpfold::test::by("strips", Device::Kind::cuda);
    const auto found = align(pair, options, request);
    for (const std::size_t bytes : {std::size_t{100} << 20, std::size_t{50} << 20, std::size_t{35} << 20}) {
      ASSERT_LT(bytes, found.report.peak_device_bytes);
      options.max_device_memory = bytes;
      const auto with_less = align(pair, options, request);
      EXPECT_LE(with_less.report.peak_device_bytes, bytes);
      EXPECT_EQ(with_less.report.peak_device_bytes, estimate_align(pair, options, request).device_bytes);
      expect_alignment(with_less.solution, found.solution, pair);
    }
  }
}

/// Short gaps cost less by one piece and long ones by the other, in any order. Some draws need one piece alone.
GapCosts drawn_two_pieces(std::mt19937_64& random) {
  const auto number = [&](int below) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(below)); };
  const GapCosts::Piece of_long{number(40), number(3)};
  const GapCosts::Piece of_short{number(static_cast<int>(of_long.open) / 2 + 1), of_long.extend + number(4)};
  if (random() % 2) return {of_long.open, of_long.extend, of_short};
  return {of_short.open, of_short.extend, of_long};
}

FreeEnds drawn_ends(std::mt19937_64& random) {
  return random() % 3 == 0 ? local_ends : ends_not_local()[random() % 16];
}

/// B lacks parts of A and has others besides, of 1 to 99 symbols, so that both pieces are used.
ScoredPair pair_with_gaps(std::size_t n, std::mt19937_64& random) {
  const Symbols a = test::draw(n, 4, random);
  Symbols b;
  for (std::size_t at = 0; at < n; at += random() % 4 == 0 ? random() % 100 : 1) {
    const std::size_t more = random() % 60 == 0 ? random() % 100 : 0;
    for (std::size_t added = 0; added < more; ++added) b.push_back(static_cast<std::uint32_t>(random() % 4));
    b.push_back(random() % 12 ? a[at] : static_cast<std::uint32_t>(random() % 4));
    if (random() % 40 != 0) continue;
    at += random() % 100;
  }
  return {test::coded(a, b), 2, -3};
}

TEST_F(OnGpuAlign, TwoPiecesAreThoseOfTheCpu) {
  std::mt19937_64 random(20);
  for (std::size_t n = 1; n <= 40; ++n) {
    for (int round = 0; round < 8; ++round) {
      const ScoredPair pair = drawn_pair_of(n, 1 + random() % 80, round % 2 ? 2 : 20, random);
      const AlignmentRequest request{.gaps = drawn_two_pieces(random), .ends = drawn_ends(random)};
      expect_alignment_of_the_cpu(pair, request);
      expect_script_of_the_cpu(pair, request);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_F(OnGpuAlign, TwoPiecesAroundStripsTilesAndGroupsAreThoseOfTheCpu) {
  std::mt19937_64 random(21);
  for (const std::size_t n : {256, 257, 1024, 1025, 2049, 4097}) {
    for (const std::size_t m : {1, 33, 128, 129, 960, 1025, 2049, 5000}) {
      const AlignmentRequest request{.gaps = drawn_two_pieces(random), .ends = drawn_ends(random)};
      expect_script_of_the_cpu(drawn_pair_of(n, m, random() % 2 ? 4 : 20, random), request, 1 + random() % 4);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_F(OnGpuAlign, LongScriptsOfTwoPiecesAreThoseOfTheCpu) {
  std::mt19937_64 random(22);
  const GapCosts gaps{4, 2, GapCosts::Piece{24, 1}};
  for (const FreeEnds& ends : {global_ends, overlap_ends, local_ends}) {
    expect_script_of_the_cpu(pair_with_gaps(20'000, random), {.gaps = gaps, .ends = ends});
    expect_script_of_the_cpu(pair_with_gaps(12'000, random), {.gaps = {60, 0, GapCosts::Piece{1, 3}}, .ends = ends}, 3);
    if (HasFatalFailure()) return;
  }
}

TEST_F(OnGpuAlign, ScriptsOfTwoPiecesAreThoseOfTheTableByEachRuleOfTies) {
  std::mt19937_64 random(23);
  const ScoredPair pair = pair_with_gaps(700, random);
  for (const FreeEnds& ends : {global_ends, overlap_ends, local_ends}) {
    for (const Ties ties : {Ties::left, Ties::right}) {
      for (const GapCosts& gaps : {GapCosts{1, 1, GapCosts::Piece{3, 0}}, GapCosts{6, 1, GapCosts::Piece{0, 3}}}) {
        const AlignmentRequest request{.script = true, .ties = ties, .gaps = gaps, .ends = ends};
        expect_alignment(align(pair, warpfold::test::by("strips", Device::Kind::cuda), request).solution,
                         align(pair, warpfold::test::by("table", Device::Kind::cpu), request).solution, pair);
      }
    }
  }
}

TEST_F(OnGpuAlign, TwoPiecesTakeTheMemoryThatTheEstimateNames) {
  std::mt19937_64 random(24);
  const ScoredPair pair(test::coded(test::draw(30'000, 4, random), test::draw(30'000, 4, random)), 2, -3);
  const AlignmentRequest one{.script = true, .gaps = {24, 1, {}}};
  const AlignmentRequest two{.script = true, .gaps = {4, 2, GapCosts::Piece{24, 1}}};
  const Options options = warpfold::test::by("strips", Device::Kind::cuda);
  EXPECT_GT(estimate_align(pair, options, two).device_bytes, estimate_align(pair, options, one).device_bytes);
  EXPECT_EQ(align(pair, options, two).report.peak_device_bytes, estimate_align(pair, options, two).device_bytes);
}

TEST_F(OnGpuAlign, LongPairsOfTwoPiecesAreSolvedOnTheGpu) {
  std::mt19937_64 random(25);
  const ScoredPair pair(test::coded(test::draw(30'000, 4, random), test::draw(30'000, 4, random)), 2, -3);
  const AlignmentRequest request{.gaps = {4, 2, GapCosts::Piece{24, 1}}};
  EXPECT_EQ(align(pair, {}, request).report.device, "cuda:0");
}

// A few hundred symbols, a few strips and tiles, for compute-sanitizer (tests/device/sanitize).

void expect_small_alignment_of_the_cpu(const GapCosts& gaps, const FreeEnds& ends) {
  std::mt19937_64 random(26);
  const Symbols a = test::draw(520, 4, random), b = test::draw(1100, 4, random);
  const ScoredPair pair(test::coded(a, b), 2, -3);
  expect_script_of_the_cpu(pair, {.gaps = gaps, .ends = ends});
  if (testing::Test::HasFatalFailure()) return;
  expect_script_of_the_cpu(pair, {.gaps = gaps, .ends = ends}, 2);
}

TEST_F(OnGpuAlign, EveryKernelOfASmallGlobalAlignmentIsRight) {
  expect_small_alignment_of_the_cpu({5, 2, {}}, global_ends);
}

TEST_F(OnGpuAlign, EveryKernelOfASmallLocalAlignmentIsRight) {
  expect_small_alignment_of_the_cpu({5, 2, {}}, local_ends);
}

TEST_F(OnGpuAlign, EveryKernelOfASmallGlobalAlignmentOfTwoPiecesIsRight) {
  expect_small_alignment_of_the_cpu({4, 2, GapCosts::Piece{24, 1}}, global_ends);
}

TEST_F(OnGpuAlign, EveryKernelOfASmallLocalAlignmentOfTwoPiecesIsRight) {
  expect_small_alignment_of_the_cpu({4, 2, GapCosts::Piece{24, 1}}, local_ends);
}

TEST_F(OnGpuAlign, ScoresBeyondBytesAreLeftToTheCpu) {
  const ScoredPair pair(Coded("GATTACA", "GCATGCT"), 200, -1);
  EXPECT_THROW((void)align(pair, warpfold::test::by("strips", Device::Kind::cuda)), Error);
}

TEST_F(OnGpuAlign, ADeadlineEndsALongSolve) {
  std::mt19937_64 random(5);
  const ScoredPair pair(test::coded(test::draw(2'000'000, 4, random), test::draw(2'000'000, 4, random)), 1, -1);
  Options options = warpfold::test::by("strips", Device::Kind::cuda);
  options.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
  EXPECT_THROW((void)align(pair, options), Error);
}

TEST_F(OnGpuAlign, AScriptMayBeStopped) {
  std::mt19937_64 random(11);
  const ScoredPair pair(test::coded(test::draw(200'000, 4, random), test::draw(200'000, 4, random)), 1, -1);
  Options options = warpfold::test::by("strips", Device::Kind::cuda);
  std::stop_source source;
  options.stop = source.get_token();
  options.progress = [&](const Progress& progress) {
    if (progress.done >= progress.total) source.request_stop();
  };
  EXPECT_THROW((void)align(pair, options, {.script = true}), Error);
}

}  // namespace
}  // namespace warpfold::sequence
