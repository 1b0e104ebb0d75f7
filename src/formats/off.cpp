#include <fmt/ostream.h>

#include "formats/mesh.hpp"
#include "warpfold/formats/triangulation.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::formats {

/// Object File Format: the numbers of vertices, faces and edges, then vertices with z = 0, then a counterclockwise face
/// for each triangle. Readers ignore the number of edges.
void write_off(const std::string& path, const TriangulationView& triangulation, const DrawingStyle&) {
  io::write_file(path, [&](std::ostream& out) {
    fmt::print(out, "OFF\n{} {} 0\n", triangulation.vertices.size(), triangulation.triangles.size());
    for (const Point& vertex : triangulation.vertices) fmt::print(out, "{} {} 0\n", vertex.x, vertex.y);
    for (const Triangle& triangle : triangulation.triangles) {
      const auto [i, k, j] = counterclockwise(triangulation.vertices, triangle);
      fmt::print(out, "3 {} {} {}\n", i, k, j);
    }
  });
}

}  // namespace warpfold::formats
