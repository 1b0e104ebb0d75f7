#include "tiles/exchange/super_tile_count.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <random>
#include <set>
#include <vector>

namespace warpfold::tiles {
namespace {

TEST(SuperTileCount, SaysEachOnceAndAsSoonAsAllItsTilesAreFinal) {
  for (const std::size_t group : {1, 2, 4}) {
    for (const std::size_t along : {1, 2, 3, 4, 5, 8, 11}) {
      std::vector<std::byte> table(tiles_in_table(along));
      const SuperTiles place{table.data(), 1, along, group};
      std::vector<std::size_t> order(table.size());
      for (std::size_t tile = 0; tile < order.size(); ++tile) order[tile] = tile;
      std::shuffle(order.begin(), order.end(), std::mt19937(static_cast<unsigned>(along)));
      SuperTileCount count(place);
      std::set<std::pair<std::size_t, std::size_t>> whole;
      for (const std::size_t tile : order) {
        table[tile] = std::byte{1};
        const auto said = count.finish(tile);
        const auto [i, j] = place_of(tile);
        bool all = true;
        for (const auto piece : pieces_of(place, i / group, j / group)) {
          all = all && std::count(piece.begin(), piece.end(), std::byte{1}) == static_cast<long>(piece.size());
        }
        ASSERT_EQ(said.has_value(), all) << group << " a side of " << along;
        if (!said) continue;
        EXPECT_EQ(*said, std::pair(i / group, j / group));
        EXPECT_TRUE(whole.insert(*said).second);
      }
      EXPECT_EQ(whole.size(), tiles_in_table(place.along()));
    }
  }
}

TEST(SuperTileCount, KnowsThePlaceOfEveryTileNumber) {
  for (std::size_t j = 0; j < 300; ++j) {
    for (std::size_t i = 0; i <= j; ++i) EXPECT_EQ(place_of(tile_number(i, j)), std::pair(i, j));
  }
  for (const std::size_t j : {std::size_t{65534}, std::size_t{94906265}}) {
    for (const std::size_t i : {std::size_t{0}, j - 1, j}) EXPECT_EQ(place_of(tile_number(i, j)), std::pair(i, j));
  }
}

}  // namespace
}  // namespace warpfold::tiles
