#pragma once

#include "tiles/shapes.hpp"

/// How the thread blocks of a product share it, and their shared memory: plain data for hosts and devices.
namespace warpfold::minplus::device {

using tiles::device::GroupShape;
using tiles::device::tile_side;

/// The chunks of terms of a block's rows and columns that are in shared memory. `depth` is the number of terms in a
/// chunk.
template <class Block, class T>
struct Chunks {
  static constexpr int stages = 3;
  static constexpr int a_size(int depth) { return depth * Block::rows; }
  static constexpr int stage_size(int depth) { return depth * (Block::rows + Block::columns); }
  static constexpr int shared_bytes(int depth) { return stages * stage_size(depth) * static_cast<int>(sizeof(T)); }
};

/// The block of `multiply_tiles`: 2 x 2 groups for 4-byte values, 1 x 2 for 8-byte ones.
template <class T>
struct BlockShape : Chunks<BlockShape<T>, T> {
  using Group = GroupShape<T>;
  static constexpr int groups_down = sizeof(T) == 4 ? 2 : 1;
  static constexpr int groups_across = 2;
  static constexpr int threads = groups_down * groups_across * Group::threads;
  static constexpr int rows = groups_down * tile_side;
  static constexpr int columns = groups_across * tile_side;
  static constexpr int blocks = sizeof(T) == 4 ? 2 : 1;  // blocks of a multiprocessor
};

/// The block of a product that notes terms: 1 x 2 groups for 4-byte values, one for 8-byte ones.
template <class T>
struct NotingBlock : Chunks<NotingBlock<T>, T> {
  using Group = tiles::device::NotedShape<T>;
  static constexpr int groups_across = sizeof(T) == 4 ? 2 : 1;
  static constexpr int threads = groups_across * Group::threads;
  static constexpr int rows = tile_side;
  static constexpr int columns = groups_across * tile_side;
  static constexpr int blocks = 2;
};

}  // namespace warpfold::minplus::device
