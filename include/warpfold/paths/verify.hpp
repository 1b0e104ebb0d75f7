#pragma once

#include <cstdint>
#include <span>

#include "warpfold/paths/all_pairs.hpp"
#include "warpfold/paths/from_sources.hpp"
#include "warpfold/run/verdict.hpp"

namespace warpfold::paths {

/// Checks best paths between all pairs against their graph, independently of how they were found. No edge (k,j) may
/// improve any D(i,k), D(i,i) must be one(), and every path that the successors give must end correctly and have the
/// stated length.
///
/// Integers must be exact. Floats of n vertices may differ by 2 n eps of a length. If edges have both signs, they may
/// differ by 2 n eps of n times the longest edge. Rounding along other paths can make such differences.
///
/// Without successors the lengths are checked in the same way, but not whether the paths exist (`Verdict::unchecked`).
/// Of the options only the stop and the deadline are used. Raises Error{usage} for matrices of other shapes than the
/// edges, and what `all_pairs` raises for the edges and the request. Cost: O(n * edges) operations.
template <class T>
[[nodiscard]] Verdict verify(MatrixView<const T> edges, const AllPairs<T>& paths, const Options& options = {},
                             const Request& request = {});
/// Checks best paths for a matrix that owns its entries.
template <class T>
[[nodiscard]] Verdict verify(const Matrix<T>& edges, const AllPairs<T>& paths, const Options& options = {},
                             const Request& request = {}) {
  return verify(edges.view(), paths, options, request);
}

/// Checks best paths from some vertices against their graph in the same way. No edge may improve a length, and every
/// path that the predecessors give must begin at its source and have the stated length.
///
/// Raises Error{usage} for predecessors of another shape and for a source that does not exist, and what `from_sources`
/// raises for the graph and the request. Cost: O(vertices + edges) operations per source.
template <class T>
[[nodiscard]] Verdict verify(const SparseGraph<T>& graph, const PathsFrom<T>& paths, const Options& options = {},
                             const Request& request = {});

/// Checks one path against the graph and its stated length. `path` has its vertices in order, none twice. A length of
/// zero() states that there is no path. It does not check that no other path is better. Raises Error{usage} for a
/// vertex that does not exist, and what `from_sources` raises for the graph and the request.
template <class T>
[[nodiscard]] Verdict verify_path(const SparseGraph<T>& graph, std::span<const std::uint32_t> path, T length,
                                  const Request& request = {});

}  // namespace warpfold::paths
