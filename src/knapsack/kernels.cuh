#pragma once

#include <cstdint>

#include "knapsack/table.hpp"

/// Kernel bodies of cuda.cu.
namespace warpfold::knapsack::cuda {

/// A row of cells as the rows so far left it: cells from `filled` on all hold `beyond`, and are not stored.
template <class T>
struct PartialRow {
  const T* stored;
  std::int64_t filled;
  T beyond;

  __device__ T at(std::int64_t c) const { return c < filled ? stored[c] : beyond; }
};

/// after[c] = best of before[c] and of taking `a`, `b` or both, for low <= c < high. Two rows a pass: per cell and row
/// 8 bytes read, mostly from the second-level cache, and 2 written. No shared memory, no barrier.
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

/// A stretch of the table as one sequence that starts in column `column` of a row: that row and the one after it.
template <class T>
struct Stretch {
  std::int64_t slot = 0;  ///< of its first element in the ring
  std::int64_t column = 0;
  std::int64_t count = 0;
  Row<T> rows[2];
};

/// One step of the p-fold pipeline: the first term, ST[i - (C + 1 + w)] + v, of the newest p elements, and the second,
/// ST[i - (C + 1)], of the p before them. `columns` = C + 1. A ring holds the part of the sequence that is still read.
template <class T>
__global__ void __launch_bounds__(256)
    pipeline_step(T* ring, std::int64_t ring_size, std::int64_t columns, Stretch<T> first, Stretch<T> second) {
  const std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const bool older = thread >= first.count;
  const std::int64_t at = older ? thread - first.count : thread;
  if (at >= (older ? second.count : first.count)) return;
  std::int64_t slot = (older ? second.slot : first.slot) + at;
  slot -= slot >= ring_size ? ring_size : 0;
  std::int64_t above = slot - columns;
  if (older) {
    above += above < 0 ? ring_size : 0;
    ring[slot] = max(ring[slot], ring[above]);
    return;
  }
  // Fields are chosen one by one: indexing the pair would put it into local memory.
  const std::int64_t column = first.column + at;
  const bool next = column >= columns;
  const std::int64_t weight = next ? first.rows[1].weight : first.rows[0].weight;
  const T value = next ? first.rows[1].value : first.rows[0].value;
  above -= weight;
  above += above < 0 ? ring_size : 0;
  ring[slot] = column - (next ? columns : 0) >= weight ? static_cast<T>(ring[above] + value) : T{0};
}

}  // namespace warpfold::knapsack::cuda
