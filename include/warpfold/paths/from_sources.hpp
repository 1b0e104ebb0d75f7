#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "warpfold/paths/all_pairs.hpp"

namespace warpfold::paths {

/// An edge of a directed graph; a loop where it ends where it begins.
template <class T>
struct Edge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  T length = {};
};

/// A directed graph as lists of edges, for graphs in which most pairs of vertices have none. Loops and several edges
/// between two vertices are accepted; an edge of zero() is none.
template <class T>
class SparseGraph {
 public:
  /// Where an edge of a vertex leads, and how long it is.
  struct End {
    std::uint32_t to;
    T length;
  };

  /// Raises Error{usage} for an edge whose vertex is not below `vertices`, Error{input} for too many vertices.
  SparseGraph(std::size_t vertices, std::span<const Edge<T>> edges);

  [[nodiscard]] std::size_t vertices() const { return offsets_.empty() ? 0 : offsets_.size() - 1; }
  [[nodiscard]] std::size_t edges() const { return ends_.size(); }
  [[nodiscard]] std::span<const End> from(std::size_t vertex) const {
    return std::span(ends_).subspan(offsets_[vertex], offsets_[vertex + 1] - offsets_[vertex]);
  }

 private:
  std::vector<std::size_t> offsets_;  ///< n + 1
  std::vector<End> ends_;             ///< of each vertex's edges, in the order in which they were given
};

/// The best paths from some vertices.
template <class T>
struct PathsFrom {
  std::vector<std::uint32_t> sources;
  Matrix<T> lengths;                   ///< [s][j]: from sources[s] to j, zero() of the semiring where there is no path
  Matrix<std::uint32_t> predecessors;  ///< [s][j]: the vertex before j on the path, sources[s] where that is j itself

  /// The vertices of the path from sources[s], both ends included; empty where there is none. Raises Error{usage} for a
  /// source or a vertex that there is not, Error{infeasible} where the predecessors do not lead there.
  [[nodiscard]] std::vector<std::uint32_t> path(std::size_t s, std::size_t to) const;
};

/// The best paths from each source to every vertex: by Dijkstra's algorithm with a binary heap, some edges + n *
/// log2(n) steps a source, which the threads share, and an entry of up to 16 bytes an edge and thread; or by
/// `all_pairs` where that takes less time or an edge alone improves (in (min,+) a length below 0), which Dijkstra does
/// not solve.
///
/// Integers are those of `all_pairs`. Floats are added from the source on, one edge after the other, where
/// `all_pairs` adds two parts of a path: the last bits may differ between the two. Of several paths as good, either may
/// give another.
///
/// Raises what `all_pairs` raises, and Error{usage} for a source that there is not.
template <class T>
[[nodiscard]] Outcome<PathsFrom<T>> from_sources(const SparseGraph<T>& graph, std::vector<std::uint32_t> sources,
                                                 const Options& options = {}, const Request& request = {});

/// The same of an answer for all pairs, with successors, to that request; of several paths as good to a vertex perhaps
/// another than `AllPairs::path` gives.
template <class T>
[[nodiscard]] PathsFrom<T> from_sources(const AllPairs<T>& all, std::vector<std::uint32_t> sources,
                                        const Request& request = {});

/// What `from_sources` would take of a graph for so many sources.
template <class T>
[[nodiscard]] Estimate estimate_from_sources(const SparseGraph<T>& graph, std::size_t sources,
                                             const Options& options = {}, const Request& request = {});

/// Its algorithms, to be forced by Options::algorithm. What `all-pairs` reports, and an estimate of it names, is the
/// one of `algorithms()` that it takes.
[[nodiscard]] std::vector<AlgorithmInfo> algorithms_from_sources();

}  // namespace warpfold::paths
