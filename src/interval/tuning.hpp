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
inline constexpr double small_chain_seconds = 1e-6;  ///< of a whole one on the stack
inline constexpr double knuth_seconds = 1.5e-8;
inline constexpr double tree_candidate_seconds = 1.2e-9;  ///< of "dp", which tries all keys

}  // namespace warpfold::interval
