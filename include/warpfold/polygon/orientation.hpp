#pragma once

#include "warpfold/core/point.hpp"

namespace warpfold::polygon {

/// The side of the line from a to b on which c is: +1 left, -1 right, 0 exactly on it.
///
/// It is the sign of the determinant |b-a, c-a|, exact for every coordinate that `Outline` accepts. The rounded
/// determinant decides if it is larger than its error bound. Otherwise an error-free sum of its six products decides.
///
/// Source: J. R. Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric predicates", 1997.
[[nodiscard]] int orientation(const Point& a, const Point& b, const Point& c);

/// The bounds of a coordinate's magnitude, unless it is 0. Within them no product above overflows or loses bits.
inline constexpr double min_coordinate = 1e-120;
inline constexpr double largest_coordinate = 1e120;

}  // namespace warpfold::polygon
