#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace warpfold::interval {

/// The pairs of a polygon's vertices that may be joined: its edges and its chords. Each pair is stored once, at its
/// smaller vertex.
struct VisibilityGraph {
  std::vector<std::size_t> offsets;  ///< n + 1 entries; those of vertex i are offsets[i] .. offsets[i + 1]
  std::vector<std::uint32_t> ends;   ///< for each vertex the larger ends, ascending; 4 bytes a pair

  [[nodiscard]] std::size_t size() const { return offsets.size() - 1; }
  [[nodiscard]] std::size_t chords() const { return ends.size() - size(); }  ///< without the n edges
  [[nodiscard]] bool is_edge(std::size_t i, std::size_t j) const { return j == i + 1 || (i == 0 && j + 1 == size()); }
  [[nodiscard]] std::span<const std::uint32_t> after(std::size_t i) const {
    return std::span(ends).subspan(offsets[i], offsets[i + 1] - offsets[i]);
  }
};

/// Returns a weight for each entry of `graph.ends`: weight(i, j), i < j, for chords, and 0 for edges.
template <class T, class Weight>
[[nodiscard]] std::vector<T> chord_weights(const VisibilityGraph& graph, const Weight& weight) {
  std::vector<T> weights(graph.ends.size());
  for (std::size_t i = 0; i < graph.size(); ++i) {
    for (std::size_t e = graph.offsets[i]; e < graph.offsets[i + 1]; ++e) {
      if (!graph.is_edge(i, graph.ends[e])) weights[e] = static_cast<T>(weight(i, std::size_t{graph.ends[e]}));
    }
  }
  return weights;
}

}  // namespace warpfold::interval
