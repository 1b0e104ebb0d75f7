#pragma once

#include <cstdint>
#include <span>
#include <vector>

/// König's theorem as a program: a regular bipartite multigraph of degree r has an edge colouring with r colours.
namespace warpfold::permutation {

/// Colours the edges of a regular bipartite multigraph so that no two edges of one colour share a node. Edge e joins
/// node left[e] of one side to node right[e] of the other, both in 0 .. nodes-1; parallel edges are allowed, and every
/// node of both sides has the same degree r = edges / nodes. Each colour 0 .. r-1 is then a perfect matching.
///
/// Even degrees are halved by an Euler split, odd ones give up one perfect matching first, found by random walks in
/// expected O(nodes log nodes). In all: expected O(edges * (log r + log nodes)) time, 20 bytes an edge besides input
/// and result. Deterministic for a given `seed`.
///
/// Raises Error{input} naming the first edge or node that breaks these rules.
///
/// Source: König's theorem as used by papers/memory-machines-2012, sections V and VI; the walks are those of Goel,
/// Kapralov and Khanna, "Perfect matchings in O(n log n) time in regular bipartite graphs" (2010).
[[nodiscard]] std::vector<std::uint32_t> colour_edges(std::span<const std::uint32_t> left,
                                                      std::span<const std::uint32_t> right, std::uint32_t nodes,
                                                      std::uint64_t seed = 1);

/// Whether `colour` is such a colouring: every colour below edges / nodes, and at most one edge of each colour at each
/// node. O(edges).
[[nodiscard]] bool is_edge_colouring(std::span<const std::uint32_t> left, std::span<const std::uint32_t> right,
                                     std::uint32_t nodes, std::span<const std::uint32_t> colour);

}  // namespace warpfold::permutation
