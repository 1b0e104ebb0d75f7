#pragma once

#include "warpfold/paths/all_pairs.hpp"
#include "warpfold/run/verdict.hpp"

namespace warpfold::paths {

/// Holds an answer against its graph, independently of how it was found: no edge (k,j) improves any D(i,k), D(i,i) is
/// one(), and every path, walked from its successors, ends where it should and has the length that is said: O(n *
/// edges) operations. Whole numbers exactly; floats within 2 m eps times the sum of the |lengths| of a path of m edges,
/// where some length is below 0 of one over all vertices by the longest edge. Without successors the same, and nobody
/// knows whether the paths are there (`Verdict::unchecked`). Raises Error{usage} for matrices of other shapes than the
/// edges, and for a semiring without best paths.
template <class T>
[[nodiscard]] Verdict verify(MatrixView<const T> edges, const AllPairs<T>& paths, const Options& options = {},
                             const Request& request = {});
/// The same of a matrix of its own.
template <class T>
[[nodiscard]] Verdict verify(const Matrix<T>& edges, const AllPairs<T>& paths, const Options& options = {},
                             const Request& request = {}) {
  return verify(edges.view(), paths, options, request);
}

}  // namespace warpfold::paths
