#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "sequence/slices/strips.hpp"
#include "unit/sequence/oracle.hpp"
#include "warpfold/core/instruction_set.hpp"

/// Walks through tiles whose borders alone are kept.
namespace warpfold::sequence::slices {
namespace {

using test::draw;
using test::Symbols;
using Random = std::mt19937_64;

Script script_by(const Layout& layout, const Table& table, int threads, std::size_t bytes_left) {
  Team team(threads);
  const Options options;
  SolveMonitor monitor(options, table.cells());
  Strips strips(table, layout, static_cast<std::size_t>(team.size()));
  strips.run(team, monitor);
  Walk walk{table.a.size(), table.b.size()};
  strips.walk_back(walk, bytes_left, team, monitor);
  return walk.finished();
}

/// By the last rows of all strips, and by tiles of some strips and columns. The memory of a tile is the least one, so
/// it has tiles of its own, or plenty.
void expect_tiles_change_nothing(Measure measure, const Coded& pair, std::size_t bound) {
  const Table table{measure, pair.a(), pair.b()};
  Layout layout = within(layout_of(pair.n(), pair.m(), pair.planes(), measure), bound);
  layout.interval = 8;
  const std::string expected = script_by(layout, table, 1, 0).cigar();
  layout.interval = 0;
  for (const auto& [words, strips, lags] : {std::tuple(1, 1, 1), {1, 3, 2}, {2, 2, 1}, {3, 1, 3}}) {
    layout.words = static_cast<std::size_t>(words);
    layout.tile_strips = static_cast<std::size_t>(strips);
    layout.tile_columns = static_cast<std::size_t>(lags) * layout.lag() * chunk_columns;
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{1} << 30}) {
      for (const int threads : {1, 2}) {
        EXPECT_EQ(script_by(layout, table, threads, bytes).cigar(), expected)
            << words << ' ' << strips << ' ' << lags << ' ' << bytes << ' ' << threads << ' ' << pair.n() << ' '
            << pair.m() << ' ' << bound;
      }
    }
  }
}

void expect_tiles_change_nothing(const Symbols& a, const Symbols& b, std::size_t bound) {
  const Coded pair = test::coded(a, b);
  for (const auto measure : {Measure::edit, Measure::indel}) expect_tiles_change_nothing(measure, pair, bound);
}

void expect_tiles_change_nothing_by_any_instruction_set(const Symbols& a, const Symbols& b, std::size_t bound) {
  for (const auto& set : instruction_sets()) {
    force_instruction_set(set);
    SCOPED_TRACE(set);
    expect_tiles_change_nothing(a, b, bound);
  }
  force_instruction_set("");
}

TEST(SliceTiles, LeaveTheScriptAsItIs) {
  Random random(1);
  for (const std::uint32_t alphabet : {2, 4, 20}) {
    const auto a = draw(6007, alphabet, random);
    expect_tiles_change_nothing_by_any_instruction_set(a, draw(5003, alphabet, random), 20'000);
    expect_tiles_change_nothing_by_any_instruction_set(draw(1030, alphabet, random), a, 20'000);
    expect_tiles_change_nothing_by_any_instruction_set(a, draw(700, alphabet, random), 20'000);
  }
}

TEST(SliceTiles, LeaveTheScriptAsItIsWhereLengthsAreThoseOfTiles) {
  Random random(2);
  for (const std::size_t n : {1, 63, 64, 511, 512, 513, 1535, 1536, 1537, 3072}) {
    for (const std::size_t m : {1, 127, 128, 1024, 1025, 2047, 2048, 2049, 4096}) {
      expect_tiles_change_nothing(draw(n, 4, random), draw(m, 4, random), 20'000);
    }
  }
}

/// The walk leaves a tile at its left or its upper border for many tiles.
TEST(SliceTiles, AreWalkedThroughFarFromTheDiagonal) {
  Random random(3);
  const auto a = draw(5001, 4, random), between = draw(4000, 4, random);
  for (const std::size_t middle : {0, 1500, 4500, 5001}) {
    auto b = a;
    b.insert(b.begin() + static_cast<std::ptrdiff_t>(middle), between.begin(), between.end());
    expect_tiles_change_nothing(a, b, 20'000);
    expect_tiles_change_nothing(b, a, 20'000);
  }
}

/// The band crosses the corners and the borders of tiles.
TEST(SliceTiles, OfABandLeaveTheScriptAsItIs) {
  Random random(4);
  for (const std::uint32_t alphabet : {2, 4}) {
    const auto a = draw(9001, alphabet, random);
    expect_tiles_change_nothing_by_any_instruction_set(a, test::mutate(a, 20, alphabet, random), 900);
    const auto longer = test::mutate(a, 9, alphabet, random);
    expect_tiles_change_nothing({a.begin() + 700, a.end()}, longer, 2900);
    expect_tiles_change_nothing(longer, {a.begin(), a.end() - 1300}, 3500);
  }
}

/// The least bound of a script, so the script touches the band's edges.
TEST(SliceTiles, OfTheNarrowestBandLeaveTheScriptAsItIs) {
  Random random(5);
  for (int round = 0; round < 6; ++round) {
    const auto a = draw(3000 + random() % 3000, 4, random);
    Symbols b = test::mutate(a, 12, 4, random);
    const std::size_t cut = 100 * static_cast<std::size_t>(round);
    b.erase(b.begin(), b.begin() + static_cast<std::ptrdiff_t>(cut));
    const Coded pair = test::coded(a, b);
    expect_tiles_change_nothing(Measure::edit, pair, static_cast<std::size_t>(*edit_distance(pair).solution.distance));
    expect_tiles_change_nothing(Measure::indel, pair,
                                pair.n() + pair.m() - 2 * static_cast<std::size_t>(*lcs(pair).solution.length));
  }
}

}  // namespace
}  // namespace warpfold::sequence::slices
