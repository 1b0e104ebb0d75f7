#pragma once

#include <cstdint>
#include <span>

#include "warpfold/paths/all_pairs.hpp"
#include "warpfold/paths/from_sources.hpp"
#include "warpfold/run/verdict.hpp"

namespace warpfold::paths {

/// Holds an answer against its graph, independently of how it was found: no edge (k,j) improves any D(i,k), D(i,i) is
/// one(), and every path, walked from its successors, ends where it should and has the length that is said: O(n *
/// edges) operations. Integers exactly; floats of n vertices within 2 n eps of a length, or where edges have both
/// signs, of n times the longest edge: as much as adding up along other paths may have made of it. Without successors
/// the same, and nobody knows whether the paths are there (`Verdict::unchecked`). Of the options the stop and the
/// deadline count. Raises Error{usage} for matrices of other shapes than the edges, and what `all_pairs` raises of the
/// edges and the request.
template <class T>
[[nodiscard]] Verdict verify(MatrixView<const T> edges, const AllPairs<T>& paths, const Options& options = {},
                             const Request& request = {});
/// The same of a matrix of its own.
template <class T>
[[nodiscard]] Verdict verify(const Matrix<T>& edges, const AllPairs<T>& paths, const Options& options = {},
                             const Request& request = {}) {
  return verify(edges.view(), paths, options, request);
}

/// Holds the paths from some vertices against their graph in the same way, a source after the other: no edge improves
/// a length, and every path, walked from its predecessors, begins at its source and has the length that is said:
/// O(vertices + edges) operations a source. Raises Error{usage} for predecessors of another shape and a source that
/// there is not, and what `from_sources` raises of the graph and the request.
template <class T>
[[nodiscard]] Verdict verify(const SparseGraph<T>& graph, const PathsFrom<T>& paths, const Options& options = {},
                             const Request& request = {});

/// Holds one path, its vertices in turn, none twice, against the graph and the length that is said of it, zero() where
/// there is none; whether another is better is not asked. Raises Error{usage} for a vertex that there is not, and what
/// `from_sources` raises of the graph and the request.
template <class T>
[[nodiscard]] Verdict verify_path(const SparseGraph<T>& graph, std::span<const std::uint32_t> path, T length,
                                  const Request& request = {});

}  // namespace warpfold::paths
