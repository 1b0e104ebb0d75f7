#include "warpfold/checkpoint/checkpoint.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <string>

#include "equivalence/sequence/saved_by_memory.hpp"
#include "temporary_folder.hpp"
#include "unit/sequence/oracle.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/core/instruction_set.hpp"

/// Solves with a checkpoint. Stopped at any saved row and resumed, they give the distance and script of an
/// uninterrupted solve. Any other folder is rejected.
namespace warpfold::sequence {
namespace {

using test::coded;
using test::draw;
using testing::HasSubstr;
using Random = std::mt19937_64;

constexpr std::chrono::seconds at_once{0};

std::string text_of(const Distance& found) {
  return fmt::format("{} {}", found.distance.value_or(-1), found.script.cigar());
}
std::string text_of(const Subsequence& found) {
  return fmt::format("{} {}", found.length.value_or(-1), found.script.cigar());
}

/// By all cells.
std::string edit_text(const Coded& pair, Options options, const Request& request) {
  options.algorithm = "slices";
  return text_of(edit_distance(pair, options, request).solution);
}
std::string lcs_text(const Coded& pair, Options options, const Request& request) {
  options.algorithm = "slices";
  return text_of(lcs(pair, options, request).solution);
}

void expect_the_same_for_both_measures(const Coded& pair, std::size_t count) {
  for (const Request& request : {Request{}, Request{.script = true}, Request{.script = true, .ties = Ties::right}}) {
    SCOPED_TRACE(testing::Message() << pair.n() << " and " << pair.m() << " symbols, script " << request.script);
    test::expect_the_same_from_any_row_on([&](const Options& options) { return edit_text(pair, options, request); },
                                          count);
    test::expect_the_same_from_any_row_on([&](const Options& options) { return lcs_text(pair, options, request); },
                                          count);
  }
}

TEST(SequenceCheckpoint, GoesOnFromAnyRowToTheSameDistanceAndScript) {
  Random random(1);
  for (const auto& [n, m, count] : {std::tuple(1, 1, 1),
                                    {511, 64, 1},
                                    {513, 300, 1},
                                    {1600, 1, 3},
                                    {1537, 2049, 3},
                                    {5000, 700, 10},
                                    {3600, 4100, 6}}) {
    for (const std::uint32_t alphabet : {2U, 20U}) {
      const auto a = draw(static_cast<std::size_t>(n), alphabet, random);
      expect_the_same_for_both_measures(coded(a, draw(static_cast<std::size_t>(m), alphabet, random)),
                                        static_cast<std::size_t>(count));
    }
  }
}

/// Strips have other heights by other numbers of threads, and threads walk ahead in those that were restored.
TEST(SequenceCheckpoint, GoesOnInALongTable) {
  Random random(2);
  const auto a = draw(30'000, 4, random), b = test::mutate(a, 10, 4, random);
  const Coded pair = coded(a, b);
  const Request request{.script = true};
  test::SavedByMemory complete;
  Options options;
  options.threads = 2;
  const std::string expected = edit_text(pair, options, request);
  options.checkpointer = &complete;
  ASSERT_EQ(edit_text(pair, options, request), expected);
  ASSERT_EQ(complete.count(), 55);
  for (const std::size_t rows : {1, 20, 54, 55}) {
    for (const int threads : {1, 5}) {
      test::SavedByMemory resumed(complete.first_rows(rows));
      options.checkpointer = &resumed;
      options.threads = threads;
      EXPECT_EQ(edit_text(pair, options, request), expected) << rows << " rows, " << threads << " threads";
    }
  }
}

/// Vectors of other processors have other strips.
TEST(SequenceCheckpoint, GoesOnWithAnyInstructionSet) {
  Random random(7);
  const auto a = draw(2500, 20, random), b = draw(2200, 20, random);
  const Coded pair = coded(a, b);
  const Request request{.script = true};
  test::expect_the_same_by_any_instruction_set(
      [&](const Options& options) { return edit_text(pair, options, request); }, 3, 1);
}

TEST(SequenceCheckpoint, GoesOnToADistanceThatIsMoreThanTheBound) {
  Random random(6);
  const auto a = draw(2000, 4, random), b = draw(2000, 4, random);
  const Coded pair = coded(a, b);
  for (const std::uint64_t bound : {100, 1900}) {
    const Request request{.script = true, .max_distance = bound};
    test::expect_the_same_from_any_row_on([&](const Options& options) { return edit_text(pair, options, request); }, 3);
  }
}

/// What a run without a script has saved serves one with a script.
TEST(SequenceCheckpoint, OfAScoreIsOneOfItsScript) {
  Random random(3);
  const auto a = draw(3000, 4, random), b = draw(2500, 4, random);
  const Coded pair = coded(a, b);
  test::SavedByMemory score;
  Options options;
  options.checkpointer = &score;
  static_cast<void>(edit_distance(pair, options));
  test::SavedByMemory script(score.rows());
  options.checkpointer = &script;
  EXPECT_EQ(text_of(edit_distance(pair, options, {.script = true}).solution), edit_text(pair, {}, {.script = true}));
  EXPECT_TRUE(script.description() == score.description());
}

TEST(SequenceCheckpoint, IsKeptByTheAlgorithmsOfAllCells) {
  const Coded pair("kitten", "sitting");
  test::SavedByMemory of_edits, of_lcs, of_costs;
  Options options;
  options.checkpointer = &of_edits;
  EXPECT_EQ(edit_distance(pair, options).report.algorithm, "slices");
  options.checkpointer = &of_lcs;
  EXPECT_EQ(lcs(pair, options).report.algorithm, "slices");
  options.checkpointer = &of_costs;
  EXPECT_EQ(edit_distance(pair, options, {.costs = {2, 2, 3}}).report.algorithm, "strips");
  options.algorithm = "diagonals";
  try {
    static_cast<void>(edit_distance(pair, options));
    ADD_FAILURE() << "diagonals kept a checkpoint";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("algorithm 'diagonals' keeps no checkpoint: slices"));
  }
}

/// Limits at which the borders of tiles are all that is kept.
TEST(SequenceCheckpoint, GoesOnToTheSameScriptInLittleMemory) {
  Random random(6);
  const Coded pair = coded(draw(20'000, 4, random), draw(6000, 4, random));
  const auto fits = [&](std::size_t bytes) {
    test::SavedByMemory saved;
    Options options;
    options.checkpointer = &saved;
    options.threads = 4;
    options.max_memory = bytes;
    options.algorithm = "slices";
    try {
      return estimate_edit_distance(pair, options, {.script = true}).bytes <= bytes;
    } catch (const Error&) {
      return false;
    }
  };
  std::size_t bytes = 64'000;
  while (!fits(bytes)) bytes += bytes / 16;
  test::expect_the_same_from_any_row_on(
      [&](Options options) {
        options.max_memory = bytes;
        return edit_text(pair, options, {.script = true});
      },
      36);
}

TEST(SequenceCheckpoint, TakesTheMemoryThatIsEstimated) {
  Random random(4);
  const auto a = draw(20'000, 4, random), b = draw(30'000, 4, random);
  const Coded pair = coded(a, b);
  for (const bool script : {false, true}) {
    test::SavedByMemory saved;
    Options options;
    options.checkpointer = &saved;
    options.threads = 2;
    options.max_memory = estimate_edit_distance(pair, options, {.script = script}).bytes;
    const auto outcome = edit_distance(pair, options, {.script = script});
    EXPECT_LE(outcome.report.peak_bytes, options.max_memory);
    EXPECT_GT(outcome.report.peak_bytes, 36 * 30'000 / 4);  // rows of two bits a symbol
  }
}

/// Folders.
class SequenceFolder : public testing::Test {
 protected:
  SequenceFolder() {
    Random random(5);
    a_ = draw(12'000, 4, random);
    b_ = draw(12'000, 4, random);
  }

  /// Stops after some saved rows.
  void save(std::size_t rows) {
    Checkpoint checkpoint(kept_, at_once);
    test::Stopped stopped(checkpoint, rows);
    try {
      static_cast<void>(edit_distance(coded(a_, b_), by(stopped)));
      ADD_FAILURE() << "the solve was not stopped";
    } catch (const Error& error) {
      EXPECT_EQ(error.what(), fmt::format("cancelled: {} keeps {} of 21 super-tiles", kept_, rows));
    }
  }
  static Options by(Checkpointer& checkpoint) {
    Options options;
    options.threads = 1;
    options.checkpointer = &checkpoint;
    return options;
  }
  /// The error of a resumed solve.
  template <class Solve>
  std::string refusal(const Solve& solve) {
    Options options;
    options.threads = 1;
    return test::refusal_of(kept_, options, solve);
  }
  std::string refusal_of(const test::Symbols& a, const test::Symbols& b, const Request& request = {}) {
    return refusal([&](const Options& options) { return edit_distance(coded(a, b), options, request); });
  }

  warpfold::test::TemporaryFolder folder_;
  std::string kept_ = (folder_ / "kept").string();
  test::Symbols a_, b_;
};

TEST_F(SequenceFolder, IsResumedByASolveOfTheSameProblem) {
  save(8);
  Checkpoint again = Checkpoint::resumed(kept_);
  Options options = by(again);
  options.threads = 2;
  EXPECT_EQ(text_of(edit_distance(coded(a_, b_), options, {.script = true}).solution),
            edit_text(coded(a_, b_), {}, {.script = true}));
  EXPECT_EQ(again.count().all, 21);
  EXPECT_EQ(again.count().resumed, 8);
}

TEST_F(SequenceFolder, OfAnotherProblemIsRejected) {
  save(2);
  auto other = b_;
  other[7000] ^= 1;
  const std::string another = kept_ +
                              ": the checkpoint is of another problem: its input, or an option that the table "
                              "depends on, differs";
  EXPECT_EQ(refusal_of(a_, other), another);
  EXPECT_EQ(refusal_of(other, b_), another);
  EXPECT_EQ(refusal_of(b_, a_), another);
  EXPECT_EQ(refusal_of(a_, b_, {.script = true, .ties = Ties::right}), another);
  EXPECT_EQ(refusal([&](const Options& options) { return lcs(coded(a_, b_), options); }),
            kept_ + ": the checkpoint is of edit, the solve of lcs");
  other.push_back(1);
  EXPECT_EQ(refusal_of(a_, other), kept_ + ": the checkpoint is of 24000 symbols, the solve of 24001");
}

/// The symbols that move from one sequence to the other leave their sum as it is.
TEST_F(SequenceFolder, OfOtherLengthsIsRejected) {
  save(2);
  b_.insert(b_.begin(), a_.back());
  a_.pop_back();
  EXPECT_THAT(refusal_of(a_, b_), HasSubstr("is of another problem"));
}

TEST_F(SequenceFolder, ThatIsCutOffOrDamagedIsRejected) {
  save(2);
  const std::string tiles = (folder_ / "kept" / "tiles").string(), list = (folder_ / "kept" / "list").string();
  std::filesystem::resize_file(tiles, 100);
  EXPECT_EQ(refusal_of(a_, b_), kept_ + ": tiles: super-tile (0,0) is cut off");
  std::filesystem::resize_file(tiles, 1 << 20);
  EXPECT_EQ(refusal_of(a_, b_), kept_ + ": tiles: super-tile (0,0) is damaged: its checksum differs");
  std::filesystem::resize_file(list, 100);
  EXPECT_EQ(refusal_of(a_, b_), list + ": is damaged or cut off");
}

}  // namespace
}  // namespace warpfold::sequence
