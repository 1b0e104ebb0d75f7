#pragma once

#include "warpfold/tiles/tile_table.hpp"

/// How a group of a device's threads shares a tile, as constants for hosts and devices.
namespace warpfold::tiles::device {

inline constexpr int tile_side = static_cast<int>(tiles::tile_side);

/// Sixteen bytes, the widest access of a thread.
template <class T>
struct alignas(16) Vector {
  static constexpr int width = 16 / sizeof(T);
  T value[width];
};

/// How one group of threads shares a 64 x 64 tile of results. The group is a grid of 8 columns of threads. Thread (row,
/// column) has the rows row + u * thread_rows and, in each band of 8 vectors, vector `column`.
template <class T>
struct GroupShape {
  static constexpr int threads = sizeof(T) == 4 ? 64 : 128;
  static constexpr int width = Vector<T>::width;
  static constexpr int thread_rows = threads / 8;
  static constexpr int rows = tile_side / thread_rows;  // rows of results of a thread
  static constexpr int columns = 8;
};

}  // namespace warpfold::tiles::device
