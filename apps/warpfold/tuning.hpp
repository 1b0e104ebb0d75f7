#pragma once

/// Rates for estimates of the command line's own work: bytes per second for writing files, and for JSON and its text.
/// Measured on two cores of an AMD EPYC (Zen 5), 2026-11.
namespace warpfold::app::tuning {

inline constexpr double bytes_written_per_second = 5e8;
inline constexpr double json_bytes_per_second = 1.8e8;

/// Seconds that the command line spends to start a GPU: a chain of 6 matrices on one H100 less that on the CPU, median
/// of 5 runs in turns, 2026-11-27. It was 0.21 on another H100. Hosts with several GPUs are not measured.
inline constexpr double gpu_start_seconds = 0.33;

}  // namespace warpfold::app::tuning
