#pragma once

#include <cstddef>

/// Every tuned number of this family. Measured 2026-11 on 2 cores of an AMD EPYC (Zen 5, AVX-512).
namespace warpfold::recurrence::tuning {

/// Outputs, and offsets, of one tile of `blocks` in bytes of values: a tile's outputs and its window of older values
/// (three times this together) stay in a 48 KiB first-level cache.
inline constexpr std::size_t tile_bytes = 8192;

/// Outputs that `blocks` finishes one after the other.
inline constexpr std::size_t close_outputs = 64;

/// With fewer terms of one residue in a tile, shifting the window costs more than unaligned loads do.
inline constexpr std::size_t worth_a_shift = 4;

/// Candidates from which an accumulation is worth waking the other threads.
inline constexpr double worth_threads = 4e5;

}  // namespace warpfold::recurrence::tuning
