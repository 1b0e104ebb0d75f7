// How much faster is a real outline listed and triangulated on more threads? Further outlines, as files, replace
// Australia's.
#include "../scaling.hpp"

#include <filesystem>
#include <utility>

#include "warpfold/formats/outline.hpp"
#include "warpfold/polygon/solve.hpp"

namespace {

using namespace warpfold;

void measure_outline(const std::string& path, std::vector<bench::Json>& rows) {
  const polygon::Outline outline(formats::read_outline(path));
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
  bench::append(rows, bench::scaling_rows("interior chords", parameters, static_cast<double>(graph.chords()), 3, list));
  const std::function solve = [&](const Options& options) {
    interval::Solution<double> solution = polygon::solve(problem, options).solution;
    return std::pair(solution.cost, std::move(solution.triangles));
  };
  bench::append(
      rows, bench::scaling_rows("sparse triangulation", parameters, polygon::estimate(problem).operations, 5, solve));
}

}  // namespace

int main(int argc, char** argv) {
  const bool json = argc > 1 && std::string(argv[1]) == "--json";
  std::vector<std::string> paths(argv + (json ? 2 : 1), argv + argc);
  std::string command = "bench_polygon_scaling --json";
  for (const std::string& path : paths) command.append(" ").append(std::filesystem::path(path).filename().string());
  if (paths.empty()) paths = {"examples/australia.geojson"};
  std::vector<bench::Json> rows;
  for (const std::string& path : paths) measure_outline(path, rows);
  bench::print_scaling(json, command, rows);
}
