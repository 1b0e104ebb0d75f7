#pragma once

#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "warpfold/core/chord.hpp"
#include "warpfold/core/point.hpp"
#include "warpfold/formats/picture.hpp"

/// Writers of triangulations. A function that takes a path writes the whole file or none of it, and raises what
/// `io::write_file` raises.
namespace warpfold::formats {

/// The parts of a triangulation that the writers need.
struct TriangulationView {
  std::span<const Point> vertices;
  std::span<const Chord> chords;
  std::span<const Triangle> triangles;
};

/// Up to this many vertices, a picture has the vertices' numbers and the chords' weights.
inline constexpr std::size_t max_labeled_vertices = 40;

/// Draws a triangulation as SVG. Triangles are tinted by size. Lines get thinner as the number of chords grows. Up to
/// `max_labeled_vertices` have their numbers, and the chords their labels. The y axis points up.
void draw_svg(std::ostream& out, const TriangulationView& triangulation, const DrawingStyle& style);
/// Draws a triangulation as an SVG file.
void write_svg(const std::string& path, const TriangulationView& triangulation, const DrawingStyle& style);

/// Writes a GeoJSON FeatureCollection: one counterclockwise Polygon for each triangle, with its `vertices` [i, k, j].
void write_geojson(const std::string& path, const TriangulationView& triangulation);

/// Writes Wavefront OBJ: vertices with z = 0, and one counterclockwise face for each triangle.
void write_obj(const std::string& path, const TriangulationView& triangulation);

/// A row of the table of formats (format.hpp).
struct TriangulationFormat {
  std::string name;
  std::vector<std::string> endings;
  void (*write)(const std::string& path, const TriangulationView& triangulation, const DrawingStyle& style);
  bool needs_coordinates = false;  ///< the format is of no use for vertices of `regular_polygon`
};
/// Returns every format that can be written, in the order in which help lists them.
[[nodiscard]] std::span<const TriangulationFormat> triangulation_formats();

/// Returns n corners of one circle, with an edge at the bottom. They stand for vertices without coordinates.
[[nodiscard]] std::vector<Point> regular_polygon(std::size_t n);

}  // namespace warpfold::formats
