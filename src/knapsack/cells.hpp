#pragma once

#include <cstddef>
#include <memory>

#include "warpfold/core/tile_storage.hpp"

namespace warpfold::knapsack {

struct FreeCells {
  std::size_t bytes = 0;
  void operator()(void* cells) const { free_tiles(cells, bytes); }
};

/// Cells that start on a cache line, in large pages if there are many. Their content is undefined.
template <class T>
using Cells = std::unique_ptr<T[], FreeCells>;

template <class T>
[[nodiscard]] Cells<T> allocate_cells(std::size_t count) {
  const std::size_t bytes = count * sizeof(T);
  return Cells<T>(static_cast<T*>(allocate_tiles(bytes)), FreeCells{bytes});
}

}  // namespace warpfold::knapsack
