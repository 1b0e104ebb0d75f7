#include "warpfold/tiles/tile_table.hpp"

#include <gtest/gtest.h>

#include <set>

namespace warpfold::tiles {
namespace {

TEST(TileTable, GivesEveryEntryOfTheUpperTilesItsOwnPlace) {
  for (const std::size_t side : {1, 4, 8}) {
    for (const std::size_t n : {1, 7, 8, 9, 33}) {
      std::set<std::size_t> places;
      const std::size_t padded = tile_count(n, side) * side;
      for (std::size_t i = 0; i < padded; ++i) {
        for (std::size_t j = i / side * side; j < padded; ++j) places.insert(entry_offset(i, j, side));
      }
      EXPECT_EQ(places.size(), table_size(n, side));
      EXPECT_EQ(*places.rbegin(), table_size(n, side) - 1);
    }
  }
}

TEST(TileTable, KeepsATileContiguousAndRowMajor) {
  EXPECT_EQ(entry_offset(8, 16, 8), tile_offset(1, 2, 8));
  EXPECT_EQ(entry_offset(9, 19, 8), tile_offset(1, 2, 8) + 8 + 3);
}

TEST(TileTable, CountsBeyond32Bits) {
  EXPECT_EQ(table_size(131072, 64), std::size_t{2048} * 2049 / 2 * 4096);
  EXPECT_EQ(entry_offset(131071, 131071, 64), table_size(131072, 64) - 1);
}

TEST(TileTable, HoldsAtMostThreeFifthsOfTheSquare) {
  EXPECT_LE(static_cast<double>(table_size(8192, 64)), 0.6 * 8192 * 8192);
}

}  // namespace
}  // namespace warpfold::tiles
