#pragma once

#include <cstdint>

#include "knapsack/table.hpp"

/// Kernel bodies of cuda.cu.
namespace warpfold::knapsack::cuda {

/// A row of cells after the rows so far. Cells from `filled` on all have the value `beyond`, and are not stored.
template <class T>
struct PartialRow {
  const T* stored;
  std::int64_t filled;
  T beyond;

  __device__ T at(std::int64_t c) const { return c < filled ? stored[c] : beyond; }
};

/// after[c] = best of before[c] and of taking `a`, `b` or both, for low <= c < high. Two rows per pass. Per cell and
/// row 8 bytes are read, mostly from the second-level cache, and 2 written. No shared memory, no barrier.
template <class T>
__global__ void __launch_bounds__(256)
    raise_twice(PartialRow<T> before, T* after, std::int64_t low, std::int64_t high, Row<T> a, Row<T> b) {
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t c = low + static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; c < high; c += stride) {
    T best = before.at(c);
    if (c >= a.weight) best = max(best, static_cast<T>(before.at(c - a.weight) + a.value));
    if (c >= b.weight) best = max(best, static_cast<T>(before.at(c - b.weight) + b.value));
    const std::int64_t both = c - a.weight - b.weight;
    if (both >= 0) best = max(best, static_cast<T>(before.at(both) + a.value + b.value));
    after[c] = best;
  }
}

template <class T>
__global__ void __launch_bounds__(256)
    raise_once(PartialRow<T> before, T* after, std::int64_t low, std::int64_t high, Row<T> a) {
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t c = low + static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; c < high; c += stride) {
    T best = before.at(c);
    if (c >= a.weight) best = max(best, static_cast<T>(before.at(c - a.weight) + a.value));
    after[c] = best;
  }
}

}  // namespace warpfold::knapsack::cuda
