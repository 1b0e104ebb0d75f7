#pragma once

namespace warpfold {

/// A point of the plane, in the units of whoever made it.
struct Point {
  double x = 0;
  double y = 0;

  bool operator==(const Point&) const = default;
};

/// What a chord between two points costs: its Euclidean length, or the square of it.
enum class ChordWeight { length, squared };

}  // namespace warpfold
