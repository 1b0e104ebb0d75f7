#pragma once

#include <cstddef>
#include <vector>

#include "tiles/exchange/tile_shares.hpp"
#include "warpfold/tiles/tile_table.hpp"

namespace warpfold::tiles {

/// The index of the counter for the first tile's state, if the device has one table. Before it are the ticket and the
/// front.
inline constexpr std::size_t first_ready = 2;

/// The place of one of the tables that a device fills at the same time. Tables are stored one after the other. So are
/// their points, weights, counters and tasks. Each member is the index of this table's first one.
struct TablePlace {
  std::size_t points = 0;
  std::size_t tiles = 0;  ///< along a side; 0 if another kernel fills the table
  std::size_t first_point = 0;
  std::size_t first_weight = 0;  ///< points * points for each table
  std::size_t first_value = 0;
  /// the front, the state of every tile, then a count of closed tiles for every diagonal
  std::size_t first_counter = 0;
  std::size_t first_task = 0;  ///< one task for each tile

  [[nodiscard]] std::size_t tasks() const { return tiles_in_table(tiles); }
  [[nodiscard]] std::size_t counters() const { return tiles == 0 ? 0 : 1 + tasks() + tiles; }
};

struct TablePlaces {
  std::vector<TablePlace> tables;
  TablePlace end{.first_counter = 1};  ///< the end of the last table; counter 0 is the shared ticket
  TileShares shares;                   ///< of the only table, if GPUs share its tiles
  /// The counters by which GPUs that share a table take tiles: the diagonal, then one for each diagonal and GPU. 0 if
  /// each GPU has whole tables.
  std::size_t first_ticket = 0;

  void add(std::size_t points, bool by_tiles = true) {
    end.points = points;
    end.tiles = by_tiles ? tile_count(points, tile_side) : 0;
    tables.push_back(end);
    end.first_point += points;
    end.first_weight += points * points;
    end.first_value += table_size(points, tile_side);
    end.first_task += tables.back().tasks();
    end.first_counter += tables.back().counters();
  }

  /// Shares the only table: `near` diagonals of tiles are on every GPU, each other tile on one GPU. Call it once.
  void share(unsigned near, unsigned gpus) {
    const auto along = static_cast<unsigned>(tables.front().tiles);
    shares = TileShares::of(along, near, gpus);
    end.first_value = std::size_t{shares.tiles_of_a_gpu(along)} * tile_side * tile_side;
    first_ticket = end.first_counter;
    end.first_counter += 1 + std::size_t{along} * gpus;
  }
};

[[nodiscard]] inline TablePlaces one_table(std::size_t points) {
  TablePlaces places;
  places.add(points);
  return places;
}

}  // namespace warpfold::tiles
