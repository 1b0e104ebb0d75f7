#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "warpfold/paths/all_pairs.hpp"

namespace warpfold::paths {

/// An edge of a directed graph. An edge from a vertex to itself is a loop.
template <class T>
struct Edge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  T length = {};
};

/// A directed graph as lists of edges, for graphs in which most pairs of vertices have no edge. Loops and several edges
/// between two vertices are accepted. An edge of length zero() does not exist.
template <class T>
class SparseGraph {
 public:
  /// The target and the length of an edge.
  struct End {
    std::uint32_t to;
    T length;
  };

  /// Makes a graph. Raises Error{usage} for an edge with a vertex that is not below `vertices`, and Error{input} for
  /// too many vertices.
  SparseGraph(std::size_t vertices, std::span<const Edge<T>> edges);

  /// Returns the bytes of a graph, so that a caller can reserve them before the graph is made.
  [[nodiscard]] static std::size_t bytes(std::size_t vertices, std::size_t edges);

  [[nodiscard]] std::size_t vertices() const { return offsets_.empty() ? 0 : offsets_.size() - 1; }
  [[nodiscard]] std::size_t edges() const { return ends_.size(); }
  [[nodiscard]] std::span<const End> from(std::size_t vertex) const {
    return std::span(ends_).subspan(offsets_[vertex], offsets_[vertex + 1] - offsets_[vertex]);
  }

 private:
  std::vector<std::size_t> offsets_;  ///< n + 1; n + 2 while the graph is made
  std::vector<End> ends_;             ///< the edges of each vertex, in the given order
};

/// The best paths from some vertices.
template <class T>
struct PathsFrom {
  std::vector<std::uint32_t> sources;
  Matrix<T> lengths;                   ///< [s][j]: from sources[s] to j; zero() of the semiring if there is no path
  Matrix<std::uint32_t> predecessors;  ///< [s][j]: the vertex before j on the path, or sources[s] if that is j

  /// Returns the vertices of the path from sources[s] to `to`, both ends included, or nothing if there is no path.
  /// Raises Error{usage} for a source or a vertex that does not exist, and Error{infeasible} if the predecessors do not
  /// lead to the source.
  [[nodiscard]] std::vector<std::uint32_t> path(std::size_t s, std::size_t to) const;
};

/// Returns the best paths from each source to every vertex.
///
/// The algorithm that is estimated as the quickest runs: Dijkstra's with a binary heap; Bellman and Ford's recurrence
/// with a queue, or Johnson's reweighting, if a single edge improves a path (in (min,+) a negative length), which
/// Dijkstra's algorithm does not solve; or `all_pairs`.
///
/// Integers equal those of `all_pairs`. Floats are added edge by edge from the source, while `all_pairs` adds two parts
/// of a path. So the last bits may differ. Of equally good paths the two may give different ones.
///
/// Raises what `all_pairs` raises, and Error{usage} for a source that does not exist. A cycle that improves without end
/// is an error only if a source reaches it, or if `all_pairs` runs.
///
/// Cost of Dijkstra's algorithm: about edges + n * log2(n) steps per source, which the threads share. Memory: up to 16
/// bytes per edge and thread. Bellman and Ford's recurrence takes n * edges steps per source at most, and mostly some
/// times the edges.
template <class T>
[[nodiscard]] Outcome<PathsFrom<T>> from_sources(const SparseGraph<T>& graph, std::vector<std::uint32_t> sources,
                                                 const Options& options = {}, const Request& request = {});

/// Returns the best paths from each source out of a solution for all pairs with successors. `request` must be that of
/// the solution. Of equally good paths to a vertex it may give another one than `AllPairs::path`.
template <class T>
[[nodiscard]] PathsFrom<T> from_sources(const AllPairs<T>& all, std::vector<std::uint32_t> sources,
                                        const Request& request = {});

/// Returns the time and memory that `from_sources` would take for a graph and that many sources.
template <class T>
[[nodiscard]] Estimate estimate_from_sources(const SparseGraph<T>& graph, std::size_t sources,
                                             const Options& options = {}, const Request& request = {});

/// Returns the best paths between all pairs of vertices of a graph in which most pairs have no edge. It runs a search
/// for each vertex. The recurrence of Floyd and Warshall runs if it is estimated as quicker, if `options` ask for a
/// GPU, or if they name one of `algorithms()`.
///
/// Integer lengths are those of the recurrence. A search adds floats edge by edge from the end of a path, so the last
/// bits may differ. Of equally good paths it may give another one. Every walk along successors ends.
///
/// Raises what `all_pairs` raises for a matrix. Memory: n^2 values, and n^2 indices with successors, if searches run.
template <class T>
[[nodiscard]] Outcome<AllPairs<T>> all_pairs(const SparseGraph<T>& graph, const Options& options = {},
                                             const Request& request = {});

/// Returns the time and memory that `all_pairs` would take for a sparse graph.
template <class T>
[[nodiscard]] Estimate estimate_all_pairs(const SparseGraph<T>& graph, const Options& options = {},
                                          const Request& request = {});

/// Returns the algorithms of `from_sources`, which are also those of `all_pairs` for sparse graphs. Options::algorithm
/// accepts their names. "all-pairs" reports the algorithm of `algorithms()` that it uses, as its estimate does.
[[nodiscard]] std::vector<AlgorithmInfo> algorithms_from_sources();

}  // namespace warpfold::paths
