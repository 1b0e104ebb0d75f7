// The HMM: programs of one memory run in its global UMM, others go through its shared memories.
#include <gtest/gtest.h>

#include <algorithm>

#include "machine/formulas.hpp"
#include "model/machine/exact.hpp"
#include "warpfold/core/error.hpp"

namespace {

using namespace warpfold::machine;
using namespace warpfold::machine::test;

/// `n` on the HMM, each parameter varied around a common point.
std::vector<Size> around(std::uint64_t n) {
  return {{n, 32, 4, 9, 2, 3},  {n, 16, 4, 9, 1, 3}, {n, 64, 4, 9, 2, 3},  {n, 96, 4, 9, 3, 3},
          {n, 640, 4, 9, 5, 3}, {n, 32, 2, 9, 2, 3}, {n, 32, 1, 9, 2, 3},  {n, 32, 4, 1, 2, 1},
          {n, 32, 4, 90, 2, 3}, {n, 32, 4, 9, 2, 1}, {n, 32, 4, 9, 2, 40}, {n, 64, 4, 9, 16, 3}};
}

TEST(TheHmm, TakesTheTimeOfItsUmmWithoutItsSharedMemories) {
  int compared = 0;
  for (const Algorithm& algorithm : algorithms()) {
    if (std::ranges::count(algorithm.machines, Kind::umm) == 0) continue;
    if (algorithm.name.starts_with("opt-blocks")) continue;  // go through shared memories if there are any
    const Size size{16, 16, 4, 9, 2, 3};
    const RunResult hmm = run_on(algorithm.name, Kind::hmm, size), umm = run_on(algorithm.name, Kind::umm, size);
    EXPECT_TRUE(hmm.correct) << algorithm.name;
    EXPECT_EQ(time_of(hmm), time_of(umm)) << algorithm.name;
    EXPECT_EQ(hmm.formula, umm.formula) << algorithm.name;
    EXPECT_EQ(hmm.bound, umm.bound) << algorithm.name;
    EXPECT_EQ(hmm.lower_bound, umm.lower_bound) << algorithm.name;
    ++compared;
  }
  EXPECT_GE(compared, 25);
}

TEST(TheHmm, SumsTakeExactlyTheirFormulasForEveryN) {
  for (const std::uint64_t n : {1u, 2u, 3u, 7u, 16u, 31u, 32u, 33u, 100u, 257u, 1000u}) {
    EXPECT_EQ(expect_exact("sum-hmm", around(n), {Kind::hmm}), 12);
    EXPECT_EQ(expect_exact("prefix-sums-hmm", around(n), {Kind::hmm}), 12);
  }
  EXPECT_EQ(expect_exact("prefix-sums-hmm", {{50, 34, 1, 9, 17, 2}}, {Kind::hmm}), 1);  // each thread has several parts
  EXPECT_EQ(expect_exact("sum-hmm", {{50, 34, 1, 9, 17, 2}}, {Kind::hmm}), 1);
}

TEST(TheHmm, SumsStayWithinConstantsOfTheirBounds) {
  for (const std::uint64_t n : {1u, 100u, 5000u}) {
    for (const Size& size : around(n)) {
      const RunResult sum = run_on("sum-hmm", Kind::hmm, size), prefix = run_on("prefix-sums-hmm", Kind::hmm, size);
      EXPECT_LE(time_of(sum), 8 * *sum.bound) << to_string(sum.report.machine) << " n=" << n;
      EXPECT_LE(time_of(prefix), 16 * *prefix.bound) << to_string(sum.report.machine) << " n=" << n;
    }
  }
}

TEST(TheHmm, TransposeTakesExactlyTheFormulaForEveryPadding) {
  for (const std::uint64_t padding : {0u, 1u, 2u, 3u, 4u}) {
    for (const std::uint64_t side : {4u, 8u, 20u}) {
      std::vector<Size> sizes;
      for (const Size& size : around(side * side)) {
        if (padding <= size.w) sizes.push_back(size);
      }
      EXPECT_EQ(expect_exact("transpose-hmm", sizes, {Kind::hmm}, {{"padding", padding}}),
                static_cast<int>(sizes.size()));
      EXPECT_GE(sizes.size(), 10u);
    }
  }
}

TEST(TheHmm, APaddedTileHasNoConflictAndAnUnpaddedOneNothingElse) {
  const Size size{64 * 64, 256, 8, 1, 4, 1};
  const RunResult padded = run_on("transpose-hmm", Kind::hmm, size);
  const RunResult plain = run_on("transpose-hmm", Kind::hmm, size, false, Timing::lockstep, {{"padding", 0}});
  EXPECT_EQ(padded.report.total.histogram.size(), 2u);  // no dispatch of 2 stages or more
  EXPECT_EQ(plain.report.total.histogram.size(), 9u);
  EXPECT_EQ(plain.report.total.histogram[8], 64u * 64 / 8);  // every read of a column
  EXPECT_EQ(plain.report.total.accesses(), padded.report.total.accesses());
}

TEST(TheHmm, TransposeBeatsTheOtherMachinesOfItsWidthWhereLatencyIsHidden) {
  const Size size{64 * 64, 256, 8, 4, 4, 1};
  const std::uint64_t hmm = time_of(run_on("transpose-hmm", Kind::hmm, size));
  for (const char* name : {"transpose-straightforward", "transpose-diagonal", "transpose-rotating"}) {
    for (const Kind kind : banked) EXPECT_LT(hmm, time_of(run_on(name, kind, size))) << name;
  }
}

TEST(TheHmm, PermutationTakesExactlyTheFormula) {
  for (const std::uint64_t side : {4u, 8u, 12u, 20u}) {
    EXPECT_EQ(expect_exact("permute-hmm", around(side * side), {Kind::hmm}), 12);
  }
}

TEST(TheHmm, PermutesAsManyRowsAtOnceAsThreadsAndMultiprocessorsShare) {
  const Machine machine = hmm(4, 8, 9, 3);
  EXPECT_EQ(formulas::rows_at_once(machine, 4 * 32, 64), 1u);
  EXPECT_EQ(formulas::rows_at_once(machine, 4 * 256, 64), 4u);
  EXPECT_EQ(formulas::rows_at_once(machine, 4 * 4096, 64), 16u);
  EXPECT_EQ(formulas::rows_at_once(machine, 4 * 200, 40), 5u);
  EXPECT_EQ(formulas::rows_at_once(machine, 4 * 280, 40), 5u);  // 7 do not divide 40
  EXPECT_EQ(formulas::rows_at_once(hmm(64, 8, 9, 3), 64 * 4096, 40), 1u);
  EXPECT_EQ(expect_exact("permute-hmm", {{64 * 64, 4 * 256, 8, 9, 4, 3}, {40 * 40, 4 * 280, 8, 9, 4, 3}}, {Kind::hmm}),
            2);
}

TEST(TheHmm, PermutationNeverMeetsAConflict) {
  const RunResult result = run_on("permute-hmm", Kind::hmm, {32 * 32, 64, 8, 5, 2, 2});
  EXPECT_TRUE(result.correct);
  EXPECT_EQ(result.report.total.histogram.size(), 2u);
}

TEST(TheHmm, MatrixProductTakesExactlyTheFormula) {
  for (const std::uint64_t n : {4u, 8u, 12u, 20u}) {
    EXPECT_EQ(expect_exact("matrix-product-hmm", around(n), {Kind::hmm}), 12);
  }
}

TEST(TheHmm, MatrixProductStaysWithinFourTimesItsBoundWhereEveryThreadHasAWordOfATile) {
  for (const std::uint64_t n : {16u, 32u}) {
    for (const Size& size : around(n)) {
      if (size.p / size.d > size.w * size.w) continue;  // idle threads do not count in n^3/p
      const RunResult result = run_on("matrix-product-hmm", Kind::hmm, size);
      EXPECT_LE(time_of(result), 4 * *result.bound) << to_string(result.report.machine) << " n=" << n;
    }
  }
}

// With tiles of w x w words, each word is read n/w times from global memory instead of n times.
TEST(TheHmm, MatrixProductReadsGlobalMemoryWTimesLess) {
  const Size size{32, 128, 8, 10, 2, 1};
  const RunResult flat = run_on("matrix-product", Kind::hmm, size),
                  tiled = run_on("matrix-product-hmm", Kind::hmm, size);
  const auto global_reads = [](const RunResult& result) {
    std::uint64_t reads = 0;
    for (const PhaseReport& phase : result.report.phases) {
      for (const SequenceReport& sequence : phase.sequences) {
        if (sequence.name == "a" || sequence.name == "b") reads += sequence.length;
      }
    }
    return reads;
  };
  EXPECT_EQ(global_reads(flat), 2u * 32 * 32 * 32);
  EXPECT_EQ(global_reads(tiled), global_reads(flat) / 8);
  EXPECT_LT(time_of(tiled), time_of(flat));
}

TEST(RandomShift, LeavesEveryProgramRightAndTakesItsFormulaAway) {
  for (const Algorithm& algorithm : algorithms()) {
    RunRequest request{.machine = hmm(2, 4, 9, 2), .threads = 16, .n = 16};
    if (std::ranges::count(algorithm.machines, Kind::hmm) == 0) request.machine = dmm(4, 9);
    request.machine.mapping = Mapping::random_shift;
    const RunResult result = run(algorithm, request);
    EXPECT_TRUE(result.correct) << algorithm.name;
    EXPECT_FALSE(result.formula) << algorithm.name;
    EXPECT_GE(time_of(result), result.lower_bound) << algorithm.name;
  }
}

TEST(TheHmm, ProgramsRefuseSizesThatTheyCannotCut) {
  const auto refused = [](const char* name, std::uint64_t n, const Parameters& parameters = {}) {
    try {
      run_on(name, Kind::hmm, {n, 32, 4, 9, 2, 2}, false, Timing::lockstep, parameters);
    } catch (const warpfold::Error& error) {
      EXPECT_EQ(error.kind(), warpfold::ErrorKind::usage);
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refused("transpose-hmm", 36), "n is 36: the square of a multiple of the width is accepted");
  EXPECT_EQ(refused("transpose-hmm", 16, {{"padding", 5}}), "padding is 5: 0 to the width is accepted");
  EXPECT_EQ(refused("permute-hmm", 36), "n is 36: the square of a multiple of the width is accepted");
  EXPECT_EQ(refused("sum-hmm", 0), "n is 0: 1 or more words is accepted");
  EXPECT_EQ(refused("prefix-sums-hmm", 0), "n is 0: 1 or more words is accepted");
  EXPECT_EQ(refused("matrix-product-hmm", 6), "n is 6: a multiple of the width is accepted");
  EXPECT_EQ(refused("matrix-product-hmm", 0), "n is 0: 1 to 65535 rows is accepted");
}

}  // namespace
