#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace warpfold::knapsack {

struct FreeCells {
  void operator()(void* cells) const { std::free(cells); }
};

/// Cells that start on a cache line, in large pages where there are many; their content is undefined.
template <class T>
using Cells = std::unique_ptr<T[], FreeCells>;

template <class T>
[[nodiscard]] Cells<T> allocate_cells(std::size_t count) {
  constexpr std::size_t page = std::size_t{2} << 20;
  const std::size_t alignment = count * sizeof(T) >= 2 * page ? page : 64;
  const std::size_t bytes = (count * sizeof(T) + alignment - 1) / alignment * alignment;
  void* cells = std::aligned_alloc(alignment, bytes);
  if (!cells) throw std::bad_alloc();
  if (alignment == page) madvise(cells, bytes, MADV_HUGEPAGE);  // only advice: failing costs nothing but time
  return Cells<T>(static_cast<T*>(cells));
}

}  // namespace warpfold::knapsack
