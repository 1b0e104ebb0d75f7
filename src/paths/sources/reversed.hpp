#pragma once

#include <vector>

#include "warpfold/paths/from_sources.hpp"

namespace warpfold::paths {

/// Returns the graph with every edge turned round.
template <class T>
[[nodiscard]] SparseGraph<T> reversed(const SparseGraph<T>& graph) {
  std::vector<Edge<T>> edges;
  edges.reserve(graph.edges());
  for (std::uint32_t from = 0; from < graph.vertices(); ++from) {
    for (const auto& [to, length] : graph.from(from)) edges.push_back({to, from, length});
  }
  return SparseGraph<T>(graph.vertices(), edges);
}

}  // namespace warpfold::paths
