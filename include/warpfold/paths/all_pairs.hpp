#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "warpfold/core/matrix.hpp"
#include "warpfold/minplus/multiply.hpp"
#include "warpfold/run/estimate.hpp"
#include "warpfold/run/run.hpp"

/// Best paths between all pairs of vertices, by the recurrence of Floyd and Warshall.
namespace warpfold::paths {

using minplus::Semiring;

/// Returns the name of a vertex for messages. Null: its number is used.
using NameOf = std::function<std::string(std::size_t)>;

/// The options of a problem besides the lengths of its graph.
struct Request {
  Semiring semiring = Semiring::min_plus;  ///< a selective one; or-and for u8; (max,+) for graphs without cycles
  bool successors = true;
  NameOf name = nullptr;
};

/// Returns the largest |length| that T accepts in graphs of n vertices if lengths are added. Then no path's sum
/// overflows.
template <class T>
[[nodiscard]] constexpr T max_length(std::size_t n) {
  return static_cast<T>(static_cast<long double>(minplus::largest_factor<T>) /
                        static_cast<long double>(n < 2 ? 1 : n - 1));
}

/// The successor of a pair without a path.
inline constexpr std::uint32_t no_vertex = std::numeric_limits<std::uint32_t>::max();

/// The best paths of a graph of n vertices.
template <class T>
struct AllPairs {
  Matrix<T> lengths;  ///< [i][j]: zero() of the semiring if there is no path; one() or better from i to i
  /// [i][j]: the vertex after i on the path to j, or i itself if i = j; empty if not requested
  Matrix<std::uint32_t> successors;

  /// Returns the vertices of the path, both ends included, or nothing if there is no path.
  ///
  /// Raises Error{usage} for a vertex that does not exist, and if there are no successors. Raises Error{infeasible} if
  /// rounding of negative lengths has made a cycle of successors. That cannot happen for integers, or for floats of 0
  /// or more.
  [[nodiscard]] std::vector<std::uint32_t> path(std::size_t from, std::size_t to, const NameOf& name = nullptr) const;
};

/// Returns the best paths between all pairs of vertices, by the recurrence of Floyd and Warshall:
///
///     D(i,j) = plus(edge(i,j), one() if i = j)
///     for k = 0, 1, ..:  D(i,j) = plus(D(i,j), times(D(i,k), D(k,j)))
///
/// In (min,+) these are the shortest paths, in (min,max) those with the smallest longest edge, in (max,min) the widest
/// ones. In or-and they are any paths.
///
/// `edges` is n x n. Entry (i,j) is the edge from i to j, or zero() (infinity<T> in (min,+)) if there is none. An edge
/// of length 0 is an edge. T is int32_t, int64_t, float or double, or uint8_t for or-and.
///
/// Values and successors equal, bit for bit, those of three loops with k outermost that change an entry if the new one
/// is strictly better. This holds for every algorithm, instruction set and number of threads. So of equally good paths
/// the one with the first intermediate vertex is taken. It need not have the fewest edges.
///
/// Errors:
///
/// * Error{infeasible} that names a cycle that improves without end; in (min,+) a cycle of negative length.
/// * Error{input} for NaN, for the infinity that is not "no edge", for integers beyond either infinity, and in or-and
///   for entries above 1.
/// * Error{overflow} for a length beyond `max_length`.
/// * Error{usage} for a matrix that is not square, and for a semiring that T does not have.
/// * Error{device}, Error{time_limit}, Error{memory_limit} and Error{cancelled} according to the options.
///
/// Cost: n^3 operations, or n^3 / 256 operations on words in or-and. About 2 n^2 values, and with successors 2 n^2
/// indices and up to 3,300 n values.
template <class T>
[[nodiscard]] Outcome<AllPairs<T>> all_pairs(MatrixView<const T> edges, const Options& options = {},
                                             const Request& request = {});
/// Returns the best paths for a matrix that owns its entries.
template <class T>
[[nodiscard]] Outcome<AllPairs<T>> all_pairs(const Matrix<T>& edges, const Options& options = {},
                                             const Request& request = {}) {
  return all_pairs(edges.view(), options, request);
}

/// Returns the time and memory that `all_pairs` would take for n vertices.
template <class T>
[[nodiscard]] Estimate estimate(std::size_t n, const Options& options = {}, const Request& request = {});

/// Returns the bytes of that estimate. Unlike `estimate` it measures no time.
template <class T>
[[nodiscard]] std::size_t estimate_bytes(std::size_t n, const Options& options = {}, const Request& request = {});

/// Returns the algorithms of this build. Options::algorithm accepts their names.
[[nodiscard]] std::vector<AlgorithmInfo> algorithms();

}  // namespace warpfold::paths
