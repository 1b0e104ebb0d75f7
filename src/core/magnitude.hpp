#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "warpfold/core/arithmetic.hpp"

namespace warpfold {

/// The largest |x| of `count` values, without those at or above infinity<T>. NaN gives NaN and -inf gives infinity.
///
/// Uses integer arithmetic on the bits. Compilers vectorize it without relaxed floating point.
template <std::floating_point T>
[[nodiscard]] T largest_magnitude(const T* values, std::size_t count) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  constexpr Bits infinite = std::bit_cast<Bits>(infinity<T>);
  constexpr Bits without_sign = static_cast<Bits>(-1) >> 1;
  Bits most = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Bits bits = std::bit_cast<Bits>(values[i]);
    most = std::max(most, bits == infinite ? Bits{0} : static_cast<Bits>(bits & without_sign));
  }
  return std::bit_cast<T>(most);
}

template <std::signed_integral T>
[[nodiscard]] T largest_magnitude(const T* values, std::size_t count) {
  T least = 0;
  T most = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const T x = values[i] < infinity<T> ? values[i] : T{0};
    least = std::min(least, x);
    most = std::max(most, x);
  }
  return std::max(most, static_cast<T>(-std::max<T>(least, -std::numeric_limits<T>::max())));
}

/// Whether any of `count` values is below 0. Compilers vectorize it.
template <std::floating_point T>
[[nodiscard]] bool has_negative(const T* values, std::size_t count) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  constexpr Bits minus_zero = std::bit_cast<Bits>(T{-0.0});
  Bits most = 0;
  for (std::size_t i = 0; i < count; ++i) most = std::max(most, std::bit_cast<Bits>(values[i]));
  return most > minus_zero;
}

template <std::signed_integral T>
[[nodiscard]] bool has_negative(const T* values, std::size_t count) {
  T least = 0;
  for (std::size_t i = 0; i < count; ++i) least = std::min(least, values[i]);
  return least < 0;
}

/// The smallest value that counts as infinite, if finite totals are at most `largest_total`, which T accepts
/// (core/exact_type.hpp).
template <class T>
[[nodiscard]] constexpr T infinite_from(T largest_total) {
  if constexpr (std::is_floating_point_v<T>) return infinity<T>;
  return static_cast<T>(infinity<T> - largest_total);
}

}  // namespace warpfold
