#pragma once

#include <cstddef>

namespace warpfold::paths {

/// Vertices of what an estimate solves to tell the rate; the reference is a hundred times slower.
inline constexpr std::size_t probe_vertices = 768;
inline constexpr std::size_t reference_probe_vertices = 160;
inline constexpr std::size_t cuda_probe_vertices = 4096;

/// From how many vertices on a GPU is taken, edges and answer on the host. 2026-11-22, H200 with a 16-core host, GPU
/// against CPU: f32 lengths 256 0.43 / 0.85 ms, 1024 3.4 / 7.4, 4096 85 / 241; or-and 0.18 / 0.55, 0.61 / 4.3, 3.9 / 23
/// (results/h200/paths_gpu_gains.json); a process that uses its GPU for the first time waits longer than the smaller
/// ones take.
inline constexpr std::size_t cuda_gains_from = 1024;

/// Rows of the edges, and of the answer, that go to and from a GPU at a time: 5 ms on the bus. Others are not measured.
inline constexpr std::size_t strip_bytes = std::size_t{1} << 28;

/// Turns of one product with the whole table on a GPU, from so many vertices on; fewer take 64, since each 64 of the
/// turns have two small products of their own. With successors more turns gain more, as what became better is searched
/// for once in all of them. 2026-11-22, H200, f32: n = 4096 with successors by 64, 256 and 512 turns 16.5, 14.8 and
/// 13.5 ms; lengths by 64 and 256 6.8 and 6.7 ms where none is negative, 7.5 and 7.8 else; n = 8192 with successors by
/// 256 and 512 78 and 71 ms, of 8 bytes 2 % more by 512.
struct Wide {
  std::size_t turns, from;
};
inline constexpr Wide wide_lengths{256, 8192};
inline constexpr Wide wide_successors{512, 4096};

/// Rounds of or-and that are started on a GPU and not finished: a few milliseconds at most up to some 60000 vertices.
inline constexpr std::size_t bit_rounds_ahead = 16;

/// Turns for which a table that does not fit into a GPU goes through it once: 2048 terms an entry take longer than the
/// way of 4 bytes there and back. 2026-11-22, H200: n = 32768 in 0.88 of the resident rate; others are not measured.
inline constexpr std::size_t widest_turns = 2048;

/// Of one thread: an edge or a comparison in Dijkstra's heap, and a term of the dense solve in f32 with successors.
/// Their ratio decides; 61 to 141 on two busy cores of an AMD EPYC (Zen 3), 2026-11-22 (bench/paths/from_sources.cpp).
inline constexpr double dijkstra_seconds_a_step = 1e-8;
inline constexpr double all_pairs_seconds_a_step = 1e-10;

/// Rows of 64 bytes that take up 256 others before the next rows do: 128 KiB, which stay in a core's second cache.
inline constexpr std::size_t rows_a_block = 2048;

}  // namespace warpfold::paths
