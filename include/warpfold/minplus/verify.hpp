#pragma once

#include <cstdint>
#include <type_traits>

#include "warpfold/core/matrix.hpp"
#include "warpfold/minplus/multiply.hpp"
#include "warpfold/minplus/semiring.hpp"
#include "warpfold/run/run.hpp"
#include "warpfold/run/verdict.hpp"

/// Checks of a given product, power or closure. They share no code with the solvers. Rows are computed again, term by
/// term, in a random order that is the same every time, until `max_terms` are used. `Verdict::rows_checked` is their
/// number. Memory: one row, and 8 bytes per row of the result.
///
/// All raise Error{usage} for shapes or types that `multiply` rejects, and Error{time_limit} if one row alone takes
/// more than `max_terms`. They raise Error{time_limit}, Error{cancelled} and Error{memory_limit} according to the
/// options.
namespace warpfold::minplus {

/// The default number of terms: some seconds of work.
inline constexpr double default_terms = 4e9;

/// Checks that `product` is the product of A (m x p) and B (p x n), bit by bit:
///
///     C(i,j) = plus over k of times(A(i,k), B(k,j)).
///
/// If it has an argmin, that must be the smallest k whose term is C(i,j). Cost: p*n terms per row.
template <class T>
[[nodiscard]] Verdict verify(Semiring semiring, MatrixView<const T> a, std::type_identity_t<MatrixView<const T>> b,
                             const Product<T>& product, const Options& options = {}, double max_terms = default_terms);
/// Checks a product of matrices that own their entries.
template <class T>
[[nodiscard]] Verdict verify(Semiring semiring, const Matrix<T>& a, const Matrix<T>& b, const Product<T>& product,
                             const Options& options = {}, double max_terms = default_terms) {
  return verify(semiring, a.view(), b.view(), product, options, max_terms);
}

/// Checks a batch of products. A or B of one matrix serves the whole batch.
template <class T>
[[nodiscard]] Verdict verify_batch(Semiring semiring, BatchView<const T> a, std::type_identity_t<BatchView<const T>> b,
                                   std::type_identity_t<BatchView<const T>> product, const Options& options = {},
                                   BatchView<const std::uint32_t> argmin = {}, double max_terms = default_terms);

/// Checks that `result` is A^k. A row is a row of the identity times A, k times: k*n*n terms. The check is exact,
/// except for floats if times adds: those may have been added in any order.
template <class T>
[[nodiscard]] Verdict verify_power(Semiring semiring, MatrixView<const T> a, std::uint64_t k,
                                   std::type_identity_t<MatrixView<const T>> result, const Options& options = {},
                                   double max_terms = default_terms);

/// Checks that `result` is the closure 1 + A + A^2 + .. A row holds the best walks from its vertex, with one more edge
/// each round, until nothing improves. It takes at most n*n*n terms per row, often far fewer. If a walk back to its own
/// vertex is better than none, there is no closure, and the verdict has a violation. The check is exact, except for
/// floats if times adds.
template <class T>
[[nodiscard]] Verdict verify_closure(Semiring semiring, MatrixView<const T> a,
                                     std::type_identity_t<MatrixView<const T>> result, const Options& options = {},
                                     double max_terms = default_terms);

}  // namespace warpfold::minplus
