#pragma once

#include "warpfold/paths/all_pairs.hpp"

namespace warpfold::paths {

/// Returns the closure 1 + A + A^2 + A^3 + .. of a square matrix A over a selective semiring. It equals the lengths
/// that `all_pairs` finds with A as the edges. In or-and, entry (i,j) tells whether j can be reached from i.
///
/// T is int16_t, int32_t, int64_t, float or double, or uint8_t for or-and. Raises what `all_pairs` raises. An int16_t
/// matrix is solved in int32_t, and raises Error{overflow} for a result that int16_t does not hold. Cost: that of
/// `all_pairs` without successors.
template <class T>
[[nodiscard]] Outcome<Matrix<T>> closure(Semiring semiring, MatrixView<const T> a, const Options& options = {});
/// Returns the closure of a matrix that owns its entries.
template <class T>
[[nodiscard]] Outcome<Matrix<T>> closure(Semiring semiring, const Matrix<T>& a, const Options& options = {}) {
  return closure(semiring, a.view(), options);
}

/// Returns the time and memory that `closure` would take for n x n.
template <class T>
[[nodiscard]] Estimate estimate_closure(Semiring semiring, std::size_t n, const Options& options = {});

}  // namespace warpfold::paths
