#pragma once

#include <cstdint>
#include <span>
#include <vector>

/// Edge colorings of regular bipartite multigraphs. By König's theorem, r colors suffice for degree r.
namespace warpfold::permutation {

/// Colors the edges of a regular bipartite multigraph so that no two edges of one color share a node. Each color is
/// then a perfect matching.
///
/// Edge e joins node left[e] of one side to node right[e] of the other, both in 0 .. nodes-1. Parallel edges are
/// allowed. Every node of both sides must have the same degree r = edges / nodes. Returns the color of each edge, 0 ..
/// r-1. The result depends on `seed` only.
///
/// Raises Error{input} that names the first edge or node that breaks these rules, and Error{memory_limit} for 2^32 - 1
/// or more edges.
///
/// Cost: expected O(edges * (log r + log nodes)) time, and 20 bytes per edge besides input and result. An Euler split
/// halves an even degree. An odd degree first gives up one perfect matching, which random walks find in expected
/// O(nodes log nodes).
///
/// Sources: papers/memory-machines-2012, sections V and VI, for the use of König's theorem. Goel, Kapralov and Khanna,
/// "Perfect matchings in O(n log n) time in regular bipartite graphs" (2010), for the walks.
[[nodiscard]] std::vector<std::uint32_t> color_edges(std::span<const std::uint32_t> left,
                                                     std::span<const std::uint32_t> right, std::uint32_t nodes,
                                                     std::uint64_t seed = 1);

/// Returns whether `color` is such a coloring: every color is below edges / nodes, and each node has at most one edge
/// of each color. Cost: O(edges).
[[nodiscard]] bool is_edge_coloring(std::span<const std::uint32_t> left, std::span<const std::uint32_t> right,
                                    std::uint32_t nodes, std::span<const std::uint32_t> color);

}  // namespace warpfold::permutation
