#include "tiles/exchange/tile_tickets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace warpfold::tiles {
namespace {

TEST(TileTickets, TasksVisitEveryTileOnceDiagonalByDiagonal) {
  for (const unsigned tiles : {1U, 2U, 3U, 17U, 64U}) {
    unsigned task = 0;
    for (unsigned d = 0; d < tiles; ++d) {
      for (unsigned i = 0; i + d < tiles; ++i, ++task) {
        const TilePlace place = task_tile(task, tiles);
        EXPECT_EQ(place.i, i);
        EXPECT_EQ(place.j, i + d);
      }
    }
    EXPECT_EQ(task, first_task(tiles, tiles));
  }
}

TEST(TileTickets, TheLastTaskOfTheLargestTableHasItsPlace) {
  const unsigned tiles = 4096;  // 2^18 vertices
  const TilePlace place = task_tile(tiles * (tiles + 1) / 2 - 1, tiles);
  EXPECT_EQ(place.i, 0U);
  EXPECT_EQ(place.j, tiles - 1);
}

TEST(TileTickets, MiddleOutTakesEveryProductOnceTheOnesThatAreFinalFirst) {
  for (unsigned diagonal = 2; diagonal < 70; ++diagonal) {
    std::set<unsigned> seen;
    unsigned before = 0;
    for (unsigned step = 0; step + 1 < diagonal; ++step) {
      const unsigned middle = middle_out(step, diagonal);
      ASSERT_GE(middle, 1U);
      ASSERT_LT(middle, diagonal);
      seen.insert(middle);
      const unsigned longer = std::max(middle, diagonal - middle);
      EXPECT_GE(longer, before);
      before = longer;
    }
    EXPECT_EQ(seen.size(), diagonal - 1);
  }
}

}  // namespace
}  // namespace warpfold::tiles
