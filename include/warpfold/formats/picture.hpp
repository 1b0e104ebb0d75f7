#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "warpfold/core/point.hpp"

/// Pictures of outlines as SVG files. Each function writes the whole file or none of it, and raises what
/// `io::write_file` raises.
namespace warpfold::formats {

/// How a picture is drawn. The y axis points up.
struct DrawingStyle {
  std::string title;
  double x_scale = 1;  ///< factor on x; for longitudes and latitudes use cos(latitude)
  /// the weights of the chords of a triangulation, in their order; empty: they are not written
  std::vector<std::string> chord_labels = {};
};

/// Paths within an outline: one path, or all paths from one vertex as a tree, or both.
struct PathsView {
  std::span<const Point> vertices;
  std::span<const std::uint32_t> path = {};  ///< the vertices of the path, in order
  /// for each vertex of the tree the one before it; the root has itself
  std::span<const std::uint32_t> predecessors = {};
  std::span<const double> lengths = {};  ///< for each vertex the length of its path; infinity if there is none
};

/// Draws the outline and its paths as an SVG file. The interior is tinted by the distance from the tree's root. The
/// path is drawn on top, with its ends marked.
void write_svg(const std::string& path, const PathsView& paths, const DrawingStyle& style);

}  // namespace warpfold::formats
