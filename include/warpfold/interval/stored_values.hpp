#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <type_traits>

#include "warpfold/core/semiring.hpp"
#include "warpfold/tiles/tile_operations.hpp"
#include "warpfold/tiles/tile_table.hpp"

/// How values are stored in a table while it is filled. Most semirings store them unchanged.
///
/// Integers whose times is a sum store infinity elsewhere. Two infinities, a split and a weight must fit the type
/// without checks on the way:
///
///     |value|, |split|, |weight| <= L = max/16,     zero() = 7 L + 1
///
/// A finite sum is then at most 4 L. A sum with an infinity is at least 4 L + 1, however negative the rest. Two
/// infinities, a split and a weight are at most 16 L + 2. Finite floats stay below max/8, so no sum of four becomes
/// infinite.
namespace warpfold::interval {

using tiles::BoundedMinPlus;
using tiles::entry_offset;
using tiles::is_one_of;
using tiles::ProductSplit;
using tiles::table_size;
using tiles::tile_count;

}  // namespace warpfold::interval

namespace warpfold::interval::detail {

/// Storage for a semiring without sums, or a user's semiring: values are stored unchanged.
template <class S>
struct Stored {
  using T = typename S::Value;
  static constexpr bool limited = false;
  /// Whether values are numbers from 0 to 1.
  static constexpr bool is_fraction =
      SemiringTraits<S>::is_selective && !SemiringTraits<S>::has_infinite_zero && std::is_floating_point_v<T>;

  static constexpr T zero() { return S::zero(); }
  static constexpr T times(const T& a, const T& b) { return S::times(a, b); }
  static constexpr bool is_zero(const T& stored) { return S::is_zero(stored); }

  /// Whether the solver accepts a caller's value.
  static constexpr bool accepts(const T& value) {
    if constexpr (requires { S::accepts(value); }) return S::accepts(value);
    if constexpr (is_fraction) return value >= 0 && value <= 1;
    if constexpr (std::is_floating_point_v<T>) return value == value;
    return true;
  }
  static std::string accepted() {
    if constexpr (requires { S::accepted; }) return S::accepted;
    if constexpr (is_fraction) return "numbers from 0 to 1 are accepted";
    if constexpr (std::is_floating_point_v<T>) return "a number or an infinity is accepted";
    return "it is none of the semiring's";
  }

  /// A caller's value as it is stored.
  static constexpr T of(const T& value) {
    if constexpr (std::is_integral_v<T> && SemiringTraits<S>::has_infinite_zero) {
      // Nothing is beyond the infinities. T{..}: a device has no host constant.
      return std::clamp(value, static_cast<T>(-infinity<T>), T{infinity<T>});
    } else if constexpr (std::is_floating_point_v<T>) {
      return value + T{0};  // makes -0.0 into 0.0: which of both a minimum returns depends on the instruction
    } else {
      return S::is_zero(value) ? S::zero() : value;
    }
  }
  /// A stored value as the caller sees it.
  static constexpr T meant(const T& stored) { return stored; }
};

/// Storage for semirings whose times is a sum.
template <class S, int sign>
struct StoredSum {
  using T = typename S::Value;
  static constexpr bool limited = true;
  static constexpr T largest = static_cast<T>(std::numeric_limits<T>::max() / (std::is_integral_v<T> ? 16 : 8));
  static constexpr T infinite = std::is_integral_v<T> ? static_cast<T>(7 * largest + 1) : infinity<T>;
  static constexpr T infinite_from = std::is_integral_v<T> ? static_cast<T>(4 * largest + 1) : infinity<T>;

  static constexpr T zero() { return static_cast<T>(sign * infinite); }
  static constexpr T times(T a, T b) { return static_cast<T>(a + b); }
  static constexpr bool is_zero(T stored) {
    if constexpr (sign > 0) return stored >= infinite_from;
    return stored <= -infinite_from;
  }
  static constexpr bool is_finite(T value) { return value >= -largest && value <= largest; }

  static constexpr bool accepts(T value) { return is_finite(value) || S::is_zero(value); }
  static std::string accepted() {
    if (std::is_floating_point_v<T>) {
      return "numbers up to an eighth of the type's largest are accepted, and " +
             std::string(sign > 0 ? "inf" : "-inf") + " for no value";
    }
    const std::string wider = sizeof(T) < 8 ? "; std::int64_t holds more" : "; double holds more, rounded";
    return std::to_string(-largest) + " to " + std::to_string(largest) + " are accepted, and " +
           std::to_string(S::zero()) + " for no value" + wider;
  }

  static constexpr T of(T value) {
    if (S::is_zero(value)) return zero();
    if constexpr (std::is_floating_point_v<T>) return value + T{0};
    return value;
  }
  static constexpr T meant(T stored) { return stored == zero() ? S::zero() : stored; }
};

template <class S>
requires(SemiringTraits<S>::adds) struct Stored<S> : StoredSum<S, SemiringTraits<S>::is_min ? 1 : -1> {
};

/// Storage for a problem that has proved its totals: no limits, and values are stored unchanged.
template <class T>
struct Stored<BoundedMinPlus<T>> {
  static constexpr bool limited = false;
  /// Every total is at most max/4. An infinity with all negative values added is not smaller than this.
  static constexpr T infinite_from =
      std::is_integral_v<T> ? static_cast<T>(infinity<T> - infinity<T> / 2) : infinity<T>;

  static constexpr T zero() { return infinity<T>; }
  static constexpr T times(T a, T b) { return static_cast<T>(a + b); }
  static constexpr bool is_zero(T stored) { return stored >= infinite_from; }
  static constexpr bool accepts(T) { return true; }
  static std::string accepted() { return ""; }
  static constexpr T of(T value) { return value; }
  static constexpr T meant(T stored) { return stored; }
};

}  // namespace warpfold::interval::detail
