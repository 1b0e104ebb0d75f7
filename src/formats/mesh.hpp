#pragma once

#include <span>

#include "warpfold/core/chord.hpp"
#include "warpfold/core/point.hpp"

/// What the writers of meshes share.
namespace warpfold::formats {

/// The corners of a triangle, counterclockwise.
[[nodiscard]] Triangle counterclockwise(std::span<const Point> vertices, const Triangle& triangle);

}  // namespace warpfold::formats
