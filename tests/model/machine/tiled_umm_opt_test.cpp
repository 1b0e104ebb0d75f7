// Tiled UMM-OPT on the HMM, and random address shift, which the papers name as future work.
#include <gtest/gtest.h>

#include "machine/formulas.hpp"
#include "warpfold/machine/algorithm.hpp"
#include "warpfold/machine/cost.hpp"

namespace {

using namespace warpfold::machine;

RunResult run_tiled(const Machine& machine, std::uint32_t p, std::uint64_t n, std::uint64_t tile,
                    Timing timing = Timing::lockstep) {
  RunRequest request{.machine = machine, .threads = p, .n = n};
  request.options.timing = timing;
  request.parameters["tile"] = tile;
  return run(find_algorithm("tiled-umm-opt"), request);
}

std::uint64_t time_of(const RunResult& result) { return result.report.total.time_units.count; }

TEST(TiledUmmOpt, TakesExactlyTheFormulaForEveryParameter) {
  struct Size {
    std::uint32_t d, w, l, shared, q;  // q threads a multiprocessor
    std::uint64_t n, tile;
  };
  for (const Size& size : std::vector<Size>{{2, 4, 20, 2, 16, 24, 4},
                                            {1, 4, 20, 2, 16, 24, 4},
                                            {4, 4, 20, 2, 16, 24, 4},
                                            {16, 4, 20, 2, 16, 24, 4},
                                            {2, 2, 20, 2, 16, 24, 4},
                                            {2, 4, 1, 2, 16, 24, 4},
                                            {2, 4, 20, 1, 16, 24, 4},
                                            {2, 4, 20, 7, 16, 24, 4},
                                            {2, 4, 20, 2, 4, 24, 4},
                                            {2, 4, 20, 2, 64, 24, 4},
                                            {2, 4, 20, 2, 12, 24, 8},
                                            {2, 4, 20, 2, 16, 24, 12},
                                            {3, 4, 20, 2, 16, 23, 8},
                                            {2, 4, 20, 2, 16, 3, 4},
                                            {2, 1, 20, 2, 8, 5, 1},
                                            {2, 4, 20, 2, 16, 33, 8}}) {
    const Machine machine = hmm(size.d, size.w, size.l, size.shared);
    const RunResult result = run_tiled(machine, size.d * size.q, size.n, size.tile);
    EXPECT_TRUE(result.correct) << to_string(machine) << " n=" << size.n;
    EXPECT_EQ(time_of(result), result.formula) << to_string(machine) << " n=" << size.n << " tile=" << size.tile;
    EXPECT_GE(time_of(result), result.lower_bound);
    EXPECT_GE(time_of(result), result.few_words_lower_bound);
    const RunResult pipelined = run_tiled(machine, size.d * size.q, size.n, size.tile, Timing::pipelined);
    EXPECT_TRUE(pipelined.correct);
    EXPECT_LE(time_of(pipelined), time_of(result));
  }
}

TEST(TiledUmmOpt, GainsFromMultiprocessorsUntilTheGlobalMemorySetsTheTime) {
  const std::uint64_t n = 128, tile = 16;
  std::vector<std::uint64_t> times;
  for (const std::uint32_t d : {1u, 4u, 16u}) {
    const RunResult result = run_tiled(hmm(d, 16, 20, 2), 256 * d, n, tile);
    EXPECT_TRUE(result.correct);
    EXPECT_EQ(time_of(result), result.formula);
    times.push_back(time_of(result));
  }
  EXPECT_GT(times[0], 2 * times[1]);
  EXPECT_GT(times[1], times[2]);
}

// If latencies are hidden, the time divided by n^3/w tends to 1/3 ((1 + 1/tile)/d + 1/tile). This is a constant for
// constant d, and tends to 0 if d and the tile side grow with n.
TEST(TiledUmmOpt, IsBelowAnyFractionOfNCubedOverWOnlyWhereDAndTheTileGrow) {
  const auto fraction = [](std::uint32_t d, std::uint64_t n, std::uint64_t tile) {
    const Machine machine = hmm(d, 4, 1, 1);
    const auto size = static_cast<double>(n);
    return static_cast<double>(formulas::tiled_umm_opt(machine, static_cast<std::uint32_t>(d * tile * tile), n, tile)) /
           (size * size * size / machine.width);
  };
  EXPECT_NEAR(fraction(1, 32768, 16), (1 + 2.0 / 16) / 3, 0.005);
  EXPECT_NEAR(fraction(4, 32768, 16), ((1 + 1.0 / 16) / 4 + 1.0 / 16) / 3, 0.005);
  EXPECT_GT(fraction(1, 8192, 64), 1.0 / 3);     // a constant d is not enough
  EXPECT_GT(fraction(256, 8192, 16), 1.0 / 48);  // nor is a constant tile
  EXPECT_LT(fraction(4, 1024, 16), fraction(2, 256, 8) * 0.75);
  EXPECT_LT(fraction(8, 4096, 32), fraction(4, 1024, 16) * 0.75);
  EXPECT_LT(fraction(16, 16384, 64), fraction(8, 4096, 32) * 0.75);
}

TEST(RandomShift, KeepsTheContentsAndSpreadsAColumnLikeBallsOverBins) {
  Machine machine = dmm(16, 1);
  machine.mapping = Mapping::random_shift;
  RunRequest request{.machine = machine, .threads = 64, .n = 64 * 64};
  double stages = 0;
  constexpr int trials = 40;
  for (int seed = 1; seed <= trials; ++seed) {
    request.machine.mapping_seed = static_cast<std::uint64_t>(seed);
    const RunResult result = run(find_algorithm("transpose-straightforward"), request);
    EXPECT_TRUE(result.correct);
    // A column of 16 consecutive rows, seen by the cost of one step.
    WarpAccess column;
    for (std::uint32_t lane = 0; lane < 16; ++lane) column.lanes.push_back({lane, (lane + 16 * seed) * 16u});
    stages += step_cost(request.machine, {column}).warps[0].stages;
  }
  const double expected = formulas::expected_largest_bin(16);
  EXPECT_NEAR(stages / trials, expected, 0.5);
  request.machine.mapping = Mapping::none;
  WarpAccess column;
  for (std::uint32_t lane = 0; lane < 16; ++lane) column.lanes.push_back({lane, lane * 16u});
  EXPECT_EQ(step_cost(request.machine, {column}).warps[0].stages, 16u);
}

TEST(RandomShift, ExpectedLargestBinIsThatOfSmallCases) {
  EXPECT_NEAR(formulas::expected_largest_bin(1), 1, 1e-12);
  EXPECT_NEAR(formulas::expected_largest_bin(2), 1.5, 1e-12);       // 2 of the 4 outcomes put both in one bin
  EXPECT_NEAR(formulas::expected_largest_bin(3), 17.0 / 9, 1e-12);  // of 27: 6 ones, 18 twos, 3 threes
  EXPECT_NEAR(formulas::expected_largest_bin(32), 3.53, 0.01);
}

TEST(RandomShift, LeavesContiguousAccessesFreeOfConflicts) {
  Machine machine = dmm(8, 3);
  machine.mapping = Mapping::random_shift;
  const RunResult result = run(find_algorithm("contiguous"), {.machine = machine, .threads = 16, .n = 64});
  EXPECT_TRUE(result.correct);
  EXPECT_EQ(time_of(result), formulas::contiguous(machine, 16, 64));
}

}  // namespace
