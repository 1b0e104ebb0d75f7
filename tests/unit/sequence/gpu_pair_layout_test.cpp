#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "sequence/gpu/pair_layout.hpp"

namespace warpfold::sequence::cuda {
namespace {

std::vector<Pair> pairs_of(std::size_t count, std::uint32_t shortest, std::uint32_t longest) {
  std::mt19937_64 random(count + longest);
  const auto length = [&] { return shortest + static_cast<std::uint32_t>(random() % (longest - shortest + 1)); };
  std::vector<Pair> pairs(count);
  for (Pair& pair : pairs) pair.n = length(), pair.m = length();
  std::ranges::sort(
      pairs, [](const Pair& one, const Pair& other) { return one.n != other.n ? one.n > other.n : one.m > other.m; });
  return pairs;
}

const PairWarp& warp_of(const PairLayout& layout, std::size_t group) {
  const auto after = std::ranges::upper_bound(layout.warps, group, {}, &PairWarp::first_group);
  return *std::prev(after);
}

TEST(GpuPairLayout, GroupsHoldAllPairsOnce) {
  for (const std::size_t count : {0, 1, 31, 32, 33, 1000, 5000}) {
    const auto pairs = pairs_of(count, 1, 700);
    for (const unsigned rows : rows_of_pair_kernels(2)) {
      const PairLayout layout = layout_of(pairs, 2, Measure::edit, {}, rows);
      EXPECT_EQ(layout.groups.size(), (count + 31) / 32);
      for (std::size_t at = 0; at < layout.groups.size(); ++at) EXPECT_EQ(layout.groups[at].first, 32 * at);
    }
  }
}

TEST(GpuPairLayout, GroupsOfAWarpHaveTheSizesOfItsLongestSequences) {
  for (const std::uint32_t longest : {0, 1, 30, 260, 3000}) {
    const auto pairs = pairs_of(3000, 0, longest);
    for (const unsigned rows : rows_of_pair_kernels(8)) {
      const PairLayout layout = layout_of(pairs, 8, Measure::edit, {}, rows);
      for (std::size_t at = 0; at < pairs.size(); ++at) {
        const PairGroup& group = layout.groups[at / 32];
        const PairWarp& warp = warp_of(layout, at / 32);
        EXPECT_GE(group.rows, pairs[at].n);
        EXPECT_GE(group.columns, pairs[at].m);
        EXPECT_EQ(group.rows, layout.groups[warp.first_group].rows);
        EXPECT_EQ(group.columns, layout.groups[warp.first_group].columns);
        EXPECT_EQ(group.rows % (warp.lanes * rows), 0);
        EXPECT_TRUE(warp.lanes == 32 || group.rows == warp.lanes * rows) << "a warp of several groups has one strip";
      }
    }
  }
}

TEST(GpuPairLayout, WordsOfGroupsDoNotOverlap) {
  const PairLayout layout = layout_of(pairs_of(2000, 1, 400), 5, Measure::edit, {}, 16);
  std::uint64_t next = PairLayout::slack;
  for (const PairGroup& group : layout.groups) {
    EXPECT_EQ(group.a, next);
    EXPECT_EQ(group.b, group.a + std::uint64_t{6} * group.width_a);
    EXPECT_GE(group.width_a, group.rows);
    EXPECT_GE(group.width_b, group.columns);
    next = group.b + std::uint64_t{7} * group.width_b;
  }
  EXPECT_EQ(layout.words, next + PairLayout::slack);
}

TEST(GpuPairLayout, EachKernelIsTakenForSomePairs) {
  std::set<unsigned> taken;
  for (const std::size_t count : {20, 1000, 100'000}) {
    for (const std::uint32_t length : {20, 100, 1000}) {
      taken.insert(layout_of(pairs_of(count, length, length), 2, Measure::edit, {}).rows);
    }
  }
  EXPECT_EQ(taken, (std::set<unsigned>{8, 16, 32}));
}

TEST(GpuPairLayout, PlanesAreThoseOfAKernel) {
  for (std::size_t planes = 1; planes <= 8; ++planes) {
    EXPECT_GE(planes_of_pair_kernel(planes), static_cast<int>(planes));
    EXPECT_LE(planes_of_pair_kernel(planes), 8);
  }
}

TEST(GpuPairLayout, AStripHasTheColumnsThatScriptsWithinTheBoundComeTo) {
  const auto pairs = pairs_of(40, 700, 900);
  for (const std::uint32_t bound : {0U, 1U, 50U, 5000U}) {
    const PairLayout layout = layout_of(pairs, 2, Measure::edit, bound, 8);
    for (const PairGroup& group : layout.groups) {
      for (std::uint32_t at = group.first; at < std::min<std::size_t>(group.first + pairs_of_group, pairs.size());
           ++at) {
        const std::int64_t n = pairs[at].n, m = pairs[at].m, before = group.columns - pairs[at].m;
        for (std::int64_t i = 1; i <= n; i += 13) {
          for (std::int64_t j = 1; j <= m; ++j) {
            if (std::abs(i - j) + std::abs((n - i) - (m - j)) > bound) continue;
            const std::int64_t row = i - 1, column = before + j - 1;
            EXPECT_LE(group.first_column(static_cast<std::uint32_t>(row)), column);
            EXPECT_GT(group.last_column(static_cast<std::uint32_t>(row + 1)), column);
          }
        }
      }
    }
  }
}

TEST(GpuPairLayout, WithoutABoundAStripHasAllColumns) {
  const PairLayout layout = layout_of(pairs_of(100, 1, 900), 2, Measure::edit, {}, 8);
  for (const PairGroup& group : layout.groups) {
    for (std::uint32_t row = 0; row < group.rows; row += 8) {
      EXPECT_EQ(group.first_column(row), 0);
      EXPECT_EQ(group.last_column(row + 8), group.columns);
    }
  }
}

TEST(GpuPairLayout, ABoundTakesLessTime) {
  const auto pairs = pairs_of(5000, 2000, 2000);
  EXPECT_LT(layout_of(pairs, 2, Measure::edit, 100).seconds(), 0.5 * layout_of(pairs, 2, Measure::edit, {}).seconds());
}

}  // namespace
}  // namespace warpfold::sequence::cuda
