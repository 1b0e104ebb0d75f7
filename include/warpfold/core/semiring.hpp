#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

/// The semirings over which the recurrences and products are computed: `plus` chooses or sums alternatives, `times`
/// joins parts. zero() is what no alternative gives (plus(zero, x) = x, times(zero, x) = zero), one() is the empty
/// part.
///
/// Whole numbers have no infinity of their own. Where zero() is infinite, max/4 plays it, and finite values must stay
/// below max/16 in absolute value (`fits`): two infinities and a finite value still do not wrap, and three finite
/// values do not reach what counts as infinite (`is_zero`).
namespace warpfold {

namespace detail {

template <class T>
inline constexpr T unreachable = std::is_floating_point_v<T> ? std::numeric_limits<T>::infinity()
                                                             : static_cast<T>(std::numeric_limits<T>::max() / 4);

template <class T>
constexpr bool is_unreachable(T value) {
  if constexpr (std::is_floating_point_v<T>) return value == unreachable<T>;
  return value >= static_cast<T>(unreachable<T> - unreachable<T> / 4);
}

template <class T>
constexpr bool fits_sums(T value) {
  if constexpr (std::is_floating_point_v<T>) return value == value;
  return value > -(unreachable<T> / 4) && value < unreachable<T> / 4;
}

}  // namespace detail

/// The least sum.
template <class T>
struct MinPlus {
  using Value = T;
  static constexpr T zero() { return detail::unreachable<T>; }
  static constexpr T one() { return T{0}; }
  static constexpr T plus(T a, T b) { return b < a ? b : a; }
  static constexpr T times(T a, T b) { return static_cast<T>(a + b); }
  static constexpr bool is_zero(T a) { return detail::is_unreachable(a); }
  static constexpr bool fits(T a) { return is_zero(a) || detail::fits_sums(a); }
};

/// The largest sum.
template <class T>
struct MaxPlus {
  using Value = T;
  static constexpr T zero() { return static_cast<T>(-detail::unreachable<T>); }
  static constexpr T one() { return T{0}; }
  static constexpr T plus(T a, T b) { return a < b ? b : a; }
  static constexpr T times(T a, T b) { return static_cast<T>(a + b); }
  static constexpr bool is_zero(T a) { return detail::is_unreachable(static_cast<T>(-a)); }
  static constexpr bool fits(T a) { return is_zero(a) || detail::fits_sums(a); }
};

/// The smallest largest part (bottleneck).
template <class T>
struct MinMax {
  using Value = T;
  static constexpr T zero() { return detail::unreachable<T>; }
  static constexpr T one() { return static_cast<T>(-detail::unreachable<T>); }
  static constexpr T plus(T a, T b) { return b < a ? b : a; }
  static constexpr T times(T a, T b) { return a < b ? b : a; }
  static constexpr bool is_zero(T a) { return a == zero(); }
};

/// The largest smallest part (capacity).
template <class T>
struct MaxMin {
  using Value = T;
  static constexpr T zero() { return static_cast<T>(-detail::unreachable<T>); }
  static constexpr T one() { return detail::unreachable<T>; }
  static constexpr T plus(T a, T b) { return a < b ? b : a; }
  static constexpr T times(T a, T b) { return b < a ? b : a; }
  static constexpr bool is_zero(T a) { return a == zero(); }
};

/// Whether there is a way at all; values are 0 and 1.
struct OrAnd {
  using Value = std::uint8_t;
  static constexpr Value zero() { return 0; }
  static constexpr Value one() { return 1; }
  static constexpr Value plus(Value a, Value b) { return a | b; }
  static constexpr Value times(Value a, Value b) { return a & b; }
  static constexpr bool is_zero(Value a) { return a == 0; }
};

/// The number of ways. T is whatever counts: double to about 2^53, an unsigned type modulo its power of two, or a
/// class of big numbers.
template <class T>
struct Counting {
  using Value = T;
  static constexpr T zero() { return T(0); }
  static constexpr T one() { return T(1); }
  static constexpr T plus(const T& a, const T& b) { return T(a + b); }
  static constexpr T times(const T& a, const T& b) { return T(a * b); }
  static constexpr bool is_zero(const T& a) { return a == T(0); }
};

/// The number of ways modulo m, 2 <= m < 2^32.
template <std::uint64_t modulus>
struct CountingModulo {
  static_assert(modulus >= 2 && modulus <= std::numeric_limits<std::uint32_t>::max());
  using Value = std::uint64_t;
  static constexpr Value zero() { return 0; }
  static constexpr Value one() { return 1; }
  static constexpr Value plus(Value a, Value b) { return (a + b) % modulus; }
  static constexpr Value times(Value a, Value b) { return a * b % modulus; }
  static constexpr bool is_zero(Value a) { return a == 0; }
};

}  // namespace warpfold
