#pragma once

#include <cstddef>

/// Numbers that were measured, one dated row each; results/h200/ holds the runs.
namespace warpfold::interval {

/// From how many vertices on a GPU beats the CPU's "tiled", matrix on the host to structure on the host.
/// 2026-11-21, H200 with a 16-core host, f32, GPU against CPU: 512 0.78 / 0.40 ms, 1024 1.7 / 1.2, 2048 4.8 / 7.0,
/// 4096 15.2 / 31.4 (results/h200/cuda_tiled.json).
inline constexpr std::size_t cuda_gains_from = 2048;

/// The same for a batch, whose polygons need as many splits a weight as one polygon of so many vertices: below, packing
/// and sending the weights takes longer than the CPU takes to solve. An estimate of 2026-11-21, not measured.
inline constexpr std::size_t cuda_batch_gains_from = 512;

/// What an estimate solves to tell the rate: some 3 ms; larger problems run up to 1.4 times as fast.
inline constexpr std::size_t probe_vertices = 1024;

/// Hu and Shing's seconds a matrix, and Knuth's an entry, with the memory that they touch. 2026-11-22, 2 cores.
inline constexpr double hu_shing_seconds = 3e-7;
inline constexpr double knuth_seconds = 1.5e-8;
inline constexpr double tree_candidate_seconds = 1.2e-9;  ///< of "dp", which tries all keys

/// From how many tiles a side on a CPU thread's turn is a group of 2 x 2 tiles: half the traffic between the table and
/// the caches, but fewer turns. 2026-11-20, 2 cores, f32, one tile / 2 x 2: n = 2048 87 .. 97 / 95 .. 101 G splits/s,
/// 4096 82 / 106 .. 110, 8192 77 / 114 .. 118.
inline constexpr std::size_t grouped_from_tiles = 24;

/// From how many on it is a group of 4 x 4, which halves that traffic again. 2026-11-22, one core of a Zen 3 with other
/// work beside it, processor seconds at n = 8192, 2 x 2 / 4 x 4: f32 3.88 / 3.85, f64 8.4 .. 8.8 / 8.0. Simulated, 16
/// threads wait 0.8 % of the time more with 4 x 4 at n = 16384, and 3 % at 8192.
inline constexpr std::size_t large_groups_from_tiles = 128;

}  // namespace warpfold::interval
