#pragma once

#include "warpfold/paths/all_pairs.hpp"

namespace warpfold::paths {

/// The closure 1 + A + A^2 + A^3 + .. of a square matrix over a semiring that chooses, in the time of `all_pairs`: the
/// lengths that it finds where A is the edges, without the paths. In or-and entry (i,j) tells whether j can be reached
/// from i. T is int16_t, int32_t, int64_t, float or double, in or-and uint8_t.
/// Raises what `all_pairs` raises, and of int16_t, which is solved in int32_t, Error{overflow} for a length that it
/// does not hold.
template <class T>
[[nodiscard]] Outcome<Matrix<T>> closure(Semiring semiring, MatrixView<const T> a, const Options& options = {});
/// The same of a matrix of its own.
template <class T>
[[nodiscard]] Outcome<Matrix<T>> closure(Semiring semiring, const Matrix<T>& a, const Options& options = {}) {
  return closure(semiring, a.view(), options);
}

/// What a closure of n x n would take.
template <class T>
[[nodiscard]] Estimate estimate_closure(Semiring semiring, std::size_t n, const Options& options = {});

}  // namespace warpfold::paths
