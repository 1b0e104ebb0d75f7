#pragma once

#include <cstdint>

#include "warpfold/minplus/multiply.hpp"

namespace warpfold::minplus {

/// How values of type T are stored in the tiles of kernels, as type S. S is as wide as T, or wider if an index needs
/// room. The kernels do not know "no value": they add and select. `is_none` tells from a result that no term had two
/// values.
///
/// 16 bits hold two infinities beside sums of +-16382 only if both factors are shifted. (min,+) stores x - 8192 in
/// -16383 .. -1, and 16383 for "no value". So a sum is below 0 exactly if it is finite, and nothing wraps around.
template <class T, class S>
struct Packing {
  T zero;
  S none;   ///< stands for zero
  S shift;  ///< added to a factor, and twice to a result
  S limit;  ///< no value lies beyond this, seen from the values
  bool is_min;

  constexpr explicit Packing(Semiring semiring)
      : zero(semiring.zero<T>()), none(semiring.zero<S>()), shift(0), limit(none), is_min(semiring.is_min()) {
    if (!semiring.adds()) return;
    if constexpr (sizeof(S) == 2) {
      shift = static_cast<S>(is_min ? -8192 : 8192);
      limit = 0;
    } else if constexpr (std::is_integral_v<S>) {
      // One finite factor may have been added to an infinity.
      limit = static_cast<S>(is_min ? none - largest_factor<S> : none + largest_factor<S>);
    }
  }

  // + shift also turns -0.0 into 0.0.
  [[nodiscard]] constexpr S factor(T x) const { return x == zero ? none : static_cast<S>(static_cast<S>(x) + shift); }
  [[nodiscard]] constexpr S result(T x) const {
    return x == zero ? none : static_cast<S>(static_cast<S>(x) + shift + shift);
  }
  [[nodiscard]] constexpr bool is_none(S x) const { return is_min ? x >= limit : x <= limit; }
  [[nodiscard]] constexpr T unpack(S x) const { return is_none(x) ? zero : static_cast<T>(x - shift - shift); }
};

/// The type for the search of argmin. Types of 16 bits and less hold no index, and are widened.
template <class T>
using ArgminType = std::conditional_t<(sizeof(T) < 4), std::int32_t, T>;

}  // namespace warpfold::minplus
