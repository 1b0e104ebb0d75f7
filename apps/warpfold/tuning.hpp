#pragma once

/// What the command line's own part of an estimate is told from: the bytes a second of a file that is written, and of
/// JSON and its text. Measured on two cores of an AMD EPYC (Zen 5), 2026-11.
namespace warpfold::app::tuning {

inline constexpr double bytes_written_per_second = 5e8;
inline constexpr double json_bytes_per_second = 1.8e8;

}  // namespace warpfold::app::tuning
