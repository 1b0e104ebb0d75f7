#include "interval/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace warpfold::interval {
namespace {

TEST(Schedule, AppliesEveryProductOnceAndOnlyFinalOperands) {
  for (std::size_t tiles = 1; tiles <= 40; ++tiles) {
    std::map<std::tuple<std::size_t, std::size_t, std::size_t>, int> seen;
    for (std::size_t stage = 2; stage < tiles; ++stage) {
      for_each_product(stage, tiles, [&](std::size_t i, std::size_t k, std::size_t j) {
        ASSERT_LT(i, k);
        ASSERT_LT(k, j);
        ASSERT_LT(j, tiles);
        ASSERT_EQ(std::max(k - i, j - k), stage - 1);
        ASSERT_GE(j - i, stage);
        ASSERT_LE(j - i, last_target(stage, tiles));
        ++seen[{i, k, j}];
      });
    }
    std::size_t expected = 0;
    for (std::size_t d = 2; d < tiles; ++d) expected += (tiles - d) * (d - 1);
    EXPECT_EQ(seen.size(), expected);
    for (const auto& [product, times] : seen) EXPECT_EQ(times, 1);
  }
}

TEST(Schedule, CompletesADiagonalInItsOwnStage) {
  constexpr std::size_t tiles = 23;
  std::map<std::size_t, std::size_t> last_stage_of_diagonal;
  for (std::size_t stage = 2; stage < tiles; ++stage) {
    for_each_product(stage, tiles,
                     [&](std::size_t i, std::size_t, std::size_t j) { last_stage_of_diagonal[j - i] = stage; });
  }
  for (const auto& [diagonal, stage] : last_stage_of_diagonal) EXPECT_EQ(diagonal, stage);
}

}  // namespace
}  // namespace warpfold::interval
