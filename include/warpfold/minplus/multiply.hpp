#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "warpfold/core/matrix.hpp"
#include "warpfold/minplus/semiring.hpp"
#include "warpfold/run/estimate.hpp"
#include "warpfold/run/run.hpp"

namespace warpfold::minplus {

/// An argmin entry where no candidate was better than the C that was given.
inline constexpr std::uint32_t unchanged = std::numeric_limits<std::uint32_t>::max();

/// The product of two matrices, and which term gave each entry.
template <class T>
struct Product {
  Matrix<T> values;
  Matrix<std::uint32_t> argmin;  ///< empty unless it was asked for
};

/// The product of A (m x p) and B (p x n) over a semiring:
///
///     C(i,j) = plus over k of times(A(i,k), B(k,j)),     min over k of A(i,k) + B(k,j) in (min,+)
///
/// m*n*p operations; entries that no term reaches are zero(). With `with_argmin`, argmin(i,j) is the smallest k whose
/// term is the chosen value, `unchanged` where there is none; plus_times has none.
///
/// infinity<T> (integers: max/2) means "no value". The bits do not depend on algorithm, device, instruction set or
/// threads; -0.0 counts as 0.0. T is one that the semiring accepts. p is below 2^32 - 1.
///
/// Integers never wrap: (min,+) and (max,+) accept entries up to largest_factor, (min,max) and (max,min)
/// everything from -infinity<T> to infinity<T>, or-and 0 and 1; plus_times raises Error{overflow} where an exact number
/// does not fit (u64) or passes 2^53 - 1 (f64, integers from 0), and with a modulus nothing can overflow.
///
/// Raises Error{usage} for shapes that do not fit together, Error{input} for NaN and -inf, Error{overflow} for entries
/// beyond what the type can add up; Error{device}, Error{time_limit}, Error{memory_limit} and Error{cancelled} as the
/// options say.
template <class T>
[[nodiscard]] Outcome<Product<T>> multiply(Semiring semiring, MatrixView<const T> a,
                                           std::type_identity_t<MatrixView<const T>> b, const Options& options = {},
                                           bool with_argmin = false);
/// The same of matrices of their own.
template <class T>
[[nodiscard]] Outcome<Product<T>> multiply(Semiring semiring, const Matrix<T>& a, const Matrix<T>& b,
                                           const Options& options = {}, bool with_argmin = false) {
  return multiply(semiring, a.view(), b.view(), options, with_argmin);
}

/// C = plus(C, A (x) B) in place, for the caller's own C and argmin (as large; where no term was better than the C that
/// was given it becomes `unchanged`). C and argmin must not overlap A, B or each other. Raises what `multiply` raises,
/// also for entries of C beyond largest_result; after an error C may be partly updated.
template <class T>
Report accumulate(Semiring semiring, std::type_identity_t<MatrixView<const T>> a,
                  std::type_identity_t<MatrixView<const T>> b, MatrixView<T> c, const Options& options = {},
                  MatrixView<std::uint32_t> argmin = {});

/// `count` matrices of one shape, `step` values apart; a step of 0 is one matrix for all.
template <class T>
struct BatchView {
  MatrixView<T> first;
  std::size_t count = 1;
  std::size_t step = 0;

  MatrixView<T> operator[](std::size_t index) const {
    return {first.data + index * step, first.rows, first.columns, first.stride};
  }
  template <class U>
  requires(std::is_same_v<U, const T> && !std::is_const_v<T>) operator BatchView<U>() const {
    return {first, count, step};
  }
};

/// As many of them as C has matrices. A or B of one matrix serves all.
template <class T>
Report accumulate_batch(Semiring semiring, std::type_identity_t<BatchView<const T>> a,
                        std::type_identity_t<BatchView<const T>> b, BatchView<T> c, const Options& options = {},
                        BatchView<std::uint32_t> argmin = {});

/// So many products of m x p and p x n, one after the other or as a batch.
struct ProductSize {
  std::size_t m = 0;
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t count = 1;
};

/// What `accumulate_batch` would take; raises what it raises for the semiring, the type and the options. The rate is
/// that of a small product, which is multiplied for it.
template <class T>
[[nodiscard]] Estimate estimate(Semiring semiring, const ProductSize& size, bool argmin, const Options& options = {});

/// The largest |entry| of A and B, infinities apart, where times adds: twice that and an infinity stay apart.
/// Integers and floats: max/8; i16: max/4 = 8191.
template <class T>
inline constexpr T largest_factor = static_cast<T>(std::is_floating_point_v<T> ? std::numeric_limits<T>::max() / 8
                                                                               : (std::numeric_limits<T>::max() - 1) /
                                                                                     (sizeof(T) == 2 ? 4 : 8));

/// The largest |entry| of C there.
template <class T>
inline constexpr T largest_result = static_cast<T>(2 * largest_factor<T>);

/// The algorithms of this build, to be forced by Options::algorithm.
[[nodiscard]] std::vector<AlgorithmInfo> algorithms();

}  // namespace warpfold::minplus
