#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "warpfold/core/point.hpp"

namespace warpfold::polygon {

/// One triangle of a triangulation of an outline. Corners are counterclockwise. `across[k]` is the triangle on the
/// other side of the edge from corner k to corner k + 1. It is `no_triangle` if that edge belongs to the outline.
struct Triangle {
  std::array<std::uint32_t, 3> corner;
  std::array<std::uint32_t, 3> across;
};

inline constexpr std::uint32_t no_triangle = ~std::uint32_t{0};

struct TriangulatedOutline {
  std::vector<Triangle> triangles;              ///< n - 2, none of them flat
  std::vector<std::uint32_t> triangle_of_edge;  ///< entry v: the one at the edge from v to the next vertex
};

/// Triangulates a simple polygon, whose vertices must be counterclockwise, by cutting ears. Any triangulation may
/// result. Exact: no ear is flat, or has a third vertex inside or on its border.
///
/// A grid over the vertices that could be in an ear keeps the search near linear for real outlines. At worst O(n^2) ear
/// tests.
[[nodiscard]] TriangulatedOutline clip_ears(const std::vector<Point>& vertices);

}  // namespace warpfold::polygon
