// An outline's triangulation of least total chord length, drawn.
// --- snippet
#include <cmath>
#include <iostream>

#include "warpfold/formats/outline.hpp"
#include "warpfold/formats/triangulation.hpp"
#include "warpfold/interval/solve.hpp"
#include "warpfold/polygon/triangulation.hpp"

int main(int argc, char** argv) {
  namespace polygon = warpfold::polygon;
  if (argc != 3) return std::cerr << "usage: outline_to_svg OUTLINE.geojson PICTURE.svg\n", 2;
  const polygon::Outline outline(warpfold::formats::read_outline(argv[1]).vertices);
  const auto problem = polygon::triangulation_of<double>(outline, polygon::Weight::length);
  const auto [solution, report] = warpfold::interval::solve(problem);
  warpfold::formats::write_svg(argv[2], {outline.vertices(), solution.chords, solution.triangles},
                               {.title = "Least total length", .x_scale = std::cos(1.1)});  // a map of 63 degrees north
  std::cout << solution.triangles.size() << " triangles, total length " << solution.cost << '\n';
}
