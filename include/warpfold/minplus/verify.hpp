#pragma once

#include <cstdint>
#include <type_traits>

#include "warpfold/core/matrix.hpp"
#include "warpfold/minplus/multiply.hpp"
#include "warpfold/minplus/semiring.hpp"
#include "warpfold/run/run.hpp"
#include "warpfold/run/verdict.hpp"

/// Checks of somebody's product, power or closure that share no code with the solvers: rows are computed anew, term by
/// term, in a random order that is the same every time, as many as `max_terms` allow. `Verdict::rows_checked` says
/// how many. Besides one row, an index of 8 bytes a row.
///
/// All raise Error{usage} for what `multiply` refuses by its shape or type, Error{time_limit} where one row alone takes
/// more terms, and Error{time_limit}, Error{cancelled} and Error{memory_limit} as the options ask.
namespace warpfold::minplus {

/// Some seconds of checking.
inline constexpr double default_terms = 4e9;

/// Whether `product` is that of A (m x p) and B (p x n),
///
///     C(i,j) = plus over k of times(A(i,k), B(k,j)),
///
/// bit by bit, and its argmin, if there is one, the smallest k whose term is C(i,j). p*n terms a row.
template <class T>
[[nodiscard]] Verdict verify(Semiring semiring, MatrixView<const T> a, std::type_identity_t<MatrixView<const T>> b,
                             const Product<T>& product, const Options& options = {}, double max_terms = default_terms);
/// The same of matrices that own their entries.
template <class T>
[[nodiscard]] Verdict verify(Semiring semiring, const Matrix<T>& a, const Matrix<T>& b, const Product<T>& product,
                             const Options& options = {}, double max_terms = default_terms) {
  return verify(semiring, a.view(), b.view(), product, options, max_terms);
}

/// The same of as many products as there are in the batch; A or B of one matrix serves all.
template <class T>
[[nodiscard]] Verdict verify_batch(Semiring semiring, BatchView<const T> a, std::type_identity_t<BatchView<const T>> b,
                                   std::type_identity_t<BatchView<const T>> product, const Options& options = {},
                                   BatchView<const std::uint32_t> argmin = {}, double max_terms = default_terms);

/// Whether `result` is A^k, a row of it being one of 1 times A, k times: k*n*n terms a row. Exact, but for floats where
/// times adds, which may have been added in any order.
template <class T>
[[nodiscard]] Verdict verify_power(Semiring semiring, MatrixView<const T> a, std::uint64_t k,
                                   std::type_identity_t<MatrixView<const T>> result, const Options& options = {},
                                   double max_terms = default_terms);

/// Whether `result` is 1 + A + A^2 + .., a row of it holding the best walks from its vertex, of one edge more each
/// round until nothing improves: at most n*n*n terms a row, often far fewer. That a walk back to its vertex is better
/// than none, so that there is no closure, is a flaw. Exact but for such floats.
template <class T>
[[nodiscard]] Verdict verify_closure(Semiring semiring, MatrixView<const T> a,
                                     std::type_identity_t<MatrixView<const T>> result, const Options& options = {},
                                     double max_terms = default_terms);

}  // namespace warpfold::minplus
