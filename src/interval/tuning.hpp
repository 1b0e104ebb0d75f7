#pragma once

#include <cstddef>

/// Numbers that were measured, one dated row each; results/h200/ holds the runs.
namespace warpfold::interval {

/// From how many vertices on a GPU beats the CPU's "tiled", matrix on the host to structure on the host.
/// 2026-11-20, H200 with a 16-core host: an estimate, not yet a measurement: the upload alone takes as long as the CPU
/// below 1500.
inline constexpr std::size_t cuda_gains_from = 2048;

}  // namespace warpfold::interval
