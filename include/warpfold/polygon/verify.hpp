#pragma once

#include <span>
#include <type_traits>

#include "warpfold/interval/verify.hpp"
#include "warpfold/polygon/outline.hpp"
#include "warpfold/polygon/triangulation.hpp"

/// Checks of a triangulation of an outline, which share no code with the solvers.
namespace warpfold::polygon {

// Checks that need no outline.
using interval::find_cost_violation;
using interval::find_structure_violation;

/// Checks whether triangles without a violation in their structure fill the outline without overlap. It tests whether
/// each turns in the outline's direction. Exact, O(n).
///
/// That test suffices. Glued along their sides, the triangles form a disc whose boundary is the outline. If all keep
/// their orientation, the number of triangles over a point is the winding number of the outline: one inside, none
/// outside. So every chord is interior. A chord through another vertex would cover points outside, beside that vertex.
[[nodiscard]] Violation find_triangles_violation(const Outline& outline, std::span<const interval::Triangle> triangles);

/// Checks a triangulation of the outline's interior by chords that are not forbidden, and
///
///     cost = sum of w(i,j) over its chords.
///
/// Integers must agree exactly, floating point up to rounding. It does not compute the other interior chords, nor
/// whether they cost less. Cost: O(n log n) operations, O(n) memory. Raises what interval::verify raises.
template <class T>
[[nodiscard]] Verdict verify(const Outline& outline, const std::type_identity_t<interval::ChordWeights<T>>& weight,
                             const interval::Solution<T>& solution, const Options& options = {});

/// Checks the same with the weights of `chord_weight`. An integer T must hold each chord's weight exactly, below 2^53.
template <class T>
[[nodiscard]] Verdict verify(const Outline& outline, Weight weight, const interval::Solution<T>& solution,
                             const Options& options = {});

}  // namespace warpfold::polygon
