#include "tiles/exchange/tile_shares.hpp"

#include <gtest/gtest.h>

#include <set>

namespace warpfold::tiles {
namespace {

/// Calls visit(tiles, shares) for small tables on up to five GPUs.
template <class Visit>
void each_way_to_share(const Visit& visit) {
  for (unsigned tiles = 1; tiles <= 23; ++tiles) {
    for (unsigned near = 1; near <= tiles; ++near) {
      for (unsigned gpus = 1; gpus <= 5; ++gpus) visit(tiles, TileShares::of(tiles, near, gpus));
    }
  }
}

TEST(TileShares, GiveEveryTileAPlaceOfItsOwnOnEachGpuThatHasIt) {
  each_way_to_share([](unsigned tiles, const TileShares& shares) {
    std::vector<std::set<unsigned>> taken(shares.gpus);
    for (unsigned j = 0; j < tiles; ++j) {
      for (unsigned i = 0; i <= j; ++i) {
        const TilePlace tile{i, j};
        if (shares.is_near(tile)) {
          ASSERT_LT(shares.near_number(tile), shares.first_far);
          for (auto& numbers : taken) ASSERT_TRUE(numbers.insert(shares.near_number(tile)).second);
        } else {
          ASSERT_GE(shares.far_number(tile), shares.first_far);
          ASSERT_TRUE(taken[j % shares.gpus].insert(shares.far_number(tile)).second);
        }
      }
    }
    unsigned most = 0;
    for (const auto& numbers : taken) {
      ASSERT_EQ(*numbers.rbegin() + 1, numbers.size());  // none is left free
      most = std::max(most, static_cast<unsigned>(numbers.size()));
    }
    ASSERT_EQ(shares.tiles_of_a_gpu(tiles), most);
  });
}

TEST(TileShares, PutAColumnsTilesBehindOneAnotherFirstThoseOfOneGpuThenTheOthers) {
  each_way_to_share([](unsigned tiles, const TileShares& shares) {
    for (unsigned j = 0; j < tiles; ++j) {
      for (unsigned i = 0; i <= j; ++i) {
        ASSERT_EQ(shares.is_near({i, j}), i >= shares.far_rows(j));
        if (i == 0 || i == shares.far_rows(j)) continue;
        ASSERT_EQ(shares.number({i, j}), shares.number({i - 1, j}) + 1);
      }
    }
  });
}

TEST(TileShares, OfWholeCopiesAreThePackedTable) {
  const TileShares shares;
  for (unsigned j = 0; j < 40; ++j) {
    for (unsigned i = 0; i <= j; ++i) {
      ASSERT_TRUE(shares.is_near({i, j}));
      ASSERT_EQ(shares.near_number({i, j}), tile_number(i, j));
    }
  }
}

TEST(TileShares, ListADiagonalsTilesOnceByTheGpusOfTheirColumns) {
  each_way_to_share([](unsigned tiles, const TileShares& shares) {
    for (unsigned d = 0; d < tiles; ++d) {
      std::set<unsigned> rows;
      for (unsigned gpu = 0; gpu < shares.gpus; ++gpu) {
        for (unsigned at = 0; shares.row_of(at, d, gpu) + d < tiles; ++at) {
          const unsigned i = shares.row_of(at, d, gpu);
          ASSERT_EQ((i + d) % shares.gpus, gpu);
          ASSERT_TRUE(rows.insert(i).second);
        }
      }
      ASSERT_EQ(rows.size(), tiles - d);
    }
  });
}

// 32 bits hold every number, as they hold j * (j + 1) of the packed table.
TEST(TileShares, DoNotWrapInTheLargestTable) {
  const auto tiles = static_cast<unsigned>(tile_count(max_points, tile_side));
  EXPECT_LT(std::uint64_t{tiles} * (tiles + 1), std::uint64_t{1} << 32);
  for (const unsigned near : {1U, tiles / 3, tiles - 1, tiles}) {
    for (const unsigned gpus : {2U, 3U, 8U}) {
      const TileShares shares = TileShares::of(tiles, near, gpus);
      const std::uint64_t wide = near;
      EXPECT_EQ(shares.first_far, wide * (wide + 1) / 2 + (tiles - wide) * wide);
      const std::uint64_t all = tiles_in_table(tiles), far = all - shares.first_far;
      EXPECT_GE(shares.tiles_of_a_gpu(tiles), shares.first_far + far / gpus);
      EXPECT_LE(shares.tiles_of_a_gpu(tiles), shares.first_far + far / gpus + tiles);
      EXPECT_EQ(shares.near_number({tiles - 1, tiles - 1}), shares.first_far - 1);
    }
  }
}

}  // namespace
}  // namespace warpfold::tiles
