#include "tiles/exchange/table_places.hpp"

#include <gtest/gtest.h>

namespace warpfold::tiles {
namespace {

TEST(TablePlaces, LieOneBehindAnotherWithoutGap) {
  TablePlaces places;
  for (const std::size_t points : {2, 64, 65, 300, 3}) places.add(points);
  TablePlace next{.first_counter = 1};
  for (const TablePlace& place : places.tables) {
    EXPECT_EQ(place.first_point, next.first_point);
    EXPECT_EQ(place.first_weight, next.first_weight);
    EXPECT_EQ(place.first_value, next.first_value);
    EXPECT_EQ(place.first_counter, next.first_counter);
    EXPECT_EQ(place.first_task, next.first_task);
    const std::size_t n = place.points, tiles = (n + 63) / 64;
    next.first_point += n;
    next.first_weight += n * n;
    next.first_value += tiles * (tiles + 1) / 2 * 64 * 64;
    next.first_counter += 1 + tiles * (tiles + 1) / 2 + tiles;
    next.first_task += tiles * (tiles + 1) / 2;
  }
  EXPECT_EQ(places.end.first_value, next.first_value);
  EXPECT_EQ(places.end.first_counter, next.first_counter);
  EXPECT_EQ(places.end.first_task, next.first_task);
}

TEST(TablePlaces, WhatSomethingElseFillsHasATableButNoTasksAndNoCounters) {
  TablePlaces places;
  places.add(64, false);
  places.add(128);
  EXPECT_EQ(places.tables[0].tasks(), 0u);
  EXPECT_EQ(places.tables[1].first_task, 0u);
  EXPECT_EQ(places.tables[1].first_counter, 1u);
  EXPECT_EQ(places.tables[1].first_value, 64u * 64u);
}

}  // namespace
}  // namespace warpfold::tiles
