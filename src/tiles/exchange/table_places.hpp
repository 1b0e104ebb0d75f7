#pragma once

#include <cstddef>
#include <vector>

#include "tiles/exchange/tile_shares.hpp"
#include "warpfold/tiles/tile_table.hpp"

namespace warpfold::tiles {

/// Where a device's counters say which tiles of the only table are final: behind the ticket of all, and its front.
inline constexpr std::size_t first_ready = 2;

/// One of the tables that a device fills at once. They lie one behind another, and so do their points, weights,
/// counters and tasks: where its own begin.
struct TablePlace {
  std::size_t points = 0;
  std::size_t tiles = 0;  ///< along a side; 0 where something else fills the table
  std::size_t first_point = 0;
  std::size_t first_weight = 0;  ///< points * points each
  std::size_t first_value = 0;
  std::size_t first_counter = 0;  ///< front, then ready of every tile, then closed of every tile diagonal
  std::size_t first_task = 0;     ///< a task a tile

  [[nodiscard]] std::size_t tasks() const { return tiles_in_table(tiles); }
  [[nodiscard]] std::size_t counters() const { return tiles == 0 ? 0 : 1 + tasks() + tiles; }
};

struct TablePlaces {
  std::vector<TablePlace> tables;
  TablePlace end{.first_counter = 1};  ///< behind the last one; counter 0 is the ticket of all
  TileShares shares;                   ///< of the only table, where GPUs share its tiles
  std::size_t first_ticket = 0;        ///< and the counters by which they take them: a diagonal, then one for each
                                       ///< diagonal and GPU; 0 where each GPU has whole tables

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

  /// Once, of one table: so many diagonals of tiles on every GPU, the other tiles on one GPU each.
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
