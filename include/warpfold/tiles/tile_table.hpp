#pragma once

#include <cstddef>

namespace warpfold::tiles {

/// Entries along a side of a tile, on CPUs and GPUs alike: three tiles of f32 fill the first level of cache (48 KiB) of
/// Zen 5, and a thread block's results of f32 take a quarter of a multiprocessor's registers.
inline constexpr std::size_t tile_side = 64;

/// And of the blocks by which a user's compiler closes one.
inline constexpr std::size_t block_side = 8;

/// Where things lie in a packed table of upper-triangular tiles, for hosts and devices alike. Tile (I,J), I <= J, holds
/// the entries (I*side + a, J*side + b), row-major and contiguous; the tiles stand column by column, so that (0,J) ..
/// (J,J), a column's operands, follow each other and an address does not depend on n.
[[nodiscard]] constexpr std::size_t tile_count(std::size_t n, std::size_t side) { return (n + side - 1) / side; }
/// Which tile of the table (I,J) is.
[[nodiscard]] constexpr std::size_t tile_number(std::size_t tile_i, std::size_t tile_j) {
  return tile_j * (tile_j + 1) / 2 + tile_i;
}
/// Tiles of a table with so many along a side.
[[nodiscard]] constexpr std::size_t tiles_in_table(std::size_t along_a_side) { return tile_number(0, along_a_side); }
/// Where a tile begins, in values.
[[nodiscard]] constexpr std::size_t tile_offset(std::size_t tile_i, std::size_t tile_j, std::size_t side) {
  return tile_number(tile_i, tile_j) * side * side;
}
/// Where entry (i,j) lies, i <= j.
[[nodiscard]] constexpr std::size_t entry_offset(std::size_t i, std::size_t j, std::size_t side) {
  return tile_offset(i / side, j / side, side) + i % side * side + j % side;
}
/// Values in a table for n points: about n*n/2 + n*side/2.
[[nodiscard]] constexpr std::size_t table_size(std::size_t n, std::size_t side) {
  return tile_offset(0, tile_count(n, side), side);
}

/// What a device's solvers accept, 4,194,240: so long as j * (j + 1) of the last tile column stays below 2^32, 32 bits
/// hold the number of every tile, and of every entry of a row of tiles.
inline constexpr std::size_t max_points = 65535 * tile_side;

}  // namespace warpfold::tiles
