#pragma once

#include <span>
#include <type_traits>

#include "warpfold/paths/all_pairs.hpp"

/// Changes of a graph whose best paths are known: O(n^2) operations each, not n^3. What they change is right afterwards
/// as that of a new solve: integers are equal to its lengths; floats are rounded in another order. Of several
/// paths as good the successors may follow another one than a new solve's; every walk ends and adds up. Those of floats
/// add up to rounding, and `AllPairs::path` says where rounded lengths below 0 have made a cycle.
namespace warpfold::paths {

/// An edge from i to j of that length, beside those that there are: D(x,y) = plus(D(x,y), D(x,i) length D(j,y)). In
/// (min,+) it is as good as lowering the edge; one that is no shorter than the way from i to j changes nothing.
///
/// The length, and in (min,+) and (max,+) the sums that it makes, have to be such as `all_pairs` accepts of n vertices.
/// Raises Error{infeasible} where the edge closes a cycle that improves without end, Error{usage} for a vertex that
/// there is not, else what `all_pairs` raises; `paths` is then as it was.
template <class T>
void add_edge(AllPairs<T>& paths, std::size_t i, std::size_t j, T length, const Request& request = {});

/// A vertex n more, with the edges to[i] from each vertex i to it and from[j] from it to each vertex j, zero() of the
/// semiring where there is none. Raises Error{usage} for lists of another length than n, else what `add_edge` raises;
/// `paths` is then as it was.
template <class T>
void add_vertex(AllPairs<T>& paths, std::span<const std::type_identity_t<T>> to,
                std::span<const std::type_identity_t<T>> from, const Request& request = {});

}  // namespace warpfold::paths
