#pragma once

#include <span>
#include <type_traits>

#include "warpfold/interval/verify.hpp"
#include "warpfold/polygon/outline.hpp"
#include "warpfold/polygon/triangulation.hpp"

/// Checks of somebody's triangulation of an outline that share no code with the solvers.
namespace warpfold::polygon {

// What needs no outline.
using interval::flaw_of_cost;
using interval::flaw_of_structure;

/// Whether these triangles, whose structure has no flaw, lie in the outline without overlap and fill it: whether each
/// turns the way the outline does. Exact, O(n).
///
/// That is enough: glued along their sides the triangles are a disc whose boundary is the outline. Where all keep their
/// orientation, as many of them cover a point as the outline winds around it: one in the interior, none outside. So
/// every chord is interior; one through another vertex would cover points outside, beside that vertex.
[[nodiscard]] Flaw flaw_of_triangles(const Outline& outline, std::span<const interval::Triangle> triangles);

/// Whether it is a triangulation of the outline's interior by chords that are not forbidden, whose weights add up to
/// its cost: exactly for integers, up to rounding else. Which chords there are to choose from is not computed, nor
/// whether others cost less. O(n log n) operations, O(n) memory. Raises what interval::verify does.
template <class T>
[[nodiscard]] Verdict verify(const Outline& outline, const std::type_identity_t<interval::ChordWeights<T>>& weight,
                             const interval::Solution<T>& solution, const Options& options = {});

/// The same where `chord_weight` says what a chord weighs. A whole-number T has to hold those of the chords exactly,
/// below 2^53.
template <class T>
[[nodiscard]] Verdict verify(const Outline& outline, Weight weight, const interval::Solution<T>& solution,
                             const Options& options = {});

}  // namespace warpfold::polygon
