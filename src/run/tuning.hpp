#pragma once

#include <cstddef>

/// Measured numbers, one dated row each.
namespace warpfold::cuda {

/// The bytes of a piece of a transfer. Each thread has two pieces, one on the host and one on the bus. A piece takes 20
/// microseconds on the bus, and two fit a core's second-level cache. 2026-11-22, H200 with a 16-core host:
/// docs/explanation/kernels/interval.md.
inline constexpr std::size_t staging_piece_bytes = std::size_t{1} << 20;

/// The maximum number of threads. More would wait for the bus: each copies 3 GB/s or more, the bus 56 GB/s. The same
/// runs.
inline constexpr std::size_t max_staging_threads = 16;

}  // namespace warpfold::cuda
