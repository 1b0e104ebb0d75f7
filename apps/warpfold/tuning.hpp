#pragma once

/// Rates for estimates of the command line's own work: bytes per second for writing files, and for JSON and its text.
/// Measured on two cores of an AMD EPYC (Zen 5), 2026-11.
namespace warpfold::app::tuning {

inline constexpr double bytes_written_per_second = 5e8;
inline constexpr double json_bytes_per_second = 1.8e8;

/// Seconds that the command line spends to start a GPU. One H100, 2026-11, without a record of the runs. Other GPUs and
/// hosts with several are not measured.
inline constexpr double gpu_start_seconds = 0.21;

}  // namespace warpfold::app::tuning
