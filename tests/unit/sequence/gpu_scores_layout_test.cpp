#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "sequence/gpu/scores.hpp"
#include "sequence/tuning.hpp"

/// How alignments on a GPU are cut, and which tiles a script's walk keeps.
namespace warpfold::sequence::cuda {
namespace {

alignment::Size size_for(double n, double m, const AlignmentRequest& request) {
  return {n, m, 4, false, -3, 2, 2, -3, request};
}

std::optional<ScoreLayout> fastest(const alignment::Size& size) {
  return score_layout_of(size, Options().max_device_memory);
}

std::vector<ScoreLayout> layouts_with_a_script() {
  std::vector<ScoreLayout> layouts;
  for (const ScoreKernel& kernel : score_kernels) {
    for (const double n : {1.0, 300.0, 5000.0, 100'000.0, 3'000'000.0}) {
      for (const double m : {1.0, 300.0, 5000.0, 100'000.0, 3'000'000.0}) {
        layouts.push_back(*score_layout_of(size_for(n, m, {.script = true, .gaps = {5, 2, {}}}), kernel));
      }
    }
  }
  return layouts;
}

TEST(GpuScoresLayout, TilesFitTheirMemoryAndTheTable) {
  for (const ScoreLayout& layout : layouts_with_a_script()) {
    const ScoreTiles tiles = layout.tiles();
    EXPECT_GE(tiles.count(), 1u);
    EXPECT_LE(tiles.count(), tuning::gpu_score_tiles);
    EXPECT_LE(tiles.down, layout.strips());
    EXPECT_LE(tiles.across, layout.intervals());
  }
}

TEST(GpuScoresLayout, EveryKeptTileHasOneNumberAndTheWalksOwnTileIsKept) {
  for (const ScoreLayout& layout : layouts_with_a_script()) {
    const ScoreTiles tiles = layout.tiles();
    for (const ScoreTile& last : {ScoreTile{layout.strips() - 1, layout.intervals() - 1},
                                  ScoreTile{layout.strips() / 2, layout.intervals() / 3}, ScoreTile{0, 0}}) {
      const KeptScoreTiles kept(tiles, last);
      EXPECT_EQ(kept.number(last), 0u);
      for (unsigned number = 0; number < tiles.count(); ++number) {
        const ScoreTile tile = kept.tile(number);
        if (tile.strip > last.strip || tile.interval > last.interval) continue;  // beyond the table's borders
        ASSERT_EQ(kept.number(tile), number);
      }
      EXPECT_FALSE(kept.is_kept({last.strip + 1, last.interval}));
      EXPECT_FALSE(kept.is_kept({last.strip, last.interval + 1}));
    }
  }
}

/// Where a strip has as many tiles as the line goes through.
TEST(GpuScoresLayout, ALineToTheFirstCellStaysInTheKeptTiles) {
  for (const ScoreLayout& layout : layouts_with_a_script()) {
    const ScoreTiles tiles = layout.tiles();
    const ScoreTile last{layout.strips() - 1, layout.intervals() - 1};
    if (tiles.across < last.interval / layout.strips() + 2) continue;
    for (std::uint64_t up = 0; up < tiles.down; ++up) {
      const std::uint64_t strip = last.strip - up;
      for (const std::uint64_t from_top : {0, 1}) {
        const std::uint64_t interval = last.interval * (strip + from_top) / layout.strips();
        EXPECT_TRUE(KeptScoreTiles(tiles, last).is_kept({strip, interval})) << strip << ' ' << interval;
      }
    }
  }
}

TEST(GpuScoresLayout, MemoryForAScriptIsThatOfAllBordersAndStates) {
  const AlignmentRequest score{.gaps = {5, 2, {}}}, script{.script = true, .gaps = {5, 2, {}}};
  const auto without = fastest(size_for(1e6, 1e6, score)), with = fastest(size_for(1e6, 1e6, script));
  EXPECT_EQ(without->borders() + without->states() + without->facts(), 0u);
  EXPECT_EQ(with->borders(), (with->strips() - 1) * 1'000'000);
  EXPECT_GT(with->device_bytes(), 4 * (with->borders() + with->states() + with->facts()));
}

/// Longer strips keep fewer words.
TEST(GpuScoresLayout, LessMemoryMakesStripsLonger) {
  const alignment::Size size = size_for(1e6, 1e6, {.script = true, .gaps = {5, 2, {}}});
  const ScoreLayout all = *fastest(size), less = *score_layout_of(size, all.device_bytes() - 1);
  EXPECT_GT(less.rows_of_a_strip(), all.rows_of_a_strip());
  EXPECT_LT(less.device_bytes(), all.device_bytes());
  EXPECT_LT(all.seconds(), less.seconds());
  EXPECT_EQ(score_layout_of(size, 0)->rows_of_a_strip(), 2048u);
}

/// The walk tells a substitution from two gaps.
TEST(GpuScoresLayout, AScoreWorseThanTwoGapsStaysSoForAScript) {
  alignment::Size size = size_for(1000, 1000, {.gaps = {5, 0, {}}});
  size.min_score = -100;
  EXPECT_EQ(fastest(size)->least_score, -10);
  size.request.script = true;
  EXPECT_EQ(fastest(size)->least_score, -11);
}

}  // namespace
}  // namespace warpfold::sequence::cuda
