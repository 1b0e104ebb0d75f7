#pragma once

namespace warpfold {

/// A point of the plane. The unit is the caller's.
struct Point {
  double x = 0;
  double y = 0;

  bool operator==(const Point&) const = default;
};

/// The cost of a chord between two points: its Euclidean length or the square of it.
enum class ChordWeight { length, squared };

}  // namespace warpfold
