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
  static constexpr int thread_columns = 8;
  static constexpr int rows = tile_side / thread_rows;  // rows of results of a thread
  static constexpr int columns = 8;
};

/// The same where results have notes (gpu/notes.cuh): 32 registers of results, so that those before fit beside them.
template <class T>
struct NotedShape {
  static constexpr int rows = 4;
  static constexpr int columns = 32 / rows / (static_cast<int>(sizeof(T)) / 4);
  static constexpr int thread_rows = tile_side / rows, thread_columns = tile_side / columns;
  static constexpr int threads = thread_rows * thread_columns;
};

/// The largest number of groups of terms that notes tell apart.
inline constexpr std::size_t max_noted_groups = 30720;

}  // namespace warpfold::tiles::device
