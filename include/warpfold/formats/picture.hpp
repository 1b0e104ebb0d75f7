#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "warpfold/core/point.hpp"

/// Pictures of outlines as SVG. Each writes the whole file or none of it.
namespace warpfold::formats {

/// How a picture is drawn; y points up.
struct DrawingStyle {
  std::string title;
  double x_scale = 1;  ///< x is stretched by this: a map of longitudes and latitudes wants cos(latitude)
};

/// Paths within an outline: one of them, or all from one vertex as a tree, or both.
struct PathsView {
  std::span<const Point> vertices;
  std::span<const std::uint32_t> path = {};          ///< its vertices
  std::span<const std::uint32_t> predecessors = {};  ///< of each vertex the one before it, itself at the tree's root
  std::span<const double> lengths = {};              ///< of the tree's paths, infinity where there is none
};

/// A picture: the outline filled, every place of the tree tinted by its distance from the root, the path on top with
/// its ends marked.
void write_svg(const std::string& path, const PathsView& paths, const DrawingStyle& style);

}  // namespace warpfold::formats
