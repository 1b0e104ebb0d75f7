#pragma once

#include <cstddef>

/// Numbers that were measured, one dated row each.
namespace warpfold::cuda {

/// A caller's matrix goes to a device in pieces, two a thread, one at the host and one on the bus: 20 microseconds
/// there, and two stay in a core's second level of cache. 2026-11-22, H200 with a 16-core host:
/// docs/explanation/kernels/interval.md.
inline constexpr std::size_t staging_piece_bytes = std::size_t{1} << 20;

/// More threads than these wait for the bus: each copies 3 GB/s or more, the bus takes 56. The same runs.
inline constexpr std::size_t max_staging_threads = 16;

}  // namespace warpfold::cuda
