#pragma once

#include <optional>

#include "warpfold/interval/triangulation.hpp"
#include "warpfold/polygon/chords.hpp"
#include "warpfold/run/run.hpp"

namespace warpfold::polygon {

using Weight = ChordWeight;
using interval::chord_weight;
using interval::chord_weights;
using interval::Triangulation;

/// The triangulation problem of an outline whose chords have the formula's weights.
///
/// For a strictly convex outline, all chords are interior and the weights stay a formula: the outline must outlive the
/// problem. For any other outline, the chords are those of `interior_chords`, which `options` controls.
///
/// Raises Error{usage} for an unknown formula. Raises Error{input} if an integer T does not hold a chord's weight
/// exactly, below 2^53. Raises Error{overflow} for a weight or a total that T does not hold. Raises what
/// `interior_chords` raises.
template <class T>
[[nodiscard]] Triangulation<T> triangulation_of(const Outline& outline, Weight weight, const Options& options = {});
template <class T>
Triangulation<T> triangulation_of(const Outline&&, Weight, const Options& = {}) = delete;

/// Whether chords between vertices at integers weigh integers. Lengths are irrational.
[[nodiscard]] constexpr bool keeps_integers(Weight weight) { return weight == Weight::squared; }

/// Of an outline whose chords all weigh integers: not less than the weight of any. Where it is above 2^53, doubles may
/// round a weight. Empty for any other outline.
[[nodiscard]] std::optional<double> max_integer_weight(const Outline& outline, Weight weight);

}  // namespace warpfold::polygon
