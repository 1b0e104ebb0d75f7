#pragma once

#include <cstddef>

#include "tiles/shapes.hpp"

/// How a round's kernels share the table, and their shared memory: plain data for hosts and devices.
namespace warpfold::paths::device {

using tiles::device::GroupShape;
using tiles::device::NotedShape;
using tiles::device::tile_side;

inline constexpr int turns = tile_side;         ///< turns of a round
inline constexpr int panel_threads = 128;       ///< of a block of `take_turns`, a row or column each
inline constexpr int max_areas = 4;             ///< of a product
inline constexpr std::size_t table_unit = 128;  ///< the table's side is a multiple of it

/// The side of a table of that many vertices.
[[nodiscard]] constexpr std::size_t table_side(std::size_t vertices) {
  return (vertices + table_unit - 1) / table_unit * table_unit;
}

/// The block of a round's products of lengths: 64 x 128 results of 4 bytes, 64 x 64 of 8. Each group of threads has 64
/// columns. Measured 2026-11-22 on an H200, f32, n = 8192: three blocks per multiprocessor take 40.1 ms, four 40.6 (n =
/// 4096: 6.9 and 6.7).
template <class T>
struct LengthsShape : GroupShape<T> {
  static constexpr int group_threads = GroupShape<T>::threads;
  static constexpr int threads = 128;
  static constexpr int block_rows = tile_side, block_columns = tile_side * threads / group_threads;
  static constexpr int blocks = sizeof(T) == 4 ? 4 : 3;  ///< of a multiprocessor, by their registers
};

/// With successors: 64 x 64 results.
template <class T>
struct SuccessorsShape : NotedShape<T> {
  static constexpr int group_threads = NotedShape<T>::threads;
  static constexpr int block_rows = tile_side, block_columns = tile_side;
  static constexpr int blocks = sizeof(T) == 4 ? 4 : 2;  ///< of a multiprocessor, by their registers
};

/// The bytes of a block's lines.
template <class T, class Shape>
inline constexpr int product_shared_bytes = turns*(Shape::block_rows + Shape::block_columns) *
                                            static_cast<int>(sizeof(T));

/// The diagonal tile's rows and columns, kept by a block of `take_turns`.
template <class T>
inline constexpr int panel_shared_bytes = 2 * turns* turns* static_cast<int>(sizeof(T));

}  // namespace warpfold::paths::device
