// How much faster are the chords of a real outline listed, and the outline triangulated, on more threads? Arguments are
// files of outlines to use instead of Australia's.
#include "../scaling.hpp"

#include <filesystem>
#include <utility>

#include "warpfold/formats/outline.hpp"
#include "warpfold/polygon/solve.hpp"

namespace {

using namespace warpfold;

void measure_scaling(const std::string& path) {
  const polygon::Outline outline(formats::read_outline(path).vertices);
  const polygon::VisibilityGraph graph = polygon::interior_chords(outline);
  const auto length = [&](std::size_t i, std::size_t j) {
    return polygon::chord_weight(polygon::Weight::length, outline[i], outline[j]);
  };
  const polygon::Triangulation<double> problem(graph, polygon::chord_weights<double>(graph, length));
  const bench::Json parameters = {{"outline", std::filesystem::path(path).stem().string()},
                                  {"n", outline.size()},
                                  {"chords", graph.chords()},
                                  {"dtype", "f64"}};
  const std::function list = [&](const Options& options) { return polygon::interior_chords(outline, options).ends; };
  bench::measure_scaling("interior chords", parameters, static_cast<double>(graph.chords()), 3, list);
  const std::function solve = [&](const Options& options) {
    interval::Solution<double> solution = polygon::solve(problem, options).solution;
    return std::pair(solution.cost, std::move(solution.triangles));
  };
  bench::measure_scaling("sparse triangulation", parameters, polygon::estimate(problem).operations, 5, solve);
}

const bench::Question scaling_question(
    "scaling",
    [](const bench::Arguments& arguments) {
      if (arguments.empty()) measure_scaling("examples/australia.geojson");
      for (const std::string& path : arguments) measure_scaling(path);
    },
    bench::line_of_scaling);

}  // namespace
