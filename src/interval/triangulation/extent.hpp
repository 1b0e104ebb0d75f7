#pragma once

#include <cstddef>

#include "warpfold/core/matrix.hpp"

namespace warpfold::interval {

/// The result of one pass over chords' weights.
template <class T>
struct Extent {
  T magnitude = 0;  ///< the largest, without weights at or above infinity<T>; NaN for NaN, infinity for -inf
  bool negative = false;
};

/// The extent of every `step`th row from `first` on of a matrix of weights, in vectors. T is int32_t, int64_t, float or
/// double.
template <class T>
[[nodiscard]] Extent<T> extent_of_rows(const MatrixView<const T>& weights, std::size_t first, std::size_t step);

}  // namespace warpfold::interval
