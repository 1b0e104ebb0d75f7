#include "memory.hpp"

#include "unit/polygon/round_outline.hpp"
#include "warpfold/polygon/solve.hpp"

namespace warpfold::polygon {
namespace {

TEST(MemoryOfOutlines, IsWhatTheReportSays) {
  const Outline outline = test::round_outline(3000);
  const VisibilityGraph graph = interior_chords(outline);
  const auto length = [&](std::size_t i, std::size_t j) {
    return chord_weight(Weight::length, outline[i], outline[j]);
  };
  const Triangulation<double> problem(graph, chord_weights<double>(graph, length));
  for (const char* algorithm : {"sparse", "tiled"}) {
    warpfold::test::expect_reported_memory_is_held([&](Options options) {
      options.algorithm = algorithm;
      return solve(problem, options).report.peak_bytes;
    });
  }
}

TEST(MemoryOfChords, IsTakenFromTheBudget) {
  const Outline outline = test::round_outline(6000);
  warpfold::test::expect_reported_memory_is_held([&](Options options) {
    Budget whole(options);
    options.budget = &whole;
    static_cast<void>(interior_chords(outline, options));
    return whole.peak();
  });
}

}  // namespace
}  // namespace warpfold::polygon
