#pragma once

#include <cstdint>

#include "warpfold/minplus/multiply.hpp"

namespace warpfold::minplus {

/// A^k = A (x) A (x) .. (x) A over the semiring, for A of n x n: at most 2 log2(k) products. A^0 has one() on
/// the diagonal and zero() elsewhere. (min,+): the shortest walks of exactly k edges.
/// Raises what multiply raises, also where a power no longer fits the type.
template <class T>
[[nodiscard]] Outcome<Matrix<T>> power(Semiring semiring, MatrixView<const T> a, std::uint64_t k,
                                       const Options& options = {});

/// The same of a matrix of its own.
template <class T>
[[nodiscard]] Outcome<Matrix<T>> power(Semiring semiring, const Matrix<T>& a, std::uint64_t k,
                                       const Options& options = {}) {
  return power(semiring, a.view(), k, options);
}

/// What `power` would take for n x n.
template <class T>
[[nodiscard]] Estimate estimate_power(Semiring semiring, std::size_t n, std::uint64_t k, const Options& options = {});

}  // namespace warpfold::minplus
