#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "warpfold/core/arithmetic.hpp"

/// The semirings over which the recurrences and products are computed: `plus` chooses or sums alternatives, `times`
/// joins parts. zero() is what no alternative gives (plus(zero, x) = x, times(zero, x) = zero), one() is the empty
/// part.
///
/// Where zero() is infinite it is infinity<T> or its negative: whole numbers have no infinity of their own, and max/2
/// plays it. That is "no value" wherever one is given, and what is beyond it too, where a problem does not refuse it. A
/// finite sum never becomes it: it stops short of it, where no solver accepts a value (interval/recurrence_model.hpp
/// says what one accepts).
namespace warpfold {

/// What a semiring of your own needs. Tables are made of values before any is known, and copied.
template <class S>
concept IsSemiring = std::default_initializable<typename S::Value> && std::copyable<typename S::Value> &&
    requires(const typename S::Value& a) {
  { S::zero() } -> std::convertible_to<typename S::Value>;
  { S::one() } -> std::convertible_to<typename S::Value>;
  { S::plus(a, a) } -> std::convertible_to<typename S::Value>;
  { S::times(a, a) } -> std::convertible_to<typename S::Value>;
  { S::is_zero(a) } -> std::convertible_to<bool>;
};

namespace detail {

/// Numbers with an infinity on either side.
template <class T>
inline constexpr bool has_infinities = std::is_floating_point_v<T> ||
                                       (std::is_integral_v<T> && std::is_signed_v<T> && sizeof(T) <= 8);

/// a + b; of whole numbers beyond the infinities the nearest that is not infinite.
template <class T>
constexpr T finite_sum(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return a + b;
  } else {
    constexpr T most = infinity<T> - 1;
    if (b > 0 ? a > most - b : a < -most - b) return b > 0 ? most : static_cast<T>(-most);
    return static_cast<T>(a + b);
  }
}

}  // namespace detail

/// The least sum.
template <class T>
struct MinPlus {
  static_assert(detail::has_infinities<T>, "MinPlus takes signed whole numbers of up to 64 bits or floating point");
  using Value = T;
  static constexpr T zero() { return infinity<T>; }
  static constexpr T one() { return T{0}; }
  static constexpr T plus(T a, T b) { return b < a ? b : a; }
  static constexpr T times(T a, T b) { return is_zero(a) || is_zero(b) ? zero() : detail::finite_sum(a, b); }
  static constexpr bool is_zero(T a) { return a >= zero(); }
};

/// The largest sum.
template <class T>
struct MaxPlus {
  static_assert(detail::has_infinities<T>, "MaxPlus takes signed whole numbers of up to 64 bits or floating point");
  using Value = T;
  static constexpr T zero() { return static_cast<T>(-infinity<T>); }
  static constexpr T one() { return T{0}; }
  static constexpr T plus(T a, T b) { return a < b ? b : a; }
  static constexpr T times(T a, T b) { return is_zero(a) || is_zero(b) ? zero() : detail::finite_sum(a, b); }
  static constexpr bool is_zero(T a) { return a <= zero(); }
};

/// The smallest largest part (bottleneck).
template <class T>
struct MinMax {
  static_assert(detail::has_infinities<T>, "MinMax takes signed whole numbers of up to 64 bits or floating point");
  using Value = T;
  static constexpr T zero() { return infinity<T>; }
  static constexpr T one() { return static_cast<T>(-infinity<T>); }
  static constexpr T plus(T a, T b) { return b < a ? b : a; }
  static constexpr T times(T a, T b) { return a < b ? b : a; }
  static constexpr bool is_zero(T a) { return a >= zero(); }
};

/// The largest smallest part (capacity).
template <class T>
struct MaxMin {
  static_assert(detail::has_infinities<T>, "MaxMin takes signed whole numbers of up to 64 bits or floating point");
  using Value = T;
  static constexpr T zero() { return static_cast<T>(-infinity<T>); }
  static constexpr T one() { return infinity<T>; }
  static constexpr T plus(T a, T b) { return a < b ? b : a; }
  static constexpr T times(T a, T b) { return b < a ? b : a; }
  static constexpr bool is_zero(T a) { return a <= zero(); }
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
  static_assert(!std::is_integral_v<T> || std::is_unsigned_v<T>,
                "Counting takes an unsigned type, which counts modulo a power of two, floating point or a class");
  using Value = T;
  static constexpr T zero() { return T(0); }
  static constexpr T one() { return T(1); }
  static constexpr T plus(const T& a, const T& b) { return T(a + b); }
  static constexpr T times(const T& a, const T& b) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(1U * a * b);  // 16 bits would become int, and overflow
    } else {
      return T(a * b);
    }
  }
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
  static constexpr bool accepts(Value a) { return a < modulus; }
};

}  // namespace warpfold
