#pragma once

#include <cstddef>

/// Numbers that were measured, one dated row each; results/h200/ holds the runs.
namespace warpfold::minplus {

/// The number of terms (m * p * n, over a whole batch) from which a GPU beats the CPU, with matrices on the host in
/// both cases. Copies and allocations dominate a smaller product's time.
///
/// GPU against CPU in ms, H200 with a 16-core host, 2026-11-21 (results/h200/minplus_cuda.json):
///
///     f32   512 1.6 / 1.7   1024 4.8 / 4.5   2048 17.2 / 22.8
///     i16   768 1.4 / 1.5   1024 1.8 / 1.8
///
/// The same for f32, 2026-11-22 (results/h200/gains_from.json):
///
///     f32   512 1.3 / 2.6   1024 2.9 / 5.2   2048 5.7 / 27
///
/// A started GPU pays off from smaller sizes on, but its start takes a process some 0.3 s.
inline constexpr double cuda_gains_from_terms = 2048.0 * 2048 * 2048;

/// Tiles along a side of the part of C that one CPU thread works on at a time. Each tile of A or B that is read from
/// memory serves that many products. C and the operands of two steps stay in the second level of cache (1 MiB on Zen
/// 5). 2026-11-20, 2 cores; chosen by that size, others are not measured.
[[nodiscard]] constexpr std::size_t group_of(std::size_t value_bytes) { return value_bytes <= 4 ? 4 : 2; }

/// The number of results from which the check of the entries uses several threads. Others are not measured.
inline constexpr std::size_t results_worth_threads = std::size_t{1} << 16;

/// Terms of one launch, some 20 ms, so that a product can be stopped. 2026-11-21, H200.
inline constexpr double cuda_terms_at_once = 0x1p38;

/// The product that an estimate measures: its largest number of rows, columns and depth, and the terms of a batch.
inline constexpr std::size_t probe_side = 768;
inline constexpr double probe_terms = 4.5e8;
/// The reference is a hundred times slower.
inline constexpr std::size_t reference_probe_side = 160;

}  // namespace warpfold::minplus
