#pragma once

#include <cstddef>

#include "warpfold/interval/visibility_graph.hpp"
#include "warpfold/polygon/outline.hpp"
#include "warpfold/run/run.hpp"

namespace warpfold::polygon {

using interval::VisibilityGraph;

/// Finds the edges of an outline and its interior chords: the pairs of vertices whose open segment is in the open
/// interior. A chord through a third vertex, or along an edge, is not interior.
///
/// Uses threads, stop, deadline and max_memory of the options, and raises the errors of these. Cost: the number of
/// pairs (triangle, vertex that sees some of it) of some triangulation, divided among the threads.
///
/// Method: triangulates the outline's corners. Then a walk from each vertex goes through the triangles that it sees,
/// and narrows the window at each edge it crosses. Every test is an exact orientation. Vertices inside straight runs
/// are found by bisection.
[[nodiscard]] VisibilityGraph interior_chords(const Outline& outline, const Options& options = {});

namespace reference {

/// Whether the open segment from vertex i to vertex j is in the open interior. Tests it against every vertex and edge.
[[nodiscard]] bool is_interior_chord(const Outline& outline, std::size_t i, std::size_t j);

/// Tests all pairs against all edges, O(n^3).
[[nodiscard]] VisibilityGraph interior_chords(const Outline& outline);

}  // namespace reference

}  // namespace warpfold::polygon
