#pragma once

#if __cplusplus < 202002L
#error "warpfold needs C++20: compile with -std=c++20"
#endif

#include <concepts>
#include <cstddef>
#include <limits>
#include <string_view>
#include <type_traits>

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ != 0)
#error "warpfold needs infinities and NaN: compile without -ffast-math, -Ofast and -ffinite-math-only"
#endif
#ifdef __ASSOCIATIVE_MATH__
#error "warpfold gives the same bits everywhere: compile without -funsafe-math-optimizations and -fassociative-math"
#endif

#ifdef _GLIBCXX_DEBUG
#error "warpfold's libraries share containers with their callers: compile without -D_GLIBCXX_DEBUG, which changes them"
#endif

namespace warpfold {

/// "No value": positive infinity for floating point, max/2 for integers, which have no infinity of their own.
///
/// With max/2, infinity + infinity still fits the type. No CPU saturates 32- or 64-bit additions, and DPX wraps. A
/// problem proves at construction that 4 * W < max, where W is its largest possible |total|. So every sum with an
/// infinity stays at or above `infinity - W`.
template <class T>
inline constexpr T infinity = std::is_floating_point_v<T> ? std::numeric_limits<T>::infinity()
                                                          : static_cast<T>(std::numeric_limits<T>::max() / 2);

/// Converts a number to another type, which must hold it. An infinity becomes the infinity of that type.
template <class To, class From>
[[nodiscard]] constexpr To with_infinities(From x) {
  if (x >= infinity<From>) return infinity<To>;
  if (x <= -infinity<From>) return static_cast<To>(-infinity<To>);
  return static_cast<To>(x);
}

/// The name of an arithmetic type, as the command line writes it: "u8", "i16", "i32", "i64", "u64", "f32" or "f64".
/// "u32" appears in messages only. Empty for any other type.
template <class T>
[[nodiscard]] constexpr std::string_view dtype_name() {
  if constexpr (std::same_as<T, double>) return "f64";
  if constexpr (std::same_as<T, float>) return "f32";
  if constexpr (std::is_integral_v<T> && sizeof(T) == 1) return "u8";
  if constexpr (std::is_integral_v<T> && sizeof(T) == 2) return "i16";
  if constexpr (std::is_integral_v<T> && sizeof(T) == 4) return std::is_signed_v<T> ? "i32" : "u32";
  if constexpr (std::is_integral_v<T> && sizeof(T) == 8) return std::is_signed_v<T> ? "i64" : "u64";
  return {};
}

/// count * bytes_each, or the largest std::size_t if the product overflows.
[[nodiscard]] constexpr std::size_t bytes_of(std::size_t count, std::size_t bytes_each) {
  constexpr std::size_t largest = std::numeric_limits<std::size_t>::max();
  return bytes_each > 0 && count > largest / bytes_each ? largest : count * bytes_each;
}
/// a + b, or the largest std::size_t if the sum overflows.
[[nodiscard]] constexpr std::size_t sum_of_bytes(std::size_t a, std::size_t b) {
  return std::numeric_limits<std::size_t>::max() - a < b ? std::numeric_limits<std::size_t>::max() : a + b;
}

}  // namespace warpfold
