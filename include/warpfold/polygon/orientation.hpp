#pragma once

#include "warpfold/core/point.hpp"

namespace warpfold::polygon {

/// On which side of the line from a to b does c lie: +1 left, -1 right, 0 exactly on it.
///
/// The sign of the determinant |b-a, c-a|, exact for every coordinate that `Outline` accepts: the rounded determinant
/// decides when it is larger than its error bound, an error-free sum of its six products otherwise.
/// Source: J. R. Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric predicates", 1997.
[[nodiscard]] int orientation(const Point& a, const Point& b, const Point& c);

/// Coordinates other than 0 have a magnitude within these bounds; no product above then overflows or loses bits.
inline constexpr double min_coordinate = 1e-120;
inline constexpr double largest_coordinate = 1e120;

}  // namespace warpfold::polygon
