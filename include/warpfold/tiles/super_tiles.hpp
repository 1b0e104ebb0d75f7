#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "warpfold/run/checkpointer.hpp"

/// The super-tiles of a packed table (tile_table.hpp).
namespace warpfold::tiles {

/// The place (I,J) of tile number `number` of a table. For super-tiles likewise.
[[nodiscard]] std::pair<std::size_t, std::size_t> place_of(std::size_t number);

/// The bytes of super-tile (I,J): one contiguous piece for each of its columns of tiles.
[[nodiscard]] std::vector<std::span<std::byte>> pieces_of(const SuperTiles& table, std::size_t i, std::size_t j);

}  // namespace warpfold::tiles
