#include "memory.hpp"

#include <cmath>
#include <numbers>

#include "warpfold/polygon/solve.hpp"

namespace warpfold::polygon {
namespace {

Outline round_outline(std::size_t n) {
  std::vector<Point> vertices;
  for (std::size_t i = 0; i < n; ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n);
    vertices.push_back({std::cos(angle), std::sin(angle)});
  }
  return Outline(std::move(vertices));
}

TEST(MemoryOfOutlines, IsWhatTheReportSays) {
  const Outline outline = round_outline(3000);
  const VisibilityGraph graph = interior_chords(outline);
  const auto length = [&](std::size_t i, std::size_t j) {
    return chord_weight(Weight::length, outline[i], outline[j]);
  };
  const Triangulation<double> problem(graph, chord_weights<double>(graph, length));
  for (const char* algorithm : {"sparse", "tiled"}) {
    test::expect_reported_memory_is_held([&](Options options) {
      options.algorithm = algorithm;
      return solve(problem, options).report.peak_bytes;
    });
  }
}

TEST(MemoryOfChords, IsTakenFromTheBudget) {
  const Outline outline = round_outline(6000);
  test::expect_reported_memory_is_held([&](Options options) {
    Budget whole(options);
    options.budget = &whole;
    static_cast<void>(interior_chords(outline, options));
    return whole.peak();
  });
}

}  // namespace
}  // namespace warpfold::polygon
