#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "warpfold/formats/graph.hpp"

namespace warpfold::fuzz {

/// Edges of a graph that was read have finite lengths, and its vertices are found by their names.
inline void expect_graph(const formats::Graph& graph) {
  if (graph.lengths.size() != graph.edges.size()) __builtin_trap();
  for (std::size_t k = 0; k < graph.edges.size(); ++k) {
    const auto [from, to] = graph.edges[k];
    if (std::max(from, to) >= graph.vertices || !std::isfinite(graph.lengths.real(k))) __builtin_trap();
    if (graph.find(graph.name(from)) != from || graph.find(graph.name(to)) != to) __builtin_trap();
  }
}

}  // namespace warpfold::fuzz
