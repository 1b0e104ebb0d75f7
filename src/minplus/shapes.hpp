#pragma once

#include "tiles/shapes.hpp"

/// How the thread blocks of a product share it, and their shared memory: plain data for hosts and devices.
namespace warpfold::minplus::device {

using tiles::device::GroupShape;
using tiles::device::tile_side;

/// The block of `multiply_tiles`: 2 x 2 groups for 4-byte values, 1 x 2 for 8-byte ones. `depth` is the number of terms
/// in a chunk.
template <class T>
struct BlockShape {
  using Group = GroupShape<T>;
  static constexpr int groups_down = sizeof(T) == 4 ? 2 : 1;
  static constexpr int groups_across = 2;
  static constexpr int threads = groups_down * groups_across * Group::threads;
  static constexpr int rows = groups_down * tile_side;
  static constexpr int columns = groups_across * tile_side;
  static constexpr int blocks = sizeof(T) == 4 ? 2 : 1;  // blocks of a multiprocessor
  static constexpr int stages = 3;
  static constexpr int a_size(int depth) { return depth * rows; }
  static constexpr int stage_size(int depth) { return depth * (rows + columns); }
  static constexpr int shared_bytes(int depth) { return stages * stage_size(depth) * static_cast<int>(sizeof(T)); }
};

}  // namespace warpfold::minplus::device
