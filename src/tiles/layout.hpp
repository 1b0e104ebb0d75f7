#pragma once

#include "tiles/shapes.hpp"

/// The shared memory of the tiled solver's blocks, as constants for hosts and devices.
namespace warpfold::tiles::device {

inline constexpr int block_threads = 128;
inline constexpr int warps = block_threads / 32;
/// The side of the sub-blocks that half a warp closes. 2026-11-26, H100, f32 of any sign, n = 1024, 2048, 4096: 0.44,
/// 1.06, 2.43 ms; 0.56, 1.23, 2.87 with 16, a warp each (docs/explanation/kernels/interval.md).
inline constexpr int sub = 8;
inline constexpr int subs = tile_side / sub;

/// The layout of a block's shared memory, in values. The chunks in flight and the tile share one area, because the tile
/// is stored after the products are done. `depth`: the terms of a chunk.
template <class T>
struct Layout {
  static constexpr int blocks = sizeof(T) == 4 ? 3 : 2;  // blocks of a multiprocessor
  static constexpr int width = Vector<T>::width;
  static constexpr int stages = sizeof(T) == 4 ? 2 : 3;  // chunks that lie in shared memory or are on their way
  static constexpr int tile_stride = tile_side + sub + width;
  static constexpr int tile_size = tile_side * tile_stride;

  static constexpr int a_stride(int depth) { return depth + width; }  // 16 bytes more: a warp's rows in different banks
  static constexpr int a_size(int depth) { return tile_side * a_stride(depth); }
  static constexpr int products_size(int depth) { return stages * stage_size(depth); }
  static constexpr int stage_size(int depth) { return a_size(depth) + depth * tile_side; }
  /// The place of the upper halves of the two diagonal tiles (of_left, of_below), in one area of a tile's size.
  static constexpr int corners(int depth) {
    const int needed = tile_size + (keeps_weights(depth) ? tile_side * tile_side : 0), products = products_size(depth);
    return products > needed ? products : needed;
  }
  /// Whether the tile's weights have room behind the tile, where the chunks were, with 1 KB more; and the place of
  /// those of a sub-block.
  static constexpr bool keeps_weights(int depth) {
    return products_size(depth) + 256 >= tile_size + tile_side * tile_side;
  }
  static constexpr int weights(int a, int b) { return tile_size + (a * subs + b) * sub * sub; }
  static constexpr int shared_bytes(int depth) { return (corners(depth) + tile_size) * static_cast<int>(sizeof(T)); }
};

}  // namespace warpfold::tiles::device
