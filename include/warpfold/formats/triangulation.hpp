#pragma once

#include <span>
#include <string>

#include "warpfold/core/point.hpp"
#include "warpfold/formats/picture.hpp"
#include "warpfold/interval/triangulation.hpp"

/// Writers of triangulations. Each writes the whole file or none of it.
namespace warpfold::formats {

/// A triangulation as the writers take it.
struct TriangulationView {
  std::span<const Point> vertices;
  std::span<const interval::Chord> chords;
  std::span<const interval::Triangle> triangles;
};

/// A picture: the outline filled, triangles tinted, chords and outline as lines as thin as their number asks for. y
/// points up.
void write_svg(const std::string& path, const TriangulationView& triangulation, const DrawingStyle& style);

/// A FeatureCollection: one Polygon a triangle, counterclockwise, with its `vertices` [i, k, j].
void write_geojson(const std::string& path, const TriangulationView& triangulation);

/// Wavefront OBJ: vertices with z = 0 and one counterclockwise face a triangle.
void write_obj(const std::string& path, const TriangulationView& triangulation);

}  // namespace warpfold::formats
