#pragma once

#include <cstddef>

#include "minplus/tuning.hpp"
#include "warpfold/tiles/tile_table.hpp"

/// How thread blocks share products of tiles, and the shared memory that takes: plain data for hosts and devices.
namespace warpfold::minplus::device {

inline constexpr int tile_side = static_cast<int>(tiles::tile_side);

/// Sixteen bytes, the widest access of a thread.
template <class T>
struct alignas(16) Vector {
  static constexpr int width = 16 / sizeof(T);
  T value[width];
};

/// How one group of threads shares a 64 x 64 tile of results: thread (row, column) of the group's grid of 8 columns has
/// the rows row + u * thread_rows and, of each band of 8 vectors, the column-th vector.
template <class T>
struct GroupShape {
  static constexpr int threads = sizeof(T) == 4 ? 64 : 128;
  static constexpr int width = Vector<T>::width;
  static constexpr int thread_rows = threads / 8;
  static constexpr int rows = tile_side / thread_rows;  // of results a thread
  static constexpr int columns = 8;
};

/// The block of `multiply_tiles`: 2 x 2 groups for 4-byte values, 1 x 2 for 8-byte ones. `depth`: terms of a chunk.
template <class T>
struct BlockShape {
  using Group = GroupShape<T>;
  static constexpr int groups_down = sizeof(T) == 4 ? 2 : 1;
  static constexpr int groups_across = 2;
  static constexpr int threads = groups_down * groups_across * Group::threads;
  static constexpr int rows = groups_down * tile_side;
  static constexpr int columns = groups_across * tile_side;
  static constexpr int blocks = sizeof(T) == 4 ? 2 : 1;  // of a multiprocessor
  static constexpr int stages = 3;
  static constexpr int a_size(int depth) { return depth * rows; }
  static constexpr int stage_size(int depth) { return depth * (rows + columns); }
  static constexpr int shared_bytes(int depth) { return stages * stage_size(depth) * static_cast<int>(sizeof(T)); }
};

}  // namespace warpfold::minplus::device
