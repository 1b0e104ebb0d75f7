#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "warpfold/polygon/outline.hpp"

namespace warpfold::polygon::test {

/// A circle, whose vertices all see each other.
inline Outline round_outline(std::size_t n) {
  std::vector<Point> vertices;
  for (std::size_t i = 0; i < n; ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n);
    vertices.push_back({std::cos(angle), std::sin(angle)});
  }
  return Outline(std::move(vertices));
}

}  // namespace warpfold::polygon::test
