#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "warpfold/run/checkpointer.hpp"
#include "warpfold/tiles/super_tiles.hpp"
#include "warpfold/tiles/tile_table.hpp"

namespace warpfold::tiles {

/// Which super-tiles are final, where what makes them knows of tiles alone: those of which all tiles are.
class SuperTileCount {
 public:
  explicit SuperTileCount(const SuperTiles& place) : place_(place), missing_(tiles_in_table(place.along())) {
    for (std::size_t at = 0; at < missing_.size(); ++at) {
      const auto [i, j] = place_of(at);
      for (const auto& piece : pieces_of(place, i, j)) missing_[at] += piece.size() / place.tile_bytes;
    }
  }

  /// Tile number `tile` of the table is final: the super-tile that it completes.
  std::optional<std::pair<std::size_t, std::size_t>> finish(std::size_t tile) {
    const auto [tile_i, tile_j] = place_of(tile);
    const std::size_t i = tile_i / place_.group, j = tile_j / place_.group;
    if (--missing_[tile_number(i, j)] > 0) return std::nullopt;
    return std::pair(i, j);
  }

 private:
  SuperTiles place_;
  std::vector<std::size_t> missing_;  ///< tiles of each super-tile
};

}  // namespace warpfold::tiles
