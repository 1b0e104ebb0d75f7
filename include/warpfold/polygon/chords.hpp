#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "warpfold/polygon/outline.hpp"
#include "warpfold/run/run.hpp"

namespace warpfold::polygon {

/// Which vertices of an outline see each other: its edges and its interior chords, each once, at its smaller end.
struct VisibilityGraph {
  std::vector<std::size_t> offsets;  ///< n + 1; vertex i's entries are offsets[i] .. offsets[i + 1]
  std::vector<std::uint32_t> ends;   ///< for each vertex the larger ends, ascending; 4 bytes a pair

  [[nodiscard]] std::size_t size() const { return offsets.size() - 1; }
  [[nodiscard]] std::size_t chords() const { return ends.size() - size(); }  ///< without the n edges
  [[nodiscard]] bool is_edge(std::size_t i, std::size_t j) const { return j == i + 1 || (i == 0 && j + 1 == size()); }
  [[nodiscard]] std::span<const std::uint32_t> after(std::size_t i) const {
    return std::span(ends).subspan(offsets[i], offsets[i + 1] - offsets[i]);
  }
};

/// The edges of an outline and its interior chords: exactly the pairs of vertices whose open segment lies in the open
/// interior. A chord through a third vertex, or along an edge, is not interior.
///
/// Some triangulation of the outline's corners first, where it turns; then from each vertex one walk through the
/// triangles it sees, narrowing the window at each edge crossed: every test is an exact orientation. Vertices straight
/// on an edge are found by bisection. Time: the number of pairs (triangle, vertex that sees some of it), shared by the
/// threads.
/// Honours threads, stop, deadline and most_bytes of the options.
[[nodiscard]] VisibilityGraph interior_chords(const Outline& outline, const Options& options = {});

namespace reference {

/// Whether the open segment from vertex i to vertex j lies in the open interior, tested against every vertex and edge.
[[nodiscard]] bool is_interior_chord(const Outline& outline, std::size_t i, std::size_t j);

/// All pairs against all edges, O(n^3).
[[nodiscard]] VisibilityGraph interior_chords(const Outline& outline);

}  // namespace reference

}  // namespace warpfold::polygon
