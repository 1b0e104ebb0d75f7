#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <utility>

#include "sequence/align/strips/strips.hpp"
#include "unit/sequence/alignment_oracle.hpp"
#include "warpfold/core/instruction_set.hpp"

namespace warpfold::sequence::alignment {
namespace {

using strips::Diagonals;
using test::Symbols;

/// The outermost diagonals of a script.
Diagonals diagonals_of(const Script& script) {
  Diagonals reached{0, 0};
  std::int64_t diagonal = 0;
  for (const Run& run : script.runs()) {
    const auto length = static_cast<std::int64_t>(run.length);
    diagonal += run.edit == Edit::insertion ? length : run.edit == Edit::deletion ? -length : 0;
    reached.above = std::max(reached.above, static_cast<std::size_t>(std::max<std::int64_t>(diagonal, 0)));
    reached.below = std::max(reached.below, static_cast<std::size_t>(std::max<std::int64_t>(-diagonal, 0)));
  }
  return reached;
}

/// Any alignment from end to end, more often along a diagonal.
Script drawn_script(const ScoredPair& pair, std::mt19937_64& random) {
  Script script;
  std::size_t i = 0, j = 0;
  while (i < pair.n() || j < pair.m()) {
    const auto kind = random() % 8;
    const std::size_t gap = 1 + random() % 5;
    if (kind < 6 && i < pair.n() && j < pair.m()) {
      script.push(pair.matches(pair.a()[i], pair.b()[j]) ? Edit::match : Edit::substitution), ++i, ++j;
    } else if (j == pair.m() || (kind == 6 && i < pair.n())) {
      const std::size_t length = std::min(gap, pair.n() - i);
      script.push(Edit::deletion, length), i += length;
    } else {
      const std::size_t length = std::min(gap, pair.m() - j);
      script.push(Edit::insertion, length), j += length;
    }
  }
  return script;
}

std::int64_t score_of(const ScoredPair& pair, const Script& script, const GapCosts& gaps) {
  std::int64_t score = 0;
  std::size_t i = 0, j = 0;
  for (const Run& run : script.runs()) {
    const bool is_gap = run.edit == Edit::deletion || run.edit == Edit::insertion;
    if (is_gap) score -= gaps.of(run.length);
    for (std::uint64_t step = 0; step < run.length; ++step) {
      if (!is_gap) score += pair.score(pair.a()[i], pair.b()[j]);
      i += run.edit != Edit::insertion;
      j += run.edit != Edit::deletion;
    }
  }
  return score;
}

TEST(AlignmentBands, HaveTheDiagonalsOfAllAlignmentsOfAScore) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 5000; ++round) {
    const Symbols a = test::draw(1 + random() % 40, 2, random), b = test::draw(1 + random() % 40, 2, random);
    const ScoredPair pair(test::coded(a, b), static_cast<std::int64_t>(random() % 6),
                          -static_cast<std::int64_t>(random() % 6));
    const AlignmentRequest request{
        .gaps = {static_cast<std::int64_t>(random() % 6), static_cast<std::int64_t>(random() % 4), {}}};
    const Script script = drawn_script(pair, random);
    const Diagonals band = diagonals_of_score(size_of(pair, request), score_of(pair, script, request.gaps));
    const Diagonals reached = diagonals_of(script);
    ASSERT_LE(reached.below, band.below) << script.cigar();
    ASSERT_LE(reached.above, band.above) << script.cigar();
  }
}

TEST(AlignmentBands, OfEqualSequencesAreNarrow) {
  const ScoredPair pair(Coded(std::string(1000, 'a'), std::string(1000, 'a')), 2, -2);
  const Diagonals band = diagonals_of_score(size_of(pair, {.gaps = {4, 1, {}}}), 2000);
  EXPECT_EQ(band.below, 0u);
  EXPECT_EQ(band.above, 1u);
}

Alignment in_band(const ScoredPair& pair, const AlignmentRequest& request, const Diagonals& band, int threads,
                  std::size_t bytes) {
  Options options;
  options.threads = threads;
  if (bytes > 0) options.max_memory = bytes;
  Report report;
  Context context(options, report);
  return by_band({pair, request}, context, band);
}

/// Whether a band that a score below the largest allows gives the alignment of all cells.
void expect_same_in_bands(const ScoredPair& pair, const AlignmentRequest& request, std::mt19937_64& random,
                          const std::string& what) {
  Options options;
  options.algorithm = "strips";
  const Alignment expected = align(pair, options, request).solution;
  const Size size = size_of(pair, request);
  for (const std::uint64_t loss : {std::uint64_t{0}, random() % 200, random() % 2000}) {
    const Diagonals band = diagonals_of_score(size, expected.score - static_cast<std::int64_t>(loss));
    if (!strips::layout_of(size, 1, 1 << 20, band)) continue;
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{3'000'000}}) {
      const Alignment found = in_band(pair, request, band, 1 + static_cast<int>(random() % 3), bytes);
      ASSERT_EQ(found.score, expected.score) << what << ", diagonals " << band.below << " and " << band.above;
      ASSERT_EQ(found.script.cigar(), expected.script.cigar()) << what << ' ' << band.below << ' ' << band.above;
    }
  }
}

TEST(AlignmentBands, GiveTheAlignmentOfAllCells) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 40; ++round) {
    const std::uint32_t alphabet = std::array{2u, 4u, 20u, 300u}[random() % 4];
    const Symbols a = test::draw(1000 + random() % 5000, alphabet, random);
    Symbols b = test::mutate(a, 3 + random() % 60, alphabet, random);
    if (random() % 3 == 0) b.erase(b.begin() + 300, b.begin() + 300 + static_cast<std::ptrdiff_t>(random() % 600));
    const GapCosts gaps{static_cast<std::int64_t>(random() % 9), static_cast<std::int64_t>(random() % 4), {}};
    const auto match = static_cast<std::int64_t>(random() % 5), mismatch = -static_cast<std::int64_t>(random() % 9);
    const ScoredPair pair = random() % 2 && alphabet < 300
                                ? ScoredPair(a, b, test::drawn_matrix(alphabet, mismatch, match, random))
                                : ScoredPair(test::coded(a, b), match, mismatch);
    const std::string what =
        fmt::format("{} and {}, {} to {}, gap {} + {}", pair.n(), pair.m(), mismatch, match, gaps.open, gaps.extend);
    expect_same_in_bands(pair, {.script = true, .gaps = gaps}, random, what);
    if (HasFatalFailure()) return;
  }
}

/// Among them the largest scores and costs for 8 bits in a band, those beyond, and those beyond 16 bits.
TEST(AlignmentBands, HoldAllDifferencesOfEveryInstructionSet) {
  std::mt19937_64 random(3);
  for (const auto& set : instruction_sets()) {
    force_instruction_set(set);
    for (int round = 0; round < 16; ++round) {
      const Symbols a = test::draw(1500 + random() % 2000, 4, random), b = test::mutate(a, 30, 4, random);
      const auto factor = static_cast<std::int64_t>(std::array{1, 1, 1, 400}[random() % 4]);
      const auto match = factor * static_cast<std::int64_t>(1 + random() % 24);
      const GapCosts gaps{
          factor * static_cast<std::int64_t>(random() % 22), factor * static_cast<std::int64_t>(random() % 5), {}};
      const ScoredPair pair(test::coded(a, b), match, -factor * static_cast<std::int64_t>(random() % 40));
      expect_same_in_bands(pair, {.script = true, .gaps = gaps}, random,
                           fmt::format("{} {} {} + {}", set, match, gaps.open, gaps.extend));
      if (HasFatalFailure()) break;
    }
  }
  force_instruction_set("");
}

TEST(AlignmentBands, AreFoundBySequencesThatAreSimilarOrNot) {
  std::mt19937_64 random(4);
  const Symbols a = test::draw(25'000, 4, random);
  for (const Symbols& b :
       {test::mutate(a, 20, 4, random), test::mutate(a, 4, 4, random), test::draw(24'000, 4, random)}) {
    const ScoredPair pair(test::coded(a, b), 0, -4);
    for (const Ties ties : {Ties::left, Ties::right}) {
      const AlignmentRequest request{.script = true, .ties = ties, .gaps = {6, 2, {}}};
      Options options;
      options.algorithm = "strips";
      const Alignment expected = align(pair, options, request).solution;
      options.algorithm = "band";
      const auto found = align(pair, options, request);
      EXPECT_EQ(found.report.algorithm, "band");
      ASSERT_EQ(found.solution.score, expected.score);
      ASSERT_EQ(found.solution.script, expected.script);
      ASSERT_EQ(align(pair, options, {.gaps = request.gaps}).solution.score, expected.score);
    }
  }
}

TEST(AlignmentBands, AreTakenAfterDiagonals) {
  std::mt19937_64 random(5);
  const Symbols a = test::draw(40'000, 4, random);
  const ScoredPair pair(test::coded(a, test::mutate(a, 10, 4, random)), 0, -4);
  const auto found = align(pair, {}, {.gaps = {6, 2, {}}});
  EXPECT_EQ(found.report.algorithm, "band");
}

}  // namespace
}  // namespace warpfold::sequence::alignment
