// Compares every algorithm with its formula. n, p, w and l vary one by one around a common point, and together.
#include "machine/formulas.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/machine/exact.hpp"
#include "warpfold/core/error.hpp"

namespace {

using namespace warpfold::machine;
using namespace warpfold::machine::test;

TEST(Formulas, OfTheTransposesAreExactWhereTheWidthDividesTheSide) {
  const std::vector<Size> sizes = {{256, 16, 4, 5},  {64, 16, 4, 5},   {576, 16, 4, 5},  {256, 4, 4, 5},
                                   {256, 8, 4, 5},   {256, 256, 4, 5}, {256, 512, 4, 5}, {256, 16, 2, 5},
                                   {256, 16, 8, 5},  {256, 16, 16, 5}, {256, 16, 1, 5},  {256, 16, 4, 1},
                                   {256, 16, 4, 50}, {144, 24, 6, 3}};
  EXPECT_EQ(expect_exact("transpose-straightforward", sizes, banked), 28);
  EXPECT_EQ(expect_exact("transpose-diagonal", sizes, all_flat), 56);
  EXPECT_EQ(expect_exact("transpose-rotating", sizes, banked), 28);
}

TEST(Formulas, OfThePrintedStraightforwardTransposeCountEveryExchange) {
  for (const Size& size : std::vector<Size>{{256, 16, 4, 5}, {256, 256, 4, 5}, {64, 16, 8, 2}}) {
    for (const Kind kind : banked) {
      const RunResult result = run_on("transpose-straightforward", kind, size, true);
      EXPECT_EQ(time_of(result), result.formula);
    }
  }
}

TEST(Formulas, OfThePermutationsAreExact) {
  const std::vector<Size> sizes = {{256, 16, 4, 5},  {100, 16, 4, 5},  {1, 16, 4, 5},   {0, 4, 4, 5},
                                   {256, 4, 4, 5},   {256, 512, 4, 5}, {256, 16, 1, 5}, {256, 16, 8, 5},
                                   {250, 24, 12, 5}, {256, 16, 4, 1},  {256, 16, 4, 50}};
  EXPECT_EQ(expect_exact("permute-straightforward", sizes, all_flat), 44);
  EXPECT_EQ(expect_exact("permute-dmm", sizes, {Kind::dmm}), 11);
  const std::vector<Size> squares = {{4, 8, 4, 5},    {16, 8, 4, 5},    {256, 8, 4, 5}, {256, 4, 4, 5},
                                     {256, 64, 4, 5}, {256, 512, 4, 5}, {256, 8, 4, 1}, {256, 8, 4, 40},
                                     {16, 8, 2, 5},   {256, 8, 2, 5},   {81, 6, 3, 5},  {64, 8, 8, 5}};
  EXPECT_EQ(expect_exact("permute-umm", squares, banked), 24);
  EXPECT_EQ(expect_exact("permute-rows", squares, banked), 24);
}

TEST(RowWisePermutation, AcceptsAPermutationOfEachRowAndNoOther) {
  RunRequest request{.machine = umm(4, 5), .threads = 4, .n = 8, .lists = {{"permutation", {3, 2, 1, 0, 4, 6, 5, 7}}}};
  EXPECT_TRUE(run(find_algorithm("permute-rows"), request).correct);
  request.lists["permutation"] = {4, 2, 1, 0, 3, 6, 5, 7};
  EXPECT_THROW(static_cast<void>(run(find_algorithm("permute-rows"), request)), warpfold::Error);
}

TEST(Formulas, OfSumAndPrefixSumsAreExactForEveryN) {
  std::vector<Size> sizes;
  for (const std::uint64_t n : {1u, 2u, 3u, 4u, 5u, 7u, 8u, 9u, 31u, 64u, 100u, 1000u}) {
    for (const std::uint32_t w : {1u, 2u, 3u, 4u, 8u}) {
      for (const std::uint32_t warps : {1u, 5u}) {
        for (const std::uint32_t l : {1u, 7u}) sizes.push_back({n, w * warps, w, l});
      }
    }
  }
  EXPECT_EQ(expect_exact("sum", sizes, all_flat), 960);
  EXPECT_EQ(expect_exact("prefix-sums", sizes, all_flat), 960);
}

TEST(Formulas, OfDpOptAndUmmOptAreExactForEveryN) {
  std::vector<Size> sizes = {{16, 16, 4, 5}, {16, 4, 4, 5},   {16, 64, 4, 5},  {16, 1024, 4, 5},  {16, 16, 1, 5},
                             {16, 16, 2, 5}, {16, 16, 16, 5}, {16, 64, 64, 5}, {16, 512, 512, 5}, {16, 16, 4, 1},
                             {16, 16, 4, 2}, {16, 16, 4, 90}, {33, 24, 12, 7}};
  for (std::uint64_t n = 3; n <= 14; ++n) sizes.push_back({n, 12, 4, 5});
  EXPECT_EQ(expect_exact("dp-opt", sizes, no_dmm), 75);
  EXPECT_EQ(expect_exact("umm-opt", sizes, no_dmm), 75);
  EXPECT_EQ(expect_exact("opt-one-thread", sizes, all_flat), 100);
  EXPECT_EQ(expect_exact("opt-threads-naive", sizes, all_flat), 100);
  EXPECT_EQ(expect_exact("opt-threads-sliding", sizes, all_flat), 100);
  for (const Size& size : sizes) {
    for (const char* name : {"dp-opt", "umm-opt"}) {
      const RunResult result = run_on(name, Kind::umm, size, true);
      EXPECT_EQ(time_of(result), result.formula) << name << " as printed, n=" << size.n;
    }
    EXPECT_TRUE(run_on("umm-opt", Kind::dmm, size).correct);
  }
}

// A formula that is checked at one point could ignore a parameter. Each parameter must change the time.
TEST(Formulas, DependOnEachOfTheirParameters) {
  for (const char* name :
       {"contiguous", "stride", "transpose-diagonal", "transpose-rotating", "transpose-straightforward", "permute-umm",
        "permute-dmm", "sum", "prefix-sums", "sequential", "dp-opt", "umm-opt"}) {
    const Kind kind = std::string(name) == "permute-dmm" ? Kind::dmm : Kind::umm;
    const std::string text = name;
    // n/p < w: otherwise w has no effect
    const std::uint64_t n = text == "stride" ? 32 : text == "permute-umm" ? 256 : 64;
    const std::uint64_t time = time_of(run_on(name, kind, {n, 16, 4, 5}));
    EXPECT_LT(time_of(run_on(name, kind, {16, 16, 4, 5})), time) << name << ": n";
    EXPECT_LT(time, time_of(run_on(name, kind, {n, 8, 4, 5}))) << name << ": p";
    EXPECT_LT(time, time_of(run_on(name, kind, {n, 16, 4, 6}))) << name << ": l";
    EXPECT_NE(time, time_of(run_on(name, kind, {n, 16, 2, 5}))) << name << ": w";
  }
}

TEST(Lemmas2And3Of2012, HoldWithConstantsFourAndEight) {
  for (const std::uint64_t side : {8u, 16u, 32u, 64u}) {
    for (const std::uint32_t p : {8u, 16u, 32u}) {
      for (const std::uint32_t l : {1u, 8u, 64u}) {
        const Size size{side * side, p, 4, l};
        const double optimal = formulas::optimal(dmm(4, l), p, static_cast<double>(side * side));
        EXPECT_LE(time_of(run_on("transpose-diagonal", Kind::dmm, size)), 4 * optimal);
        // Lemma 3 assumes p <= n/w; 2 accesses to turn the blocks and 2 to swap them, of every word.
        if (p <= side * side / 4) {
          EXPECT_LE(time_of(run_on("transpose-rotating", Kind::umm, size)), 8 * optimal);
        }
      }
    }
  }
}

TEST(Theorems6And8Of2012, HoldWithConstantsFourAndTwentyTwo) {
  for (const std::uint32_t p : {4u, 16u, 64u}) {
    for (const std::uint32_t l : {1u, 8u, 64u}) {
      const double optimal = formulas::optimal(umm(4, l), p, 256);
      EXPECT_LE(time_of(run_on("permute-dmm", Kind::dmm, {256, p, 4, l})), 4 * optimal);
      // m = 2: nine passes over rows at 2, six turns of w x w blocks at 2, two transposes of side 16 at 4.
      EXPECT_LE(time_of(run_on("permute-umm", Kind::umm, {256, p, 4, l})), (18 + 12 + 8) * optimal);
      // Lemma 7, n = w^2, p <= n/w: three passes over rows and two turned blocks.
      if (p <= 4) {
        EXPECT_LE(time_of(run_on("permute-umm", Kind::umm, {16, p, 4, l})), 10 * formulas::optimal(umm(4, l), p, 16));
      }
    }
  }
}

TEST(Formulas, OfTheSumAreThoseOfTheMinimum) {
  RunRequest request{.machine = dmm(4, 5), .threads = 8, .n = 37, .operation = "min"};
  const RunResult least = run(find_algorithm("sum"), request);
  EXPECT_TRUE(least.correct);
  EXPECT_EQ(time_of(least), least.formula);
  const auto& words = least.inputs.at("words");
  EXPECT_EQ(least.outputs.at("min").front(), *std::ranges::min_element(words));
}

TEST(SumsOf2013, StayBelow4And16TimesTheCitedBound) {
  for (const std::uint64_t n : {16u, 100u, 1024u, 5000u}) {
    for (const std::uint32_t p : {4u, 64u, 1024u}) {
      for (const std::uint32_t l : {1u, 20u}) {
        for (const Kind kind : banked) {
          const double bound = formulas::tree_bound(umm(4, l), p, n);
          // Three accesses to n words over all rounds; eight over all levels, five of them at every second word.
          EXPECT_LE(time_of(run_on("sum", kind, {n, p, 4, l})), 4 * bound);
          EXPECT_LE(time_of(run_on("prefix-sums", kind, {n, p, 4, l})), 16 * bound);
        }
      }
    }
  }
}

}  // namespace
