#include "warpfold/polygon/verify.hpp"

#include <fmt/format.h>

#include <optional>
#include <type_traits>

#include "core/number_types.hpp"
#include "interval/triangulation/formula_weights.hpp"

namespace warpfold::polygon {

Violation find_triangles_violation(const Outline& outline, std::span<const interval::Triangle> triangles) {
  for (const auto& [i, k, j] : triangles) {
    if (outline.turn(i, k, j) <= 0) {
      return fmt::format("triangle [{}, {}, {}] does not lie in the interior of the outline", i, k, j);
    }
  }
  return std::nullopt;
}

template <class T>
Verdict verify(const Outline& outline, const std::type_identity_t<interval::ChordWeights<T>>& weight,
               const interval::Solution<T>& solution, const Options& options) {
  Verdict verdict = interval::verify<T>(outline.size(), weight, solution, options);
  if (!verdict.is_feasible) return verdict;
  if (Violation violation = find_triangles_violation(outline, solution.triangles)) return infeasible(*violation);
  return verdict;
}

namespace {

/// Whether T can hold the weight of every chord.
template <class T>
Violation find_type_violation(std::span<const interval::Chord> chords, const interval::ChordWeights<double>& weight) {
  for (const auto& [i, j] : chords) {
    if (Violation violation = interval::find_weight_violation<T>(i, j, weight(i, j))) return violation;
  }
  return std::nullopt;
}

}  // namespace

template <class T>
Verdict verify(const Outline& outline, Weight weight, const interval::Solution<T>& solution, const Options& options) {
  const auto weigh = [&](std::size_t i, std::size_t j) { return chord_weight(weight, outline[i], outline[j]); };
  if constexpr (std::is_integral_v<T>) {
    if (Violation violation = find_structure_violation(outline.size(), solution.chords, solution.triangles))
      return infeasible(*violation);
    if (Violation violation = find_triangles_violation(outline, solution.triangles)) return infeasible(*violation);
    if (Violation violation = find_type_violation<T>(solution.chords, weigh)) return wrong_cost(*violation);
  }
  return verify<T>(
      outline, [&](std::size_t i, std::size_t j) { return static_cast<T>(weigh(i, j)); }, solution, options);
}

#define WARPFOLD_INSTANTIATE(T)                                                                              \
  template Verdict verify<T>(const Outline&, const interval::ChordWeights<T>&, const interval::Solution<T>&, \
                             const Options&);                                                                \
  template Verdict verify(const Outline&, Weight, const interval::Solution<T>&, const Options&);
WARPFOLD_FOR_EACH_TABLE_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::polygon
