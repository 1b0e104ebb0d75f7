// An outline's triangulation of least total chord length, drawn.
// --- snippet
#include <cmath>
#include <iostream>
#include <utility>

#include "warpfold/formats/outline.hpp"
#include "warpfold/formats/triangulation.hpp"
#include "warpfold/polygon/solve.hpp"

int main(int argc, char** argv) {
  namespace polygon = warpfold::polygon;
  if (argc != 3) return std::cerr << "usage: outline_to_svg OUTLINE.geojson PICTURE.svg\n", 2;
  const polygon::Outline outline(warpfold::formats::read_outline(argv[1]).vertices);
  polygon::VisibilityGraph graph = polygon::interior_chords(outline);
  const auto length = [&](std::size_t i, std::size_t j) {
    return std::hypot(outline[i].x - outline[j].x, outline[i].y - outline[j].y);
  };
  auto weights = polygon::chord_weights<double>(graph, length);
  const polygon::Triangulation<double> problem(std::move(graph), std::move(weights));
  const auto [solution, report] = polygon::solve(problem);
  warpfold::formats::write_svg(argv[2], {outline.vertices(), solution.chords, solution.triangles},
                               {.title = "Least total length", .x_scale = std::cos(1.1)});  // a map of 63 degrees north
  std::cout << solution.triangles.size() << " triangles, total length " << solution.cost << '\n';
}
