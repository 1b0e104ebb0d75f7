#pragma once

#include <cstddef>

namespace warpfold::tiles {

/// Entries along a side of a tile, on CPUs and GPUs. Three f32 tiles fill Zen 5's first-level cache (48 KiB). A thread
/// block's f32 results take a quarter of a multiprocessor's registers.
inline constexpr std::size_t tile_side = 64;

/// Entries along a side of the blocks in which a user's compiler closes a tile.
inline constexpr std::size_t block_side = 8;

/// Copies a tile, transposed.
template <class T>
void transpose_tile(const T* from, T* to) {
  for (std::size_t r = 0; r < tile_side; ++r) {
    for (std::size_t x = 0; x < tile_side; ++x) to[r * tile_side + x] = from[x * tile_side + r];
  }
}

/// Tiles along a side of a packed upper-triangular table for n points. Hosts and devices use the same layout.
///
/// Tile (I,J), I <= J, holds the entries (I*side + a, J*side + b), row-major and contiguous. Tiles are stored column by
/// column, so the operands (0,J) .. (J,J) of a column are contiguous. No address depends on n.
[[nodiscard]] constexpr std::size_t tile_count(std::size_t n, std::size_t side) { return (n + side - 1) / side; }
/// The number of tile (I,J) in the table.
[[nodiscard]] constexpr std::size_t tile_number(std::size_t tile_i, std::size_t tile_j) {
  return tile_j * (tile_j + 1) / 2 + tile_i;
}
/// The number of tiles in a table of `along_a_side` tiles a side.
[[nodiscard]] constexpr std::size_t tiles_in_table(std::size_t along_a_side) { return tile_number(0, along_a_side); }
/// The offset of a tile, in values.
[[nodiscard]] constexpr std::size_t tile_offset(std::size_t tile_i, std::size_t tile_j, std::size_t side) {
  return tile_number(tile_i, tile_j) * side * side;
}
/// The offset of entry (i,j), i <= j, in values.
[[nodiscard]] constexpr std::size_t entry_offset(std::size_t i, std::size_t j, std::size_t side) {
  return tile_offset(i / side, j / side, side) + i % side * side + j % side;
}
/// The values of a table for n points: about n*n/2 + n*side/2.
[[nodiscard]] constexpr std::size_t table_size(std::size_t n, std::size_t side) {
  return tile_offset(0, tile_count(n, side), side);
}

/// The most points that GPU solvers accept: 4,194,240. Up to it j * (j + 1) of the last tile column is below 2^32. So
/// 32 bits hold the number of every tile, and of every entry in a row of tiles.
inline constexpr std::size_t max_points = 65535 * tile_side;

}  // namespace warpfold::tiles
