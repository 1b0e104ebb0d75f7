// Machines whose warps have another number of threads than the width: the algorithms' results, formulas and bounds.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "model/machine/exact.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/machine/cost.hpp"

namespace {

using namespace warpfold;
using namespace warpfold::machine;
using namespace warpfold::machine::test;

Machine with_warp(Machine machine, std::uint32_t warp) {
  machine.warp = warp;
  return machine;
}

std::uint32_t stages_of_warp(const Machine& machine, const std::string& index, std::uint32_t bytes = 4) {
  return step_cost(machine, indexed_accesses(Expression(index), 32, machine.width, 32), bytes).warps[0].stages;
}

TEST(Warps, TouchTheSectorsThatAnH100Counts) {
  const Machine global = with_warp(umm(8, 1), 32);
  const std::vector<std::pair<int, std::uint32_t>> sectors = {{1, 4},  {2, 8},   {3, 12}, {4, 16},
                                                              {8, 32}, {16, 32}, {32, 32}};
  for (const auto& [stride, count] : sectors) {
    EXPECT_EQ(stages_of_warp(global, "i*" + std::to_string(stride)), count) << "stride " << stride;
  }
}

TEST(Warps, TakeTheBankStagesThatAnH100Counts) {
  const std::vector<std::pair<int, std::uint32_t>> stages = {{1, 1},  {2, 2},   {3, 1},  {4, 4},  {6, 2},   {8, 8},
                                                             {12, 4}, {16, 16}, {24, 8}, {31, 1}, {32, 32}, {33, 1}};
  for (const auto& [stride, count] : stages) {
    EXPECT_EQ(stages_of_warp(with_warp(dmm(32, 1), 32), "i*" + std::to_string(stride)), count) << "stride " << stride;
  }
}

struct Shape {
  std::uint32_t warp, width;
};

/// Sizes for runs of this shape. An algorithm rejects those that it does not accept. Only transposes and permutations,
/// which take a few steps for each word, get large ones.
std::vector<Size> sizes_of(const Algorithm& algorithm, const Shape& shape) {
  const std::uint32_t unit = std::max(shape.warp, shape.width);
  std::vector<std::uint64_t> counts = {8, 16, 20, 37};
  if (algorithm.name.starts_with("transpose") || algorithm.name.starts_with("permute")) {
    counts.insert(counts.end(), {36, 64, 81, 144, 256});
  }
  std::vector<Size> sizes;
  for (const std::uint64_t n : counts) {
    for (const std::uint32_t p : {2 * unit, 8 * unit}) sizes.push_back({n, p, shape.width, 5, 2, 3, shape.warp});
  }
  return sizes;
}

bool is_rejected(const Algorithm& algorithm, Kind kind, const Size& size) {
  try {
    static_cast<void>(run_on(algorithm.name, kind, size));
    return false;
  } catch (const Error& error) {
    return error.kind() == ErrorKind::usage;
  }
}

/// Compares every run of the shape with its formula and its bounds. Returns the algorithms that had a formula.
std::set<std::string> expect_exact_where_derived(const Shape& shape) {
  std::set<std::string> derived;
  for (const Algorithm& algorithm : algorithms()) {
    for (const Kind kind : {Kind::dmm, Kind::umm, Kind::hmm}) {
      if (std::ranges::find(algorithm.machines, kind) == algorithm.machines.end()) continue;
      for (const Size& size : sizes_of(algorithm, shape)) {
        if (is_rejected(algorithm, kind, size)) continue;
        const std::string name(algorithm.name);
        for (const RunResult& result : expect_right(name.c_str(), {size}, {kind})) {
          if (!result.formula) continue;
          derived.insert(name);
          EXPECT_EQ(*result.formula, time_of(result))
              << name << " on " << to_string(result.report.machine) << " n=" << size.n << " p=" << size.p;
        }
      }
    }
  }
  return derived;
}

const std::set<std::string> derived_for_any_shape = {"contiguous",
                                                     "stride",
                                                     "transpose-straightforward",
                                                     "transpose-diagonal",
                                                     "transpose-hmm",
                                                     "permute-straightforward",
                                                     "permute-dmm",
                                                     "permute-hmm",
                                                     "sum",
                                                     "prefix-sums",
                                                     "prefix-sums-blocks",
                                                     "sum-hmm",
                                                     "prefix-sums-hmm",
                                                     "sequential",
                                                     "dp-opt",
                                                     "umm-opt",
                                                     "opt-one-thread",
                                                     "opt-threads-naive",
                                                     "opt-threads-sliding",
                                                     "matrix-product",
                                                     "matrix-product-hmm",
                                                     "bitonic-sort",
                                                     "convolution",
                                                     "mcm-pipeline",
                                                     "mcm-sequential",
                                                     "sdp-sequential",
                                                     "tiled-umm-opt",
                                                     "lcs-sequential",
                                                     "lcs-rows",
                                                     "lcs",
                                                     "lcs-sliding",
                                                     "lcs-mirroring",
                                                     "lcs-slices",
                                                     "lcs-tiles",
                                                     "edit-distance-sequential",
                                                     "edit-distance-rows",
                                                     "edit-distance",
                                                     "edit-distance-sliding",
                                                     "edit-distance-mirroring",
                                                     "edit-distance-slices",
                                                     "edit-distance-tiles"};

TEST(Formulas, AreExactForWarpsWiderThanTheMemory) {
  auto expected = derived_for_any_shape;
  expected.insert({"transpose-rotating", "permute-rows", "permute-umm"});
  std::set<std::string> derived;
  for (const Shape& shape : {Shape{8, 4}, Shape{8, 2}, Shape{4, 1}, Shape{6, 3}, Shape{16, 4}}) {
    derived.merge(expect_exact_where_derived(shape));
  }
  EXPECT_EQ(derived, expected);
}

TEST(Formulas, AreExactForWarpsNarrowerThanTheMemory) {
  std::set<std::string> derived;
  for (const Shape& shape : {Shape{2, 4}, Shape{1, 4}, Shape{2, 8}, Shape{3, 6}}) {
    derived.merge(expect_exact_where_derived(shape));
  }
  EXPECT_EQ(derived, derived_for_any_shape);
}

TEST(Warps, HaveTheWidthUnlessTheyAreGiven) {
  for (const Algorithm& algorithm : algorithms()) {
    for (const Kind kind : {Kind::dmm, Kind::umm, Kind::hmm}) {
      if (std::ranges::find(algorithm.machines, kind) == algorithm.machines.end()) continue;
      const Size usual{16, 32, 4, 5, 2, 3}, given{16, 32, 4, 5, 2, 3, 4};
      if (is_rejected(algorithm, kind, usual)) continue;
      const RunResult one = run_on(algorithm.name, kind, usual), other = run_on(algorithm.name, kind, given);
      EXPECT_EQ(time_of(one), time_of(other)) << algorithm.name;
      EXPECT_EQ(one.report.total.histogram, other.report.total.histogram) << algorithm.name;
      EXPECT_EQ(one.formula, other.formula) << algorithm.name;
      EXPECT_EQ(one.formula_text, other.formula_text) << algorithm.name;
      EXPECT_EQ(one.bound, other.bound) << algorithm.name;
      EXPECT_EQ(one.lower_bound, other.lower_bound) << algorithm.name;
    }
  }
}

std::string rejection(const Machine& machine, std::uint32_t threads) {
  try {
    validate(machine, threads);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(Warps, ThatFitNoMachineAreRejected) {
  EXPECT_EQ(rejection(with_warp(umm(8, 1), 12), 12),
            "warp is 12: a multiple or a divisor of the width, 8, is accepted");
  EXPECT_NE(rejection(with_warp(umm(8, 1), 32), 40).find("a multiple of the warp (32)"), std::string::npos);
  EXPECT_EQ(rejection(with_warp(pram(), 32), 32), "warp is 32 on the pram: only the dmm, umm and hmm have warps");
  EXPECT_EQ(to_string(with_warp(umm(8, 5), 32)), "UMM(w=8, l=5, warp 32)");
  const Size narrow{16, 8, 4, 5, 1, 1, 2};
  EXPECT_TRUE(is_rejected(find_algorithm("permute-umm"), Kind::umm, narrow));
}

}  // namespace
