#pragma once

#include <cstddef>

namespace warpfold::tiles {

/// One row of a stencil's weights, for consecutive columns of the source from right to left.
template <class T>
struct WeightRow {
  const T* weights;
  std::size_t count;
  std::ptrdiff_t offset;  ///< from the source of the stencil's first weight to that of this row's first one
};

/// Vector code for one row of a tile that closes. `columns` is a multiple of block_side. Nothing has to be aligned.
/// Terms are added in the order of their indices.
template <class T>
struct RowOperations {
  /// c[j] = plus over k < depth of times(a[k], b[k][j]) and c[j]. Rows of b are a tile side apart.
  void (*product)(T* c, const T* a, const T* b, std::size_t depth, std::size_t columns);
  /// sums[j] = plus over the rows of weights, and over b < row.count, of times(row.weights[b], source[row.offset + j -
  /// b]) and sums[j].
  void (*convolve)(T* sums, const T* source, const WeightRow<T>* rows, std::size_t count, std::size_t columns);
};

}  // namespace warpfold::tiles
