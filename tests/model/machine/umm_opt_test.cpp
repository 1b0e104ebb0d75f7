// 2013: Theorem 1, Table I, Theorems 2 and 3.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "machine/formulas.hpp"
#include "model/machine/exact.hpp"
#include "warpfold/machine/algorithm.hpp"

namespace {

using namespace warpfold::machine;
using namespace warpfold::machine::test;

RunResult run_on(const char* name, const Machine& machine, std::uint32_t p, std::uint64_t n) {
  return run(find_algorithm(name), {.machine = machine, .threads = p, .n = n});
}

TEST(Theorem1Of2013, HoldsForEveryLengthAndFragmentation) {
  for (const std::uint32_t w : {1u, 4u, 32u}) {
    for (const std::uint32_t l : {1u, 9u}) {
      for (const std::uint64_t n : {1u, 5u, 64u, 100u, 1000u}) {
        for (const std::uint64_t f : {0u, 1u, 3u, 4u, 30u, 63u, 99u, 999u}) {
          if (f >= n) continue;
          RunRequest request{.machine = umm(w, l), .threads = 2 * w, .n = n};
          request.parameters["fragmentation"] = f;
          const RunResult result = run(find_algorithm("sequential"), request);
          EXPECT_TRUE(result.correct);
          EXPECT_EQ(time_of(result), result.formula) << "n=" << n << " f=" << f << " w=" << w;
          EXPECT_LE(time_of(result), formulas::sequential_bound(umm(w, l), 2 * w, n, f));
          const SequenceReport& sequence = result.report.phases.at(0).sequences.at(0);
          EXPECT_EQ(sequence.length, n);
          EXPECT_EQ(sequence.fragmentation, f);
        }
      }
    }
  }
}

// In the proof a warp with f gaps is in at most 2 f + 2 address groups. Aligned sequences stay at half of that.
TEST(Theorem1Of2013, NeedsTheProofsConstantTwoForUnalignedSequences) {
  const auto time = [](std::uint64_t start, std::uint64_t f, std::uint64_t jump) {
    RunRequest request{.machine = umm(4, 1), .threads = 256, .n = 4096};
    request.parameters = {{"start", start}, {"fragmentation", f}, {"jump", jump}};
    const RunResult result = run(find_algorithm("sequential"), request);
    EXPECT_TRUE(result.correct);
    EXPECT_EQ(time_of(result), result.formula);
    EXPECT_LE(time_of(result), formulas::sequential_bound(umm(4, 1), 256, 4096, f));
    return time_of(result);
  };
  EXPECT_EQ(time(0, 0, 8), 1024u);
  EXPECT_EQ(time(2, 0, 8), 2048u);     // every warp in two groups
  EXPECT_EQ(time(3, 2047, 6), 4096u);  // two pairs a warp, each in two groups: 2 * 1 + 2
}

struct Row {
  const char *loop, *access;
  std::uint64_t length, fragmentation;  // of all stages together
  bool writes = false;
};

const SequenceReport& sequence_of(const RunReport& report, const Row& row) {
  const auto phase = std::ranges::find(report.phases, row.loop, &PhaseReport::name);
  EXPECT_NE(phase, report.phases.end()) << row.loop;
  const auto sequence = std::ranges::find_if(
      phase->sequences, [&](const SequenceReport& one) { return one.name == row.access && one.writes == row.writes; });
  EXPECT_NE(sequence, phase->sequences.end()) << row.loop << ' ' << row.access;
  return *sequence;
}

TEST(Table1Of2013, HasTheMeasuredLengthsAndFragmentations) {
  for (const std::uint64_t n : {8u, 17u, 40u}) {
    const std::uint32_t p = 16;
    const RunReport report = run_on("umm-opt", umm(4, 5), p, n).report;
    const std::uint64_t stages = n - 2;
    std::uint64_t updates = 0, diagonals = 0, gaps = 0;
    for (std::uint64_t r = 1; r <= n - 2; ++r) {
      for (std::uint64_t i = 1; i <= n - r - 1; ++i) updates += std::min(n - 1, i + 2 * r - 1) - (i + r) + 1;
      diagonals += n - r - 1;
      gaps += n - r - 2;
    }
    const std::vector<Row> rows = {
        {"loop A", "M[i,j]", (n - 1) * (n - 2) / 2, n - 3, true},
        {"loop B", "M[i,j]", n - 1, n - 2, true},
        // In its right form, Loop C copies one element more per stage than the table says.
        {"loop C", "M[i,i+r-1]", diagonals + stages, gaps + stages},
        {"loop C", "b", diagonals + stages, 0, true},
        // Reads and writes are sequential accesses of their own.
        {"loop D", "M[i,j]", updates, gaps},
        {"loop D", "M[i,j]", updates, gaps, true},
        {"loop E", "M[i,j]", updates, gaps},
        {"loop E", "M[i,j]", updates, gaps, true},
        {"loop F", "M[i,j]", diagonals, gaps},
        {"loop F", "M[i,j]", diagonals, gaps, true},
        {"loop D", "M[i,i+r-1]", updates, gaps},
        {"loop D", "M[i+r,j]", updates, gaps},
        {"loop E", "M[i,j-r]", updates, gaps},
        {"loop F", "c[i-1,i+r]", diagonals, gaps},
    };
    for (const Row& row : rows) {
      const SequenceReport& measured = sequence_of(report, row);
      EXPECT_EQ(measured.length, row.length) << row.loop << ' ' << row.access << " n=" << n;
      EXPECT_EQ(measured.fragmentation, row.fragmentation) << row.loop << ' ' << row.access << " n=" << n;
      EXPECT_LT(measured.longest, n * n);
      EXPECT_LE(measured.time_units.count, 2 * measured.length / 4 + 2 * measured.fragmentation +
                                               measured.sequences * (2 + 4) + measured.length * 4 / p)
          << row.loop << ' ' << row.access;
    }
    // The table rounds the gaps of Loop E's reads of b up: rows of fewer than four elements leave no gap to the next
    // one.
    EXPECT_LT(sequence_of(report, {"loop E", "b", 0, 0}).fragmentation, gaps);
  }
}

// Theorem 1 is asymptotic. With the constants of its proof, summed over Table I, it bounds the whole algorithm.
TEST(Theorem2Of2013, HoldsWithConstant16InAllThreeCasesOfWAgainstN) {
  for (const std::uint64_t n : {8u, 16u, 24u}) {
    const auto size = static_cast<std::uint32_t>(n);
    for (const std::uint32_t w : {2u, 4u, size, 2 * size, 4 * size, size * size, 2 * size * size}) {
      for (const std::uint32_t warps : {1u, 4u}) {
        for (const std::uint32_t l : {1u, 10u, 200u}) {
          const RunResult result = run_on("umm-opt", umm(w, l), w * warps, n);
          EXPECT_TRUE(result.correct);
          EXPECT_LE(time_of(result), 16 * formulas::opt_bound(umm(w, l), w * warps, n))
              << "n=" << n << " w=" << w << " p=" << w * warps << " l=" << l;
        }
      }
    }
  }
}

double ratio(std::uint64_t n, std::uint32_t p, std::uint32_t w, std::uint32_t l) {
  const RunResult result = run_on("umm-opt", umm(w, l), p, n);
  return static_cast<double>(time_of(result)) / static_cast<double>(result.few_words_lower_bound.value());
}

// The algorithm makes four accesses where the lower bound counts one, and waits up to 13 times per diagonal. If w is
// about n, its rows of n/4 words on average take a stage each, eight times. In total the quotient is at most 48.
TEST(Theorem3Of2013, TheTimeOverTheLowerBoundStaysFlatAsNGrowsInAllThreeCasesOfW) {
  for (const double power : {0.0, 0.5, 1.0, 1.5, 2.0}) {
    double before = 48;
    for (const std::uint64_t n : {16u, 64u}) {
      const auto w = static_cast<std::uint32_t>(std::pow(static_cast<double>(n), power));
      const double now = ratio(n, 4 * std::max(w, 16u), w, 10);
      EXPECT_GE(now, 4);
      EXPECT_LE(now, 1.25 * before) << "n=" << n << " w=n^" << power;
      before = now;
    }
  }
}

TEST(Theorem3Of2013, TheTimeOverTheLowerBoundStaysFlatAsTheMachineGrows) {
  std::vector<double> ratios;
  for (const std::uint32_t p : {8u, 64u, 512u, 4096u}) ratios.push_back(ratio(48, p, 8, 10));
  for (const std::uint32_t w : {2u, 8u, 32u, 128u, 512u, 4096u}) ratios.push_back(ratio(48, 4096, w, 10));
  for (const std::uint32_t l : {1u, 10u, 100u, 1000u}) ratios.push_back(ratio(48, 64, 8, l));
  for (const double value : ratios) {
    EXPECT_GE(value, 4);
    EXPECT_LE(value, 48);
  }
}

// The proof of Theorem 3 reads a number for every split. A thread that keeps the table in its own memory does not.
TEST(Theorem3Of2013, IsNoBoundForAThreadThatKeepsTheTable) {
  const RunResult kept = run_on("opt-one-thread", umm(1, 100), 1, 64), flat = run_on("umm-opt", umm(1, 100), 1, 64);
  EXPECT_TRUE(kept.correct);
  EXPECT_EQ(time_of(kept), 195'300u);
  EXPECT_EQ(flat.few_words_lower_bound, 4'166'400u);
  EXPECT_EQ(flat.lower_bound, 195'200u);
  EXPECT_EQ(kept.lower_bound, flat.lower_bound);
}

TEST(Theorem3Of2013, EveryProgramTakesAtLeastTheBoundThatCountsTheWeights) {
  for (const std::uint64_t n : {3u, 4u, 9u, 20u}) {
    for (const std::uint32_t w : {1u, 4u}) {
      for (const std::uint32_t l : {1u, 30u}) {
        for (const char* name : {"opt-one-thread", "dp-opt", "umm-opt"}) {
          const RunResult result = run_on(name, umm(w, l), 4 * w, n);
          EXPECT_TRUE(result.correct) << name;
          EXPECT_EQ(result.lower_bound, formulas::opt_lower_bound(umm(w, l), 4 * w, n));
          EXPECT_GE(time_of(result), result.lower_bound) << name << " n=" << n << " w=" << w << " l=" << l;
        }
      }
    }
  }
}

TEST(Theorem2Of2013, DpOptNeedsTheFragmentedTimeInstead) {
  // With all latency hidden, DP-OPT needs a stage for nearly every access, and UMM-OPT one for w of them.
  const std::uint64_t n = 64;
  const RunResult fragmented = run_on("dp-opt", umm(32, 1), 64, n), sequential = run_on("umm-opt", umm(32, 1), 64, n);
  EXPECT_GT(time_of(fragmented), 3 * time_of(sequential));
}

}  // namespace
