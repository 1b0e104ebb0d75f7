#pragma once

namespace warpfold {

/// A point of the plane, in the units of whoever made it.
struct Point {
  double x = 0;
  double y = 0;

  bool operator==(const Point&) const = default;
};

}  // namespace warpfold
