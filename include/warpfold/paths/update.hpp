#pragma once

#include <span>
#include <type_traits>

#include "warpfold/paths/all_pairs.hpp"

/// Changes of a graph whose best paths are known. Each takes O(n^2) operations, instead of n^3 for a new solve.
///
/// The result is that of a new solve: lengths of integers are equal, and floats are rounded in another order. Of
/// equally good paths the successors may follow a different one. Every path ends, and its length is correct, for floats
/// up to rounding. `AllPairs::path` reports where rounding of negative lengths has made a cycle.
namespace warpfold::paths {

/// Adds an edge from i to j of the given length to the existing ones: D(x,y) = plus(D(x,y), D(x,i) length D(j,y)). In
/// (min,+) this is the same as lowering the edge. An edge that is no shorter than the path from i to j changes nothing.
///
/// The length must be one that `all_pairs` accepts for n vertices. In (min,+) and (max,+) the sums that it makes must
/// be such, too.
///
/// Raises Error{infeasible} if the edge closes a cycle that improves without end, Error{usage} for a vertex that does
/// not exist, and what `all_pairs` raises. After an error `paths` is unchanged.
template <class T>
void add_edge(AllPairs<T>& paths, std::size_t i, std::size_t j, T length, const Request& request = {});

/// Adds a vertex n. to[i] is the edge from vertex i to it, and from[j] is the edge from it to vertex j. zero() of the
/// semiring means no edge. Raises Error{usage} for lists whose length is not n, and what `add_edge` raises. After an
/// error `paths` is unchanged.
template <class T>
void add_vertex(AllPairs<T>& paths, std::span<const std::type_identity_t<T>> to,
                std::span<const std::type_identity_t<T>> from, const Request& request = {});

}  // namespace warpfold::paths
