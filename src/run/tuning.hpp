#pragma once

#include <cstddef>

/// Measured numbers, one dated row each.
namespace warpfold::cuda {

/// The bytes of a piece of a transfer. Each thread has two pieces, one on the host and one on the bus. A piece takes 20
/// microseconds on the bus, and two fit a core's second-level cache. 2026-11-22, H200 with a 16-core host:
/// docs/explanation/kernels/interval.md. 2026-11-27, H100 with a 16-core host, 8192 x 8192 f32, all of it / right of
/// the diagonal, ms: 512 KiB 8.7 / 7.1, 1 MiB 6.9 / 4.1, 2 MiB 6.1 / 3.7. But 2 MiB pin 64 MiB of memory, which are not
/// kept for the next transfer beside other pieces: a product then takes 104 ms instead of 52.
inline constexpr std::size_t staging_piece_bytes = std::size_t{1} << 20;

/// The maximum number of threads. More would wait for the bus: each copies 3 GB/s or more, the bus 56 GB/s. The same
/// runs.
inline constexpr std::size_t max_staging_threads = 16;

}  // namespace warpfold::cuda
