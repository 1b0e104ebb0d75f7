// The rows of docs/explanation/errata.md about the memory machines: the printed form fails, the corrected form is
// right.
#include <gtest/gtest.h>

#include "machine/formulas.hpp"
#include "warpfold/machine/algorithm.hpp"

namespace {

using namespace warpfold::machine;

bool is_right(const char* name, const Machine& machine, std::uint32_t p, std::uint64_t n, std::uint64_t seed,
              bool as_printed) {
  return run(find_algorithm(name), {.machine = machine, .threads = p, .n = n, .as_printed = as_printed, .seed = seed})
      .correct;
}

/// The number of right results for the seeds 1 .. instances.
int right(const char* name, const Machine& machine, std::uint32_t p, std::uint64_t n, int instances, bool as_printed) {
  int count = 0;
  for (int seed = 1; seed <= instances; ++seed) {
    count += is_right(name, machine, p, n, static_cast<std::uint64_t>(seed), as_printed);
  }
  return count;
}

TEST(Errata1, PrintedLoopCLeavesAStaleEntryAndTheCorrectedOneDoesNot) {
  int printed = 0, corrected = 0, instances = 0;
  for (std::uint64_t n = 4; n <= 12; ++n, instances += 20) {
    printed += right("umm-opt", umm(4, 2), 16, n, 20, true);
    corrected += right("umm-opt", umm(4, 2), 16, n, 20, false);
  }
  EXPECT_EQ(corrected, instances);
  EXPECT_LT(printed, instances / 2);
}

TEST(Errata6, DiagonalTransposeConflictsWhereTheWidthDoesNotDivideTheSide) {
  const auto stages = [](const char* name, std::uint64_t side, std::size_t phase, const char* array) {
    const RunResult result =
        run(find_algorithm(name), {.machine = dmm(32, 1), .threads = 32, .n = side * side, .as_printed = true});
    std::uint64_t both = 0;  // reads and writes
    for (const SequenceReport& sequence : result.report.phases.at(phase).sequences) {
      if (sequence.name == array) both += sequence.stages;
    }
    return both;
  };
  // The diagonal form has no separate printed form: it is the paper's own.
  const auto diagonal = [](std::uint64_t side) {
    return run(find_algorithm("transpose-diagonal"), {.machine = dmm(32, 1), .threads = 32, .n = side * side})
        .report.phases.at(1)
        .sequences.at(1)
        .stages;
  };
  EXPECT_EQ(diagonal(63), 3458u);
  EXPECT_EQ(formulas::ceil_div(63 * 63, 32), 125u);
  EXPECT_EQ(diagonal(64), 128u);
  // The four accesses of the straightforward form, side 63: both along a row and both along a column take 125.
  EXPECT_EQ(stages("transpose-straightforward", 63, 0, "a"), 4 * 125u);
  EXPECT_GT(stages("transpose-straightforward", 64, 0, "a"), 2 * 64 * 64u);
}

TEST(Errata7, PrintedColoringGraphLosesWordsAndSourceRowsDoNot) {
  for (const std::uint32_t w : {4u, 8u}) {
    EXPECT_EQ(right("permute-umm", umm(w, 2), 2 * w, w * w, 50, true), 0) << "w=" << w;
    EXPECT_EQ(right("permute-umm", umm(w, 2), 2 * w, w * w, 50, false), 50) << "w=" << w;
  }
}

TEST(Errata8, PrintedExchangesUndoThemselvesUnlessAllHappenAtOnce) {
  for (const std::uint64_t side : {4u, 8u}) {
    for (std::uint32_t p = 4; p <= side * side; p *= 2) {
      EXPECT_EQ(is_right("transpose-straightforward", umm(4, 2), p, side * side, 1, true), p == side * side);
      EXPECT_TRUE(is_right("transpose-straightforward", umm(4, 2), p, side * side, 1, false));
    }
  }
}

TEST(Errata9, TheRecurrencesBaseCaseDropsChordsAndTheAlgorithmsDoesNot) {
  EXPECT_LT(right("dp-opt", umm(4, 2), 8, 9, 20, true), 5);
  EXPECT_EQ(right("dp-opt", umm(4, 2), 8, 9, 20, false), 20);
}

TEST(Errata10, StageRReachesDiagonal2RMinus1) {
  for (std::uint64_t n = 3; n <= 20; ++n) {
    for (std::uint64_t r = 1; r <= n - 2; ++r) {
      const formulas::Trapezoid rows = formulas::umm_opt_rows(n, r);
      std::uint64_t farthest = 0, updates = 0, expected = 0;
      for (std::uint64_t q = 0; q < rows.size(); ++q) {
        const auto [row, column] = rows.at(q);
        farthest = std::max(farthest, r + column);
        updates += column < rows.length_of(row);
      }
      for (std::uint64_t i = 1; i <= n - r - 1; ++i) expected += std::min(n - 1, i + 2 * r - 1) - (i + r) + 1;
      EXPECT_EQ(farthest, std::min(n - 2, 2 * r - 1)) << "n=" << n << " r=" << r;
      EXPECT_EQ(updates, rows.size());
      EXPECT_EQ(rows.size(), expected);
    }
  }
}

TEST(Errata12, TheStraightforwardTransposesColumnsAreAsFarApartAsTheSideNotAsNOverP) {
  constexpr std::uint64_t side = 64, n = side * side;
  for (const std::uint32_t p : {1024u, 2048u, 4096u}) {
    const Machine machine = umm(32, 4);
    const RunResult run_as_printed = run(find_algorithm("transpose-straightforward"),
                                         {.machine = machine, .threads = p, .n = n, .as_printed = true});
    const auto time = static_cast<double>(run_as_printed.report.total.time_units.count);
    EXPECT_EQ(run_as_printed.bound, formulas::transpose_bound(machine, p, side, true));
    EXPECT_GT(time, 15 * *run_as_printed.bound);  // two accesses along rows and two along columns: at most 4 of them
    EXPECT_LE(time, 4 * formulas::transpose_bound(machine, p, side, false));
  }
}

/// 2013, section V, case 3, n < w < n^2: the rows of an n x n table that share an address group.
TEST(Errata13, WOverNRowsShareAnAddressGroup) {
  constexpr std::uint64_t n = 16, w = 32;
  std::vector<formulas::Interval> rows;
  for (std::uint64_t row = 0; row < n; ++row) rows.push_back({row * n, row * n + n - 1});
  const std::uint64_t groups = formulas::groups(rows, w);
  EXPECT_EQ(groups, n * n / w);
  EXPECT_EQ(n / groups, w / n);
}

}  // namespace
