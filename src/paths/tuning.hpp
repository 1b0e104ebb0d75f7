#pragma once

#include <cstddef>

namespace warpfold::paths {

/// Vertices of what an estimate solves to tell the rate; the reference is a hundred times slower.
inline constexpr std::size_t probe_vertices = 768;
inline constexpr std::size_t reference_probe_vertices = 160;

/// Of one thread: an edge or a comparison in Dijkstra's heap, and a term of the dense solve in f32 with successors.
/// Their ratio decides; 61 to 141 on two busy cores of an AMD EPYC (Zen 3), 2026-11-22 (bench/paths/from_sources.cpp).
inline constexpr double dijkstra_seconds_a_step = 1e-8;
inline constexpr double all_pairs_seconds_a_step = 1e-10;

/// Rows of 64 bytes that take up 256 others before the next rows do: 128 KiB, which stay in a core's second cache.
inline constexpr std::size_t rows_a_block = 2048;

}  // namespace warpfold::paths
