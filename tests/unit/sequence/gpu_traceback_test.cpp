#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "sequence/gpu/traceback.hpp"
#include "sequence/tuning.hpp"

namespace warpfold::sequence::cuda {
namespace {

Layout layout_for(std::uint64_t n, std::uint64_t m, unsigned rows) {
  const Request request{.script = true};
  return layout_of({static_cast<double>(n), static_cast<double>(m), 0, 2, Measure::edit, request}, rows);
}

/// Checks what the kernels rely on.
void expect_sound(const Round& round, const Position& at, const Layout& layout, std::size_t max_segments) {
  ASSERT_GE(round.segments.size(), 1);
  ASSERT_LE(round.segments.size(), max_segments);
  std::uint64_t choices = 0, exits = 0, runs = 0;
  for (const Window& window : round.windows) {
    EXPECT_EQ(window.choices, choices);
    choices += choice_of(warp, 0, window.columns(), layout.rows);
    EXPECT_LE(window.right, layout.m);
    EXPECT_EQ(window.first_chunk % layout.interval, 0);
    EXPECT_LE(window.first_chunk * chunk_columns, window.left);
    EXPECT_GE(std::uint64_t{window.first_chunk + window.chunks} * chunk_columns, window.right + lag_steps);
    EXPECT_LE(window.first_chunk + window.chunks, layout.chunks() + lag);
  }
  EXPECT_LE(choices, max_choices(layout));
  std::uint32_t bottom = at.i;
  for (const Segment& segment : round.segments) {
    const Window& window = round.windows[segment.window];
    EXPECT_EQ(segment.bottom, bottom);
    EXPECT_LT(segment.top, segment.bottom);
    EXPECT_EQ(segment.top / layout.rows_of_a_strip(), window.strip);
    EXPECT_EQ((segment.bottom - 1) / layout.rows_of_a_strip(), window.strip);
    EXPECT_LE(window.left, segment.left);
    EXPECT_LT(segment.left, segment.first_entry);
    EXPECT_GE(segment.entries, 1);
    EXPECT_LE(segment.first_entry + segment.entries - 1, window.right);
    EXPECT_EQ(segment.exits, exits);
    EXPECT_EQ(segment.runs, runs);
    exits += segment.entries;
    runs += segment.bottom - segment.top + segment.first_entry + segment.entries - 1 - segment.left;
    bottom = segment.top;
  }
  EXPECT_LE(exits, tuning::gpu_max_exits);
  EXPECT_LE(runs, tuning::gpu_run_bytes);
  EXPECT_EQ(round.segments[0].entries, 1);
  EXPECT_EQ(round.segments[0].first_entry, at.j);
}

TEST(GpuTraceback, RoundsFitTheirMemoryAndTheStripsOfTheTable) {
  for (const unsigned rows : {1, 2, 4, 8, 16}) {
    for (const std::uint32_t n : {1, 1024, 1025, 40'000, 3'000'000}) {
      for (const std::uint32_t m : {1, 33, 40'000, 3'000'000, 200'000'000}) {
        const Layout layout = layout_for(n, m, rows);
        for (const std::size_t max_segments : {std::size_t{1}, tuning::gpu_max_segments}) {
          for (const Position at : {Position{n, m}, Position{n / 2 + 1, m / 3 + 1}, Position{1, m}, Position{n, 1}}) {
            SCOPED_TRACE(testing::Message() << rows << ' ' << at.i << ' ' << at.j << " of " << n << ' ' << m);
            expect_sound(round_from(at, layout, max_segments), at, layout, max_segments);
          }
        }
      }
    }
  }
}

TEST(GpuTraceback, ARoundOfLikeLengthsHasAllSegmentsOnTheDiagonal) {
  const Layout layout = layout_for(1 << 22, 1 << 22, 4);
  const Round round = round_from({1 << 22, 1 << 22}, layout, tuning::gpu_max_segments);
  EXPECT_EQ(round.segments.size(), tuning::gpu_max_segments);
  for (const Segment& segment : round.segments) {
    EXPECT_LE(segment.first_entry, segment.bottom);
    EXPECT_GE(segment.first_entry + segment.entries - 1, segment.bottom);
  }
}

TEST(GpuTraceback, ARoundThatReachesTheFirstRowReachesTheFirstColumn) {
  const Layout layout = layout_for(5000, 7000, 1);
  const Round round = round_from({5000, 7000}, layout, tuning::gpu_max_segments);
  EXPECT_EQ(round.segments.back().top, 0);
  EXPECT_EQ(round.segments.back().left, 0);
}

}  // namespace
}  // namespace warpfold::sequence::cuda
