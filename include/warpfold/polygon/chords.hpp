#pragma once

#include <cstddef>

#include "warpfold/interval/visibility_graph.hpp"
#include "warpfold/polygon/outline.hpp"
#include "warpfold/run/run.hpp"

namespace warpfold::polygon {

using interval::VisibilityGraph;

/// The edges of an outline and its interior chords: exactly the pairs of vertices whose open segment lies in the open
/// interior. A chord through a third vertex, or along an edge, is not interior.
///
/// Some triangulation of the outline's corners first, where it turns; then from each vertex one walk through the
/// triangles it sees, narrowing the window at each edge crossed: every test is an exact orientation. Vertices straight
/// on an edge are found by bisection. Time: the number of pairs (triangle, vertex that sees some of it), shared by the
/// threads.
/// Honours threads, stop, deadline and max_memory of the options.
[[nodiscard]] VisibilityGraph interior_chords(const Outline& outline, const Options& options = {});

namespace reference {

/// Whether the open segment from vertex i to vertex j lies in the open interior, tested against every vertex and edge.
[[nodiscard]] bool is_interior_chord(const Outline& outline, std::size_t i, std::size_t j);

/// All pairs against all edges, O(n^3).
[[nodiscard]] VisibilityGraph interior_chords(const Outline& outline);

}  // namespace reference

}  // namespace warpfold::polygon
