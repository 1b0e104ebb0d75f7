#include "warpfold/polygon/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>

#include "warpfold/core/arithmetic.hpp"

namespace warpfold::polygon {

Flaw flaw_of_triangles(const Outline& outline, std::span<const interval::Triangle> triangles) {
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
  if (Flaw flaw = flaw_of_triangles(outline, solution.triangles)) return infeasible(*flaw);
  return verdict;
}

namespace {

/// Whether T holds what every chord weighs.
template <class T>
Flaw flaw_of_type(std::span<const interval::Chord> chords, const interval::ChordWeights<double>& weight) {
  const double most = std::min(0x1p53, static_cast<double>(infinity<T>));
  for (const auto& [i, j] : chords) {
    const double value = weight(i, j);
    if (std::trunc(value) == value && value < most) continue;
    return fmt::format("{} is a whole-number type below {}, chord [{}, {}] weighs {}", dtype_name<T>(), most, i, j,
                       value);
  }
  return std::nullopt;
}

}  // namespace

template <class T>
Verdict verify(const Outline& outline, Weight weight, const interval::Solution<T>& solution, const Options& options) {
  const auto weigh = [&](std::size_t i, std::size_t j) { return chord_weight(weight, outline[i], outline[j]); };
  if constexpr (std::is_integral_v<T>) {
    if (Flaw flaw = flaw_of_structure(outline.size(), solution.chords, solution.triangles)) return infeasible(*flaw);
    if (Flaw flaw = flaw_of_triangles(outline, solution.triangles)) return infeasible(*flaw);
    if (Flaw flaw = flaw_of_type<T>(solution.chords, weigh)) return miscounted(*flaw);
  }
  return verify<T>(
      outline, [&](std::size_t i, std::size_t j) { return static_cast<T>(weigh(i, j)); }, solution, options);
}

#define WARPFOLD_INSTANTIATE(T)                                                                              \
  template Verdict verify<T>(const Outline&, const interval::ChordWeights<T>&, const interval::Solution<T>&, \
                             const Options&);                                                                \
  template Verdict verify(const Outline&, Weight, const interval::Solution<T>&, const Options&);
WARPFOLD_INSTANTIATE(std::int32_t)
WARPFOLD_INSTANTIATE(std::int64_t)
WARPFOLD_INSTANTIATE(float)
WARPFOLD_INSTANTIATE(double)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::polygon
