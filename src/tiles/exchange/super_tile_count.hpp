#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "warpfold/run/checkpointer.hpp"
#include "warpfold/tiles/super_tiles.hpp"
#include "warpfold/tiles/tile_table.hpp"

namespace warpfold::tiles {

/// Finds out which super-tiles are final from the tiles that are: a super-tile is final when all of its tiles are.
class SuperTileCount {
 public:
  explicit SuperTileCount(const SuperTiles& place) : place_(place), missing_(tiles_in_table(place.along())) {
    for (std::size_t at = 0; at < missing_.size(); ++at) {
      const auto [i, j] = place_of(at);
      for (const auto& piece : pieces_of(place, i, j)) missing_[at] += piece.size() / place.tile_bytes;
    }
  }

  /// Counts tile number `tile` as final. Returns the super-tile that it completes, if any.
  std::optional<std::pair<std::size_t, std::size_t>> finish(std::size_t tile) {
    const auto [tile_i, tile_j] = place_of(tile);
    const std::size_t i = tile_i / place_.group, j = tile_j / place_.group;
    if (--missing_[tile_number(i, j)] > 0) return std::nullopt;
    return std::pair(i, j);
  }

 private:
  SuperTiles place_;
  std::vector<std::size_t> missing_;  ///< tiles of each super-tile that are not final
};

}  // namespace warpfold::tiles
