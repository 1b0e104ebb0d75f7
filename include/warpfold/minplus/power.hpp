#pragma once

#include <cstdint>

#include "warpfold/minplus/multiply.hpp"

namespace warpfold::minplus {

/// Returns A^k = A (x) A (x) .. (x) A over the semiring, for A of n x n. A^0 has one() on the diagonal and zero()
/// elsewhere. In (min,+) the entries are the lengths of shortest walks of exactly k edges.
///
/// Raises what `multiply` raises, also if a power no longer fits the type. Cost: at most 2 log2(k) products, and 2 n*n
/// values besides those of a product.
template <class T>
[[nodiscard]] Outcome<Matrix<T>> power(Semiring semiring, MatrixView<const T> a, std::uint64_t k,
                                       const Options& options = {});

/// Returns A^k of a matrix that owns its entries.
template <class T>
[[nodiscard]] Outcome<Matrix<T>> power(Semiring semiring, const Matrix<T>& a, std::uint64_t k,
                                       const Options& options = {}) {
  return power(semiring, a.view(), k, options);
}

/// Returns the time and memory that `power` would take for n x n.
template <class T>
[[nodiscard]] Estimate estimate_power(Semiring semiring, std::size_t n, std::uint64_t k, const Options& options = {});

}  // namespace warpfold::minplus
