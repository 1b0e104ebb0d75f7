#include <gtest/gtest.h>

#include "machine/formulas.hpp"
#include "warpfold/machine/algorithm.hpp"

namespace {

using namespace warpfold::machine;

std::vector<Machine> machines(std::uint32_t w, std::uint32_t l) { return {pram(), bpram(w), dmm(w, l), umm(w, l)}; }

RunResult run_named(const char* name, const Machine& machine, std::uint32_t p, std::uint64_t n) {
  return run(find_algorithm(name), {.machine = machine, .threads = p, .n = n});
}

TEST(Theorem1Of2012, ContiguousAccessTakesExactlyTheFormula) {
  for (const std::uint32_t w : {1u, 4u, 6u, 32u}) {
    for (const std::uint32_t l : {1u, 2u, 7u, 100u}) {
      for (const std::uint32_t warps : {1u, 2u, 5u}) {
        for (const std::uint64_t n : {0u, 1u, 3u, 31u, 32u, 33u, 960u, 1001u}) {
          for (const Machine& machine : machines(w, l)) {
            const RunResult result = run_named("contiguous", machine, w * warps, n);
            EXPECT_TRUE(result.correct);
            EXPECT_EQ(result.report.total.time_units.count, result.formula) << to_string(machine) << " n=" << n;
            EXPECT_GE(result.report.total.time_units.count, result.lower_bound);
          }
        }
      }
    }
  }
}

TEST(Theorem1Of2012, StrideAccessTakesExactlyTheFormula) {
  for (const std::uint32_t w : {1u, 4u, 6u, 32u}) {
    for (const std::uint32_t l : {1u, 2u, 50u}) {
      for (const std::uint32_t warps : {1u, 3u}) {
        for (const std::uint64_t s : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 8u, 12u, 31u, 32u, 33u, 48u, 64u}) {
          for (const Machine& machine : machines(w, l)) {
            const RunResult result = run_named("stride", machine, w * warps, s * w * warps);
            EXPECT_TRUE(result.correct);
            EXPECT_EQ(result.report.total.time_units.count, result.formula) << to_string(machine) << " s=" << s;
          }
        }
      }
    }
  }
}

TEST(Bounds, AreThePapersExpressionOfTheSize) {
  for (const Machine& machine : machines(4, 5)) {
    const double expression = formulas::optimal(machine, 16, 64);
    for (const char* name : {"contiguous", "transpose-diagonal", "permute-straightforward"}) {
      EXPECT_EQ(run_named(name, machine, 16, 64).bound, expression) << name << " on " << to_string(machine);
    }
  }
  EXPECT_EQ(run_named("permute-dmm", dmm(4, 5), 16, 64).bound, 64 / 4 + 64 * 5 / 16);
  EXPECT_EQ(run_named("transpose-straightforward", pram(), 16, 64).bound, 64 / 16);
}

TEST(Theorem1Of2012, TheBoundsOfTable1HoldWithConstant1WherePDividesN) {
  for (const Machine& machine : machines(4, 5)) {
    for (const std::uint64_t s : {1u, 2u, 3u, 4u, 7u, 16u}) {
      const std::uint32_t p = 16;
      const double n = static_cast<double>(s * p);
      EXPECT_LE(run_named("contiguous", machine, p, s * p).report.total.time_units.count,
                formulas::optimal(machine, p, n));
      const RunResult stride = run_named("stride", machine, p, s * p);
      EXPECT_LE(stride.report.total.time_units.count, stride.bound);
      EXPECT_EQ(stride.bound, formulas::stride_bound(machine, p, s * p));
    }
  }
}

}  // namespace
