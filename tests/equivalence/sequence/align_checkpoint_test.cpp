#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "equivalence/sequence/saved_by_memory.hpp"
#include "temporary_folder.hpp"
#include "unit/sequence/oracle.hpp"
#include "warpfold/checkpoint/checkpoint.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/instruction_set.hpp"
#include "warpfold/sequence/align.hpp"

/// Alignments with a checkpoint: the same as without, from any saved row on.
namespace warpfold::sequence {
namespace {

using test::coded;
using test::draw;
using Random = std::mt19937_64;

std::string text_of(const Alignment& found) {
  return fmt::format("{} {}:{} {}:{} {}", found.score, found.script.begin_a, found.end_a, found.script.begin_b,
                     found.end_b, found.script.cigar());
}

std::string align_text(const ScoredPair& pair, Options options, const AlignmentRequest& request) {
  options.algorithm = "strips";
  return text_of(align(pair, options, request).solution);
}

/// An end of a group is known only in part if a later group had a better one.
void expect_the_same(const ScoredPair& pair, const AlignmentRequest& request, std::size_t count) {
  SCOPED_TRACE(testing::Message() << pair.n() << " and " << pair.m() << " symbols, script " << request.script);
  test::expect_the_same_from_any_row_on([&](const Options& options) { return align_text(pair, options, request); },
                                        count, !request.ends.local);
}

/// In lanes of 8, 16 and 32 bits.
TEST(AlignmentCheckpoint, GoesOnFromAnyRowForAllEndsAndWidths) {
  Random random(1);
  const std::pair<std::int64_t, std::int64_t> scores[] = {{2, -3}, {90, -70}, {20'000, -30'000}};
  for (const auto& [n, m, count] : {std::tuple(1, 1, 1), {257, 300, 1}, {900, 1, 3}, {1537, 700, 6}}) {
    const auto a = draw(static_cast<std::size_t>(n), 4, random), b = draw(static_cast<std::size_t>(m), 4, random);
    for (const auto& [match, mismatch] : scores) {
      const ScoredPair pair(coded(a, b), match, mismatch);
      for (const FreeEnds& ends : {global_ends, local_ends, infix_ends, prefix_ends, overlap_ends}) {
        const GapCosts gaps{2 * match, match / 2, {}};
        for (const bool script : {false, true}) {
          expect_the_same(pair, {.script = script, .gaps = gaps, .ends = ends}, static_cast<std::size_t>(count));
        }
      }
      expect_the_same(pair, {.script = true, .ties = Ties::right, .gaps = {0, match, {}}},
                      static_cast<std::size_t>(count));
    }
  }
}

TEST(AlignmentCheckpoint, GoesOnWithAnyInstructionSet) {
  Random random(2);
  const auto a = draw(1300, 20, random), b = draw(900, 20, random);
  for (const auto& [match, mismatch] : {std::pair(2, -3), {900, -700}}) {
    const ScoredPair pair(coded(a, b), match, mismatch);
    const AlignmentRequest request{.script = true, .gaps = {3 * match, match, {}}, .ends = overlap_ends};
    test::expect_the_same_by_any_instruction_set(
        [&](const Options& options) { return align_text(pair, options, request); }, 6, 2);
  }
}

/// The grid of a script is coarse, and tiles begin above the restored row.
TEST(AlignmentCheckpoint, GoesOnInLittleMemory) {
  Random random(3);
  const auto a = draw(20'000, 4, random), b = test::mutate(a, 10, 4, random);
  const ScoredPair pair(coded(a, b), 2, -3);
  const AlignmentRequest request{.script = true, .gaps = {4, 1, {}}};
  const std::string expected = align_text(pair, {}, request);
  test::SavedByMemory complete;
  Options options;
  options.threads = 2;
  options.checkpointer = &complete;
  ASSERT_EQ(align_text(pair, options, request), expected);
  ASSERT_EQ(complete.count(), 21);
  options.max_memory = 21 * 8 * b.size() + 3'000'000;
  for (const std::size_t rows : {1, 12, 20}) {
    test::SavedByMemory resumed(complete.first_rows(rows));
    options.checkpointer = &resumed;
    EXPECT_EQ(align_text(pair, options, request), expected) << rows << " rows";
  }
}

TEST(AlignmentCheckpoint, TakesTheMemoryThatIsEstimated) {
  Random random(4);
  const auto a = draw(6000, 4, random), b = draw(9000, 4, random);
  const ScoredPair pair(coded(a, b), 1, -1);
  for (const bool script : {false, true}) {
    test::SavedByMemory saved;
    Options options;
    options.checkpointer = &saved;
    options.threads = 2;
    options.max_memory = estimate_align(pair, options, {.script = script}).bytes;
    const auto outcome = align(pair, options, {.script = script});
    EXPECT_EQ(outcome.report.algorithm, "strips");
    EXPECT_LE(outcome.report.peak_bytes, options.max_memory);
    EXPECT_GT(outcome.report.peak_bytes, 21 * 9000 * 8);
  }
}

TEST(AlignmentCheckpoint, OfOtherSymbolsScoresOrEndsIsRejected) {
  Random random(5);
  const auto a = draw(700, 4, random), b = draw(600, 4, random);
  const warpfold::test::TemporaryFolder folder;
  const std::string kept = (folder / "kept").string();
  Options options;
  options.algorithm = "strips";
  const AlignmentRequest request{.gaps = {2, 1, {}}};
  Checkpoint first(kept, std::chrono::seconds(0));
  test::Stopped stopped(first, 1);
  options.checkpointer = &stopped;
  EXPECT_THROW(static_cast<void>(align(ScoredPair(coded(a, b), 1, -1), options, request)), Error);
  const auto refusal = [&](const ScoredPair& pair, const AlignmentRequest& other) {
    return test::refusal_of(kept, options, [&](const Options& each) { return align(pair, each, other); });
  };
  const auto another = testing::HasSubstr("the checkpoint is of another problem");
  EXPECT_THAT(refusal(ScoredPair(coded(b, a), 1, -1), request), another);
  EXPECT_THAT(refusal(ScoredPair(coded(a, b), 2, -1), request), another);
  EXPECT_THAT(refusal(ScoredPair(coded(a, b), 1, -2), request), another);
  EXPECT_THAT(refusal(ScoredPair(coded(a, b), 1, -1), {.gaps = {1, 1, {}}}), another);
  EXPECT_THAT(refusal(ScoredPair(coded(a, b), 1, -1), {.gaps = {2, 2, {}}}), another);
  EXPECT_THAT(refusal(ScoredPair(coded(a, b), 1, -1), {.gaps = request.gaps, .ends = infix_ends}), another);
  EXPECT_EQ(refusal(ScoredPair(coded(a, b), 1, -1), request), "none");
}

/// Strips as high as a unit may have scores beyond 32 bits where those of a few rows have none.
TEST(AlignmentCheckpoint, GoesOnWithAllScoresThatAreAcceptedWithoutOne) {
  const Coded symbols("kitten", "sitting");
  int accepted = 0;
  for (std::int64_t score = 1'000'000; score < 200'000'000; score += score / 16) {
    const ScoredPair pair(symbols, score, -score);
    const AlignmentRequest request{.script = true, .gaps = {0, score, {}}};
    try {
      align_text(pair, {}, request);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      continue;
    }
    ++accepted;
    SCOPED_TRACE(score);
    expect_the_same(pair, request, 1);
  }
  EXPECT_GT(accepted, 10);
}

TEST(AlignmentCheckpoint, OfOneSymbolWithAMatrixHasItsScoreAlone) {
  const std::vector<std::uint32_t> a(300, 7), b(500, 7);
  const ScoredPair pair(a, b, ScoreMatrix({7, 9}, {3, -2, -2, 4}));
  test::SavedByMemory saved;
  Options options;
  options.checkpointer = &saved;
  EXPECT_EQ(align_text(pair, options, {}), align_text(pair, {}, {}));
  constexpr std::size_t others = 8;  // n, two costs of gaps and five ends
  EXPECT_EQ(saved.description().size(), (others + 1) * sizeof(std::int64_t) + 800 * sizeof(std::uint32_t));
}

/// By the strips of scores.
TEST(SequenceCheckpoint, OfOwnCostsGoesOnFromAnyRow) {
  Random random(8);
  const Coded pair = coded(draw(1100, 20, random), draw(1000, 20, random));
  const Request request{.script = true, .costs = {3, 3, 5}};
  test::expect_the_same_from_any_row_on(
      [&](const Options& options) {
        const auto [found, report] = edit_distance(pair, options, request);
        EXPECT_EQ(report.algorithm == "strips" || !options.checkpointer, true) << report.algorithm;
        return fmt::format("{} {}", found.distance.value_or(-1), found.script.cigar());
      },
      3);
}

}  // namespace
}  // namespace warpfold::sequence
