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

/// Shortest paths between all pairs of vertices, and what else the same three loops find.
namespace warpfold::paths {

using minplus::Semiring;

/// What messages call a vertex; null: its number.
using NameOf = std::function<std::string(std::size_t)>;

/// What is asked of a graph besides its lengths.
struct Request {
  Semiring semiring = Semiring::min_plus;  ///< one that chooses, or-and of u8; (max,+) for graphs without cycles
  bool successors = true;
  NameOf name = nullptr;
};

/// The largest |length| that T accepts in graphs of n vertices where lengths are added: no path's sum passes what T
/// adds up.
template <class T>
[[nodiscard]] constexpr T max_length(std::size_t n) {
  return static_cast<T>(static_cast<long double>(minplus::largest_factor<T>) /
                        static_cast<long double>(n < 2 ? 1 : n - 1));
}

/// A successor where there is no path.
inline constexpr std::uint32_t no_vertex = std::numeric_limits<std::uint32_t>::max();

/// The best paths of a graph of n vertices.
template <class T>
struct AllPairs {
  Matrix<T> lengths;  ///< [i][j]; zero() of the semiring where there is no path, one() or better from i to i
  Matrix<std::uint32_t> successors;  ///< [i][j]: the vertex after i on the path to j, i itself where j is; else empty

  /// The vertices of the path, both ends included; empty where there is none. It ends for integers and for floats
  /// of 0 or more. Raises Error{infeasible} where rounded lengths below 0 have made a cycle of successors, Error{usage}
  /// for a vertex that there is not, and without successors.
  [[nodiscard]] std::vector<std::uint32_t> path(std::size_t from, std::size_t to, const NameOf& name = nullptr) const;
};

/// The best paths between all pairs of vertices of a graph, by the recurrence of Floyd and Warshall:
///
///     D(i,j) = plus(edge(i,j), one() where i = j)
///     for k = 0, 1, ..:  D(i,j) = plus(D(i,j), times(D(i,k), D(k,j)))
///
/// in (min,+) the shortest, in (min,max) those of the least longest edge, in (max,min) the widest, in or-and any.
/// `edges` is n x n, entry (i,j) the edge from i to j, zero() (infinity<T> in (min,+)) for none: an edge of length 0 is
/// one. n^3 operations, in or-and n^3 / 256 of words; about n^2 values twice, and as many indices for successors.
///
/// Values and successors are, bit for bit, those of three loops with k outermost that change an entry where the new one
/// is strictly better: whatever the algorithm, the instruction set and the threads. So a path takes the first middle
/// vertex of several as good; that it has the fewest edges is not promised. T is int32_t, int64_t, float or double, in
/// or-and uint8_t.
///
/// Raises Error{infeasible} that names a cycle that improves without end (of negative length in (min,+)), Error{input}
/// for NaN, for the infinity that is no "no edge", for integers beyond either and in or-and for more than 1,
/// Error{overflow} for a length beyond `max_length`, Error{usage} for a matrix that is not square and a semiring that
/// T does not have, Error{time_limit}, Error{memory_limit} and Error{cancelled} as the options ask.
template <class T>
[[nodiscard]] Outcome<AllPairs<T>> all_pairs(MatrixView<const T> edges, const Options& options = {},
                                             const Request& request = {});
/// The same of a matrix of its own.
template <class T>
[[nodiscard]] Outcome<AllPairs<T>> all_pairs(const Matrix<T>& edges, const Options& options = {},
                                             const Request& request = {}) {
  return all_pairs(edges.view(), options, request);
}

/// What a graph of n vertices would take.
template <class T>
[[nodiscard]] Estimate estimate(std::size_t n, const Options& options = {}, const Request& request = {});

/// The algorithms of this build, to be forced by Options::algorithm.
[[nodiscard]] std::vector<AlgorithmInfo> algorithms();

}  // namespace warpfold::paths
