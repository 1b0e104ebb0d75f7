#include "warpfold/polygon/triangulation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "core/number_types.hpp"
#include "interval/triangulation/formula_weights.hpp"

namespace warpfold::polygon {

template <class T>
Triangulation<T> triangulation_of(const Outline& outline, Weight weight, const Options& options) {
  if (outline.strictly_convex()) return Triangulation<T>(interval::WeightFormula{outline.vertices(), weight});
  interval::check_formula(weight);
  VisibilityGraph graph = interior_chords(outline, options);
  std::vector<T> weights = chord_weights<T>(graph, [&](std::size_t i, std::size_t j) {
    return interval::held_weight<T>(i, j, chord_weight(weight, outline[i], outline[j]));
  });
  return {std::move(graph), std::move(weights)};
}

#define WARPFOLD_INSTANTIATE(T) template Triangulation<T> triangulation_of(const Outline&, Weight, const Options&);
WARPFOLD_FOR_EACH_TABLE_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

std::optional<double> max_integer_weight(const Outline& outline, Weight weight) {
  if (!keeps_integers(weight)) return std::nullopt;
  double largest = 0;
  for (const Point& vertex : outline.vertices()) {
    if (std::trunc(vertex.x) != vertex.x || std::trunc(vertex.y) != vertex.y) return std::nullopt;
    largest = std::max({largest, std::abs(vertex.x), std::abs(vertex.y)});
  }
  return 8 * largest * largest;
}

}  // namespace warpfold::polygon
