#pragma once

#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "warpfold/core/chord.hpp"
#include "warpfold/core/point.hpp"
#include "warpfold/formats/picture.hpp"

/// Writers of triangulations. Each that takes a path writes the whole file or none of it.
namespace warpfold::formats {

/// A triangulation as the writers take it.
struct TriangulationView {
  std::span<const Point> vertices;
  std::span<const Chord> chords;
  std::span<const Triangle> triangles;
};

/// A picture: the outline filled, triangles tinted, chords and outline as lines as thin as their number asks for. y
/// points up.
void draw_svg(std::ostream& out, const TriangulationView& triangulation, const DrawingStyle& style);
/// The same as a file.
void write_svg(const std::string& path, const TriangulationView& triangulation, const DrawingStyle& style);

/// A FeatureCollection: one Polygon a triangle, counterclockwise, with its `vertices` [i, k, j].
void write_geojson(const std::string& path, const TriangulationView& triangulation);

/// Wavefront OBJ: vertices with z = 0 and one counterclockwise face a triangle.
void write_obj(const std::string& path, const TriangulationView& triangulation);

/// A row of the table: format.hpp.
struct TriangulationFormat {
  std::string name;
  std::vector<std::string> endings;
  void (*write)(const std::string& path, const TriangulationView& triangulation, const DrawingStyle& style);
  bool needs_coordinates = false;  ///< vertices of `regular_polygon` are of no use there
};
/// Every format that is written, in the order in which help lists them.
[[nodiscard]] std::span<const TriangulationFormat> triangulation_formats();

/// Where vertices without coordinates are drawn: n corners of one circle, an edge at the bottom.
[[nodiscard]] std::vector<Point> regular_polygon(std::size_t n);

}  // namespace warpfold::formats
