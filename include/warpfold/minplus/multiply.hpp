#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "warpfold/core/estimate.hpp"
#include "warpfold/core/matrix.hpp"
#include "warpfold/core/run.hpp"
#include "warpfold/minplus/semiring.hpp"

namespace warpfold::minplus {

/// An argmin entry where no candidate was better than the C that was given.
inline constexpr std::uint32_t unchanged = std::numeric_limits<std::uint32_t>::max();

/// C = min(C, A (x) B), the (min,+) matrix product:
///
///     C(i,j) = min(C(i,j), min over k of A(i,k) + B(k,j))
///
/// for A of m x p, B of p x n, C of m x n: m*n*p additions with a minimum each. Fill C with infinity<T> for the plain
/// product. With `argmin` (m x n), argmin(i,j) becomes the smallest k whose candidate is the minimum and better than
/// the C that was given, `unchanged` where there is none.
///
/// infinity<T> (whole numbers: max/2) means "no value". The bits do not depend on algorithm, device, instruction set or
/// threads; -0.0 counts as 0.0. C and argmin must not overlap A, B or each other. T is int16_t, int32_t, int64_t, float
/// or double. p is below 2^32 - 1.
///
/// Raises Error{usage} for shapes that do not fit together, Error{input} for NaN, -inf and entries beyond what the type
/// can add up (largest_factor, largest_result); Error{time_limit}, Error{memory_limit} and Error{cancelled} leave C
/// partly updated.
template <class T>
Report multiply(std::type_identity_t<MatrixView<const T>> a, std::type_identity_t<MatrixView<const T>> b,
                MatrixView<T> c, const Options& options = {}, MatrixView<std::uint32_t> argmin = {});

/// The same over another semiring: C(i,j) = plus(C(i,j), plus over k of times(A(i,k), B(k,j))), with the entries of C
/// that no term reaches at zero(). `argmin` is the smallest k that attains the chosen value; count has none.
///
/// Whole numbers never wrap: (max,+) accepts what (min,+) does, (min,max) and (max,min) everything from -infinity<T> to
/// infinity<T>, or-and 0 and 1; count raises Error{input} where an exact number does not fit (u64) or passes 2^53 - 1
/// (f64, whole numbers from 0), and with a modulus nothing can overflow.
template <class T>
Report multiply(Semiring semiring, std::type_identity_t<MatrixView<const T>> a,
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

/// As many products as C has matrices. A or B of one matrix serves all.
template <class T>
Report multiply_batch(Semiring semiring, std::type_identity_t<BatchView<const T>> a,
                      std::type_identity_t<BatchView<const T>> b, BatchView<T> c, const Options& options = {},
                      BatchView<std::uint32_t> argmin = {});

/// So many products of m x p and p x n, one after the other or as a batch.
struct ProductSize {
  std::size_t m = 0;
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t count = 1;
};

/// What `multiply_batch` would take; raises what it raises for the semiring, the type and the options. The rate is that
/// of a small product, which is multiplied for it.
template <class T>
[[nodiscard]] Estimate estimate(Semiring semiring, const ProductSize& size, bool argmin, const Options& options = {});

/// The largest |entry| of A and B, infinities apart, where times adds: twice that and an infinity stay apart.
/// Whole numbers and floats: max/8; i16: max/4 = 8191.
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
