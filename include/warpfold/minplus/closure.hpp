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

/// The closure 1 + A + A^2 + A^3 + .., for a semiring that chooses: (min,+) the shortest paths between all
/// pairs of vertices, (max,min) the widest, or-and whether there is one. By squaring 1 + A until nothing changes,
/// log2(n) + 1 products at most.
/// Raises Error{infeasible} that names a vertex on a cycle of negative length in (min,+), of positive length in
/// (max,+): walks improve without end there. Raises Error{usage} for plus_times, else what multiply raises.
template <class T>
[[nodiscard]] Outcome<Matrix<T>> closure(Semiring semiring, MatrixView<const T> a, const Options& options = {});

/// The same of a matrix of its own.
template <class T>
[[nodiscard]] Outcome<Matrix<T>> power(Semiring semiring, const Matrix<T>& a, std::uint64_t k,
                                       const Options& options = {}) {
  return power(semiring, a.view(), k, options);
}
/// The same of a matrix of its own.
template <class T>
[[nodiscard]] Outcome<Matrix<T>> closure(Semiring semiring, const Matrix<T>& a, const Options& options = {}) {
  return closure(semiring, a.view(), options);
}

/// What `power` and `closure` would take for n x n. A closure ends with the first product that changes nothing, at best
/// the first.
template <class T>
[[nodiscard]] Estimate estimate_power(Semiring semiring, std::size_t n, std::uint64_t k, const Options& options = {});
/// The same of a closure.
template <class T>
[[nodiscard]] Estimate estimate_closure(Semiring semiring, std::size_t n, const Options& options = {});

}  // namespace warpfold::minplus
