#pragma once

#include <cstddef>
#include <vector>

#include "warpfold/core/point.hpp"

namespace warpfold::polygon {

/// Removes the vertices that repeat the one before them, and those at the end that repeat the first. Returns how many
/// of them there were, without one that closes the outline.
std::size_t drop_repeated(std::vector<Point>& vertices);

/// A simple polygon, clockwise or counterclockwise. It has at least three distinct vertices, and its edges meet only at
/// common ends. Vertices keep their order and their numbers. A vertex may be inside a straight run.
class Outline {
 public:
  /// Takes the vertices in order. The last may repeat the first; this closes the outline and adds no vertex. A vertex
  /// that repeats the one before it is dropped, and so is every further one that closes the outline. The others are
  /// numbered without these; messages have the given numbers.
  ///
  /// Raises Error{input} that names the place:
  /// * fewer than three vertices;
  /// * a coordinate that is not finite, or not 0 and outside `min_coordinate` .. `largest_coordinate`;
  /// * an outline that touches itself in a vertex;
  /// * edges that cross, touch or overlap.
  explicit Outline(std::vector<Point> vertices);

  /// The number of vertices that were dropped.
  [[nodiscard]] std::size_t dropped() const { return dropped_; }

  [[nodiscard]] std::size_t size() const { return vertices_.size(); }
  [[nodiscard]] const std::vector<Point>& vertices() const { return vertices_; }
  [[nodiscard]] const Point& operator[](std::size_t i) const { return vertices_[i]; }

  /// Whether the interior is to the left of every edge.
  [[nodiscard]] bool counterclockwise() const { return counterclockwise_; }

  /// Whether every interior angle is below 180 degrees. Then every chord is interior.
  [[nodiscard]] bool strictly_convex() const { return strictly_convex_; }

  /// `polygon::orientation` of three vertices, mirrored for a clockwise outline. +1 means that i, j, k turn in the
  /// outline's direction.
  [[nodiscard]] int turn(std::size_t i, std::size_t j, std::size_t k) const;

  [[nodiscard]] std::size_t next(std::size_t i) const { return i + 1 == vertices_.size() ? 0 : i + 1; }
  [[nodiscard]] std::size_t previous(std::size_t i) const { return (i == 0 ? vertices_.size() : i) - 1; }

 private:
  std::vector<Point> vertices_;
  std::size_t dropped_ = 0;
  bool counterclockwise_ = true;
  bool strictly_convex_ = true;
};

}  // namespace warpfold::polygon
