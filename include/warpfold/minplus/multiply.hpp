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

/// The argmin of an entry that no term improved or reached.
inline constexpr std::uint32_t unchanged = std::numeric_limits<std::uint32_t>::max();

/// The product of two matrices, and the term that gave each entry.
template <class T>
struct Product {
  Matrix<T> values;
  Matrix<std::uint32_t> argmin;  ///< empty unless it was requested
};

/// Returns the product C (m x n) of A (m x p) and B (p x n) over a semiring:
///
///     C(i,j) = plus over k of times(A(i,k), B(k,j)),     min over k of A(i,k) + B(k,j) in (min,+)
///
/// T is a type that the semiring accepts. p is below 2^32 - 1. infinity<T> (integers: max/2) means "no value". Entries
/// that no term reaches are zero(). -0.0 counts as 0.0.
///
/// With `with_argmin`, argmin(i,j) is the smallest k whose term is C(i,j), or `unchanged` if there is none. plus_times
/// has no argmin.
///
/// The bits of the result do not depend on algorithm, device, instruction set or number of threads.
///
/// Integers never wrap around. These entries are accepted:
///
/// * (min,+) and (max,+): up to largest_factor<T> in magnitude.
/// * (min,max) and (max,min): from -infinity<T> to infinity<T>.
/// * or-and: 0 and 1. Semirings on the unit interval: 0 to 1.
/// * plus_times: integers from 0. Without a modulus, a result beyond u64, or beyond 2^53 - 1 in f64, raises
///   Error{overflow}.
///
/// Errors: Error{usage} for shapes that do not match and types that the semiring does not accept. Error{overflow} for
/// entries that are too large in magnitude, Error{input} for any other entry that is not accepted, such as NaN.
/// Error{device}, Error{time_limit}, Error{memory_limit} and Error{cancelled} according to the options.
///
/// Cost: m*n*p operations.
template <class T>
[[nodiscard]] Outcome<Product<T>> multiply(Semiring semiring, MatrixView<const T> a,
                                           std::type_identity_t<MatrixView<const T>> b, const Options& options = {},
                                           bool with_argmin = false);
/// Returns the product of two matrices that own their entries.
template <class T>
[[nodiscard]] Outcome<Product<T>> multiply(Semiring semiring, const Matrix<T>& a, const Matrix<T>& b,
                                           const Options& options = {}, bool with_argmin = false) {
  return multiply(semiring, a.view(), b.view(), options, with_argmin);
}

/// C = plus(C, A (x) B) in place, for the caller's own C. argmin, if given, has the shape of C. It becomes `unchanged`
/// where no term is better than the given C. C and argmin must not overlap A, B or each other.
///
/// Raises what `multiply` raises, also for entries of C beyond largest_result<T>. After an error C may be partly
/// updated.
template <class T>
Report accumulate(Semiring semiring, std::type_identity_t<MatrixView<const T>> a,
                  std::type_identity_t<MatrixView<const T>> b, MatrixView<T> c, const Options& options = {},
                  MatrixView<std::uint32_t> argmin = {});

/// A batch of `count` matrices of one shape, `step` values apart. A step of 0 repeats one matrix.
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

/// As `accumulate`, for each matrix of the batch C. A or B of one matrix serves the whole batch.
template <class T>
Report accumulate_batch(Semiring semiring, std::type_identity_t<BatchView<const T>> a,
                        std::type_identity_t<BatchView<const T>> b, BatchView<T> c, const Options& options = {},
                        BatchView<std::uint32_t> argmin = {});

/// The size of `count` products of m x p and p x n.
struct ProductSize {
  std::size_t m = 0;
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t count = 1;
};

/// Returns the time and memory that `accumulate_batch` would take. It measures the rate with a small product. Raises
/// what `accumulate_batch` raises for the semiring, the type and the options.
template <class T>
[[nodiscard]] Estimate estimate(Semiring semiring, const ProductSize& size, bool argmin, const Options& options = {});

/// The largest absolute value of finite entries of A and B if times adds. Twice this value is still distinct from
/// infinity. It is max/8 for integers and floats, and max/4 = 8191 for i16.
template <class T>
inline constexpr T largest_factor = static_cast<T>(std::is_floating_point_v<T> ? std::numeric_limits<T>::max() / 8
                                                                               : (std::numeric_limits<T>::max() - 1) /
                                                                                     (sizeof(T) == 2 ? 4 : 8));

/// The largest absolute value of finite entries of C if times adds.
template <class T>
inline constexpr T largest_result = static_cast<T>(2 * largest_factor<T>);

/// Returns the algorithms of this build. Options::algorithm accepts their names.
[[nodiscard]] std::vector<AlgorithmInfo> algorithms();

}  // namespace warpfold::minplus
