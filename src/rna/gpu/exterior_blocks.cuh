#pragma once

#include <cuda/atomic>

#include "warpfold/tiles/tile_table.hpp"

/// What the exterior loops of foldings and of sums have in common: blocks that finish a tile of points each.
namespace warpfold::rna::cuda {

inline constexpr unsigned side = tiles::tile_side;
inline constexpr unsigned exterior_groups = 4;  ///< of rows of a tile: a thread has a column, and the rows of a group

/// Counts tiles of points in the order in which they are finished.
using TileCounter = ::cuda::atomic_ref<unsigned, ::cuda::thread_scope_device>;

/// Waits until more than `number` tiles are finished.
__device__ __forceinline__ void wait_for_tile(unsigned& finished, unsigned number) {
  while (TileCounter(finished).load(::cuda::memory_order_acquire) <= number) __nanosleep(20);
}

}  // namespace warpfold::rna::cuda
