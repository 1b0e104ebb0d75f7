#pragma once

#include <cstddef>

/// The tuned numbers of "sparse". Measured on two cores of an AMD EPYC (Zen 3) in November 2026; see
/// docs/explanation/kernels/polygon.md.
namespace warpfold::interval::sparse::tuning {

/// The side of a block, in tiles. Small blocks leave more that may begin, large ones read each tile fewer times.
inline constexpr std::size_t block_rows = 8;
inline constexpr std::size_t max_blocks = 800;  ///< along a side
/// Steps that are listed and prefetched before they are applied: 16 KB of tiles.
inline constexpr std::size_t steps_at_once = 64;

/// The costs for estimates, in steps: finishing a tile, and storing a pair.
inline constexpr double steps_per_tile = 80;
inline constexpr double steps_per_pair = 1;
inline constexpr std::size_t sampled_rows = 32;     ///< rows whose steps are counted
inline constexpr std::size_t probe_vertices = 400;  ///< vertices of the probe, all visible from each other: some 4 ms

}  // namespace warpfold::interval::sparse::tuning
