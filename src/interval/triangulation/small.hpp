#pragma once

#include <algorithm>
#include <cstddef>

#include "interval/triangulation/traceback.hpp"
#include "interval/triangulation/triangulation_recurrence.hpp"
#include "interval/tuning.hpp"
#include "warpfold/core/matrix.hpp"
#include "warpfold/core/tile_storage.hpp"
#include "warpfold/interval/stored_values.hpp"
#include "warpfold/run/run.hpp"

/// Triangulations of few vertices on the CPU, diagonal by diagonal.
namespace warpfold::interval::small {

/// The table of a polygon: entry i of row m is value(i, i+m). Rows are aligned to 64 bytes and end with room for
/// vectors that reach beyond their last entry.
template <class T>
struct Diagonals {
  T* values;
  T* bests;  ///< the same without the weight of (i, i+m)
  std::size_t stride;

  /// A table in memory for count(n) values, with the row of edges and zeros elsewhere.
  Diagonals(T* memory, std::size_t n) : values(memory), bests(memory + n * stride_of(n)), stride(stride_of(n)) {
    std::fill(values, bests, T{});
  }
  static constexpr std::size_t count(std::size_t n) { return 2 * n * stride_of(n); }

  [[nodiscard]] T* value(std::size_t m, std::size_t i) const { return values + m * stride + i; }
  [[nodiscard]] T* best(std::size_t m, std::size_t i) const { return bests + m * stride + i; }

 private:
  static constexpr std::size_t stride_of(std::size_t n) {
    constexpr std::size_t line = 64 / sizeof(T);
    return (n + line - 1) / line * line + line;
  }
};

/// Fills the diagonals from 2 on, which contain the weights:
///
///     best(m,i) = min over 0<p<m of value(p,i) + value(m-p,i+p),   value(m,i) = best(m,i) + weight
///
/// All loads are contiguous, and the entries of a diagonal do not wait for each other. T is int32_t, int64_t, float or
/// double. 63 diagonals of 64 vertices take 2 loads, 1 addition and 1 minimum for 1.15 times the candidates.
template <class T>
void fill(const Diagonals<T>& diagonals, std::size_t n);

/// Copies a matrix's weights to the diagonals from 2 on: value(m,i) = weights(i, i+m), and 0 for the whole polygon.
template <class T>
void copy_weights(const Diagonals<T>& diagonals, const MatrixView<const T>& weights);

/// The same for weights of any other kind.
template <class R, class T>
void copy_weights(const Diagonals<T>& diagonals, const R& polygon, std::size_t n) {
  for (std::size_t i = 0; i + 2 < n; ++i) {
    for (std::size_t m = 2; i + m < n; ++m) *diagonals.value(m, i) = polygon.weight(i, i + m);
  }
}

template <class T>
void copy_weights(const Diagonals<T>& diagonals, const MatrixRecurrence<T>& polygon, std::size_t) {
  copy_weights(diagonals, polygon.weights);
}

template <class T, class R>
[[nodiscard]] Solution<T> solve_in(const Diagonals<T>& table, const R& polygon, std::size_t n) {
  copy_weights(table, polygon, n);
  fill(table, n);
  const auto split = [&](std::size_t i, std::size_t j) {
    const std::size_t m = j - i;
    const T best = *table.best(m, i);
    for (std::size_t p = 1; p < m; ++p) {
      if (static_cast<T>(*table.value(p, i) + *table.value(m - p, i + p)) == best) return i + p;
    }
    return i + 1;  // of an interval without a value
  };
  Solution<T> solution;
  solution.cost = *table.value(n - 1, 0);
  search_structure(n, split, solution);
  return solution;
}

/// Whether `solve` solves a problem of n vertices with these options. Checkpoints need tiles.
template <class T>
[[nodiscard]] bool solves(std::size_t n, const Options& options) {
  return n <= small_vertices<T> && !options.checkpointer;
}

/// The bytes of the table of `solve`.
template <class T>
[[nodiscard]] constexpr std::size_t bytes(std::size_t n) {
  return Diagonals<T>::count(n) * sizeof(T);
}

/// The solution for a recurrence of at most small_vertices vertices, on the stack up to small_on_stack.
template <class R, class T = typename R::Semiring::Value>
[[nodiscard]] Solution<T> solve(const R& polygon, std::size_t n) {
  if (n > small_on_stack) {
    const TileStorage<T> memory(Diagonals<T>::count(n));
    return solve_in(Diagonals<T>(memory.data(), n), polygon, n);
  }
  alignas(64) T memory[Diagonals<T>::count(small_on_stack)];
  return solve_in(Diagonals<T>(memory, n), polygon, n);
}

}  // namespace warpfold::interval::small
