#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "warpfold/paths/from_sources.hpp"

namespace warpfold::paths {

/// A path and its length.
template <class T>
struct RankedPath {
  T length = {};
  std::vector<std::uint32_t> vertices;  ///< both ends included, none twice

  bool operator==(const RankedPath&) const = default;
};

/// Returns the k shortest paths from one vertex to another in which no vertex occurs twice, by Yen's algorithm (1971).
/// They are ordered by length, then by the number of edges, then by their vertices in order. If there are fewer than k
/// paths, it returns all of them. Of several edges between two vertices the shortest counts.
///
/// The semiring is (min,+), and T is not uint8_t. Integers are exact. Floats are added edge by edge, and paths whose
/// lengths differ by rounding alone may come in either order.
///
/// Raises Error{usage} for k = 0, a vertex that does not exist and any other semiring, Error{input} for a negative
/// length, and what `from_sources` raises for the graph.
///
/// Cost: for each path and each of its vertices one search of edges + n log2(n) steps, by one thread. Memory: in
/// proportion to the edges, and to k paths.
template <class T>
[[nodiscard]] Outcome<std::vector<RankedPath<T>>> k_shortest_paths(const SparseGraph<T>& graph, std::uint32_t from,
                                                                   std::uint32_t to, std::size_t k,
                                                                   const Options& options = {},
                                                                   const Request& request = {});

/// Returns the algorithms of `k_shortest_paths`. Options::algorithm accepts their names.
[[nodiscard]] std::vector<AlgorithmInfo> algorithms_of_k_shortest_paths();

}  // namespace warpfold::paths
