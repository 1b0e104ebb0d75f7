#pragma once

#include <cstddef>
#include <cstdint>

/// The tuned numbers of this family. Measured 2026-11 on 2 cores of an AMD EPYC (Zen 5, AVX-512).
namespace warpfold::recurrence::tuning {

/// Outputs, and offsets, of one tile of `blocks`, in bytes of values. A tile's outputs and its window of older values
/// (three times this together) stay in a 48 KiB first-level cache.
inline constexpr std::size_t tile_bytes = 8192;

/// The number of outputs that `blocks` finishes one after another.
inline constexpr std::size_t close_outputs = 64;

/// The number of terms of one residue in a tile from which shifting the window is cheaper than unaligned loads.
inline constexpr std::size_t worth_a_shift = 4;

/// The number of candidates from which an accumulation uses several threads.
inline constexpr double worth_threads = 4e5;

/// The number of coins from which a table of the fewest is faster by `blocks` than amount by amount.
inline constexpr std::size_t worth_blocks = 48;

// Seconds for estimates, and for the choice by estimate (results/epyc-2core). 2026-11-22.

inline constexpr double reference_seconds = 1e-9;  ///< for each candidate
inline constexpr double reference_modulo_seconds = 3e-9;
inline constexpr double runs_seconds = 8e-9;  ///< for each value, and for each run
inline constexpr double seconds_a_run = 3e-9;
inline constexpr double spread_seconds = 12e-9;  ///< for each value
inline constexpr double spread_step_seconds = 5e-10;
inline constexpr double early_exit_seconds = 20e-9;  ///< for each value
inline constexpr double sum_candidate_seconds = 8e-11;
inline constexpr double candidate_byte_seconds = 5e-12;  ///< of `blocks`, for each byte of the type
inline constexpr double close_seconds = 40e-9;  ///< for each value, and for each term that its last outputs wait for
inline constexpr double close_term_seconds = 5e-10;
/// Seconds of the fastest algorithm on the CPU from which a GPU is used.
inline constexpr double worth_a_gpu_seconds = 0.02;
inline constexpr double gpu_start_seconds = 0.01;
inline constexpr double gpu_candidate_seconds = 5e-13;

/// Beyond it, steps across the table miss the caches.
inline constexpr std::size_t cached_bytes = std::size_t{12} << 20;
inline constexpr double bytes_touched_per_second = 3e9;  ///< for memory that is touched for the first time
inline constexpr double residue_seconds = 2.8e-9;
inline constexpr double far_residue_seconds = 2e-8;
inline constexpr double amount_seconds = 2e-9;  ///< of the coins' table: for each amount, and for each coin and amount
inline constexpr double coin_seconds = 6e-10;
inline constexpr double stock_step_seconds = 8e-9;
inline constexpr double ways_seconds = 4e-9;  ///< of ways: for each coin and amount, and for each limb
inline constexpr double limb_seconds = 2e-9;
inline constexpr double ways_modulo_seconds = 3e-9;

// On a GPU (NVIDIA H200).

/// The granule of offsets whose first term the device can look up. Every chunk is a multiple of it.
inline constexpr int granule = 256;

/// The number of outputs that one thread block finishes, one per thread.
inline constexpr int gpu_close_outputs = 1024;

/// Threads of an accumulating block. Each holds 1, 4 or 8 outputs: 4 and 8 from these numbers of outputs of a launch
/// on.
inline constexpr int gpu_threads = 256;
inline constexpr int gpu_middle_outputs = 8192;
inline constexpr int gpu_wide_outputs = 65536;

/// Candidates of a launch, some 30 ms, so that a stop is answered soon; and its minimum number of outputs.
inline constexpr double gpu_candidates_at_once = 2e11;
inline constexpr std::int64_t gpu_least_outputs_at_once = 65536;

/// The number of blocks that a launch aims at by dividing the chunks of offsets.
inline constexpr unsigned gpu_blocks = 2048;

}  // namespace warpfold::recurrence::tuning
