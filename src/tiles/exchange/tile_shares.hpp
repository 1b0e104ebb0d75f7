#pragma once

#include <algorithm>

#include "tiles/exchange/tile_tickets.hpp"
#include "warpfold/tiles/tile_table.hpp"

/// Where the tiles of a table are that several GPUs fill together, as plain arithmetic for hosts and devices.
namespace warpfold::tiles {

/// Tiles near the diagonal, which most products read, are on every GPU. Every other tile is on one GPU, chosen by its
/// column. So a tile's operands in its own column are on its own GPU. Each GPU stores the near tiles first, column by
/// column, and then those of its columns.
struct TileShares {
  unsigned near = 1U << 31;  ///< tiles (i,j), j < i + near, are on every GPU
  unsigned gpus = 1;         ///< any other tile is on GPU j % gpus
  unsigned first_far = 0;    ///< the number of near tiles

  [[nodiscard]] static constexpr TileShares of(unsigned tiles, unsigned near, unsigned gpus) {
    return {near, gpus, near * (near + 1) / 2 + (tiles - near) * near};
  }

  [[nodiscard]] constexpr bool is_near(TilePlace tile) const { return tile.j < near || tile.j < tile.i + near; }
  /// The number of a column's tiles that are on one GPU only. They are its first rows.
  [[nodiscard]] constexpr unsigned far_rows(unsigned column) const { return column < near ? 0 : column - near + 1; }
  /// The position of a near tile in a GPU's storage.
  [[nodiscard]] constexpr unsigned near_number(TilePlace tile) const {
    const auto [i, j] = tile;
    if (j < near) return j * (j + 1) / 2 + i;
    return near * (near + 1) / 2 + (j - near) * (near - 1) + i - 1;
  }
  /// The position of a far tile in its GPU's storage. Column j has far_rows(j) of them.
  [[nodiscard]] constexpr unsigned far_number(TilePlace tile) const {
    const unsigned column = tile.j - near, before = column / gpus;
    return first_far + before * (column % gpus + 1) + gpus * (before * (before - 1) / 2) + tile.i;
  }
  /// The position of any tile.
  [[nodiscard]] constexpr unsigned number(TilePlace tile) const {
    return is_near(tile) ? near_number(tile) : far_number(tile);
  }
  /// The most tiles that a GPU has.
  [[nodiscard]] constexpr unsigned tiles_of_a_gpu(unsigned tiles) const {
    unsigned most = first_far;
    for (unsigned j = std::max(near, tiles - std::min(tiles, gpus)); j < tiles; ++j) {
      most = std::max(most, far_number({j - near, j}) + 1);
    }
    return most;
  }

  /// The row of tile number `at` of a diagonal, counted in one GPU's columns. It may be beyond the table.
  [[nodiscard]] constexpr unsigned row_of(unsigned at, unsigned diagonal, unsigned gpu) const {
    return (gpu + gpus - diagonal % gpus) % gpus + at * gpus;
  }
};

}  // namespace warpfold::tiles
