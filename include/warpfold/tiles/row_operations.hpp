#pragma once

#include <cstddef>

namespace warpfold::tiles {

/// A weight, and where it reads: from the source of a row of results to the value of its first one.
template <class T>
struct WeightAt {
  T weight;
  std::ptrdiff_t offset;
};

/// The terms of a stencil whose places add up to one size. Those that carry over are the terms of a smaller size, one
/// row below and one column to the left, times a step.
template <class T>
struct SizeTerms {
  std::size_t from;  ///< the row of the smaller size; a row without values if none carries over
  T step;
  const WeightAt<T>* others;  ///< the terms that do not carry over
  std::size_t count;
};

/// Vector code for one row of a tile that closes. `columns` is a multiple of block_side. Nothing has to be aligned.
/// Terms are added in the order of their indices.
template <class T>
struct RowOperations {
  /// c[j] = plus over k < depth of times(a[k], b[k][j]) and c[j]. Rows of b are a tile side apart.
  void (*product)(T* c, const T* a, const T* b, std::size_t depth, std::size_t columns);
  /// sums[j] = plus over the terms of times(weight, source[offset + j]) and sums[j].
  void (*convolve)(T* sums, const T* source, const WeightAt<T>* terms, std::size_t count, std::size_t columns);
  /// Row s + 1 of `rows` has the sums of size s, of the row below. It takes those of this row, from the last to the
  /// first: rows[s + 1][j] = plus over the other terms of sizes[s] of times(weight, source[offset + j]), and of
  /// times(step, rows[from][j - 1]). Then sums[j] = plus over s of rows[s + 1][j] and sums[j]. Rows are `stride` apart.
  void (*carry)(T* sums, T* rows, std::size_t stride, const T* source, const SizeTerms<T>* sizes, std::size_t count,
                std::size_t columns);
};

}  // namespace warpfold::tiles
