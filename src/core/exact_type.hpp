#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

#include "core/number_types.hpp"

/// Which number type holds a problem of integers exactly.
///
/// Let W be at least |total| of all totals that a solver of the problem may add up.
///
/// An integer type holds the problem if 4 W < max. Its infinity is max/2, so infinity + infinity fits. An infinity that
/// totals were added to is at least max/2 - W. This is more than W because 2 W < max/2, so no total looks infinite and
/// no infinity looks finite.
///
/// A floating-point type holds the problem if W < 2^digits. Up to there every integer is a number of the type, so no
/// sum is rounded.
///
/// W is often computed in doubles, from up to 2^40 numbers. Each step rounds by a factor of at most 1 + 2^-53, all of
/// them together by less than 1 + 2^-12. So 4.001 instead of 4 makes up for it. A W of 2^digits may have been
/// 2^digits + 1, therefore it has to be less.
namespace warpfold {

/// The largest bound W that a problem of type T accepts.
template <class T>
inline constexpr T largest_accepted_total = (std::numeric_limits<T>::max() - static_cast<T>(std::is_integral_v<T>)) / 4;

/// 2^digits: T has all integers up to this magnitude, and not the next one.
template <std::floating_point T>
inline constexpr T integer_limit = static_cast<T>(std::uint64_t{1} << std::numeric_limits<T>::digits);

/// Whether T adds integers up to this W without rounding. A problem of an integer type has proved it before.
template <class T, class Total>
[[nodiscard]] constexpr bool adds_exactly(Total largest) {
  if constexpr (std::is_floating_point_v<T>) return largest < static_cast<Total>(integer_limit<T>);
  return true;
}

/// "i32" or "i64" if it holds the problem of this W, computed in doubles; else "f64".
[[nodiscard]] inline std::string_view smallest_exact_type(double largest) {
  return first_type(TypeList<std::int32_t, std::int64_t, double>(),
                    [&]<class T>(T) { return largest < static_cast<double>(std::numeric_limits<T>::max()) / 4.001; });
}

}  // namespace warpfold
