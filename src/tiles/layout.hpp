#pragma once

#include "tiles/shapes.hpp"

/// The shared memory of the tiled solver's blocks, as constants for hosts and devices.
namespace warpfold::tiles::device {

inline constexpr int block_threads = 128;
inline constexpr int warps = block_threads / 32;
inline constexpr int sub = 16;  ///< the side of the sub-blocks that one warp closes
inline constexpr int subs = tile_side / sub;

/// The layout of a block's shared memory, in values. The chunks in flight and the tile share one area, because the tile
/// is stored after the products are done. `depth`: the terms of a chunk.
template <class T>
struct Layout {
  static constexpr int blocks = sizeof(T) == 4 ? 3 : 2;  // of a multiprocessor
  static constexpr int width = Vector<T>::width;
  static constexpr int stages = sizeof(T) == 4 ? 2 : 3;  // chunks that lie in shared memory or are on their way
  static constexpr int tile_stride = tile_side + width;
  static constexpr int tile_size = tile_side * tile_stride;
  static constexpr int sub_stride = sub + width;
  static constexpr int sub_size = sub * sub_stride;
  static constexpr int corner_subs = subs * (subs + 1) / 2;  // the upper half of a diagonal tile
  static constexpr int corner_size = corner_subs * sub_size;
  static constexpr int close_size = tile_size + warps * sub_size;

  static constexpr int a_stride(int depth) { return depth + width; }  // 16 bytes more: a warp's rows in different banks
  static constexpr int a_size(int depth) { return tile_side * a_stride(depth); }
  static constexpr int stage_size(int depth) { return a_size(depth) + depth * tile_side; }
  static constexpr int left(int depth) {
    const int products_size = stages * stage_size(depth);
    return products_size > close_size ? products_size : close_size;
  }
  static constexpr int below(int depth) { return left(depth) + corner_size; }
  static constexpr int shared_bytes(int depth) { return (below(depth) + corner_size) * static_cast<int>(sizeof(T)); }
};

}  // namespace warpfold::tiles::device
