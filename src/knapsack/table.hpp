#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "knapsack/tuning.hpp"
#include "warpfold/knapsack/problem.hpp"
#include "warpfold/run/backend.hpp"

namespace warpfold::knapsack {

/// One item of a table, with all of a row's arithmetic. Its weight is at least 1.
template <class T>
struct Row {
  std::int64_t weight = 0;
  T value = 0;
};

/// The rows to run over best[0 .. capacity].
template <class T>
struct Table {
  std::span<const Row<T>> rows;
  std::int64_t capacity = 0;
  std::int64_t lowest = 0;  ///< only best[lowest .. capacity] is wanted: cells that no later row can need are left out
  int threads = 1;
  /// The total of earlier rows, whose results are in the first `weight_before` cells.
  std::int64_t weight_before = 0;
  T value_before = 0;
  std::int64_t min_share = tuning::min_share;  ///< a thread's cells, at least: below, fewer threads take part
};

/// The decisions of a table. Bit c of row i is set if row i raised best[c]. Sized by `decision_words`.
struct Decisions {
  std::uint64_t* words = nullptr;  ///< null: not wanted
  std::size_t words_per_row = 0;

  [[nodiscard]] bool raised(std::size_t row, std::int64_t c) const {
    return words[row * words_per_row + static_cast<std::size_t>(c / 64)] >> (c % 64) & 1;
  }
};

[[nodiscard]] constexpr std::int64_t round_down(std::int64_t x) { return x / tuning::granule * tuning::granule; }
[[nodiscard]] constexpr std::int64_t round_up(std::int64_t x) { return round_down(x + tuning::granule - 1); }

/// The number of cells of a table for capacities 0 .. capacity, in complete granules.
[[nodiscard]] std::size_t padded_cells(std::int64_t capacity);

}  // namespace warpfold::knapsack

/// best[c] = max(best[c], best[c - weight] + value), row after row, each from high to low c (0-1 items), or from low to
/// high (`unbounded_rows`). `best` has padded_cells(capacity) entries, 64-byte aligned. The cells from `lowest` to
/// `capacity` then equal the reference's.
namespace warpfold::knapsack::cpu {

/// The bytes of the threads besides `best`: the cells below each one's share that its rows, up to the heaviest, read.
template <class T>
[[nodiscard]] std::size_t halo_bytes(std::int64_t heaviest, std::int64_t capacity, int threads);

/// Returns the number of threads that ran.
template <class T>
int zero_one_rows(const Table<T>& table, T* best, const Decisions& decisions, SolveMonitor& monitor);

template <class T>
void unbounded_rows(const Table<T>& table, T* best, SolveMonitor& monitor);

}  // namespace warpfold::knapsack::cpu

/// The same rows on the options' GPU. `best` is the host's array.
namespace warpfold::knapsack::cuda {

template <class T>
using RowsFunction = void (*)(const Table<T>& table, T* best, Context& context, SolveMonitor& monitor);

/// Complete rows, two at a time.
template <class T>
void zero_one_rows(const Table<T>& table, T* best, Context& context, SolveMonitor& monitor);

/// The bytes on the GPU.
[[nodiscard]] inline std::size_t device_bytes(std::int64_t capacity, std::size_t cell_bytes) {
  return 2 * (static_cast<std::size_t>(capacity) + 1) * cell_bytes;
}

}  // namespace warpfold::knapsack::cuda
