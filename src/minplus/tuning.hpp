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

/// Terms of a sum from which a CPU's product with argmin notes among which terms a result became better, and searches
/// these in the end. 2026-11-27, one core of a Xeon under other load, processor ms for 1024 x p x 1024, all terms
/// compared / noted:
///
///     p              f32            i32            f64
///     256  AVX-512   18.2 / 19.5    15.0 / 16.4    37.7 / 34.9
///          AVX2      36.1 / 20.4    26.0 / 17.7    71.4 / 43.9
///     512  AVX-512   29.6 / 27.0    25.9 / 23.6    61.6 / 49.7
///          AVX2      66.1 / 28.5    48.1 / 26.1     127 / 67.8
inline constexpr std::size_t notes_from_terms = 512;

/// The same on a GPU. 2026-11-27, H100, 4096 x p x 4096, kernels in ms, all terms compared / noted:
///
///     p      f32            i32            i64
///     128    0.58 / 0.65    0.58 / 0.64    1.32 / 1.32
///     256    0.99 / 0.85    0.99 / 0.81    2.41 / 2.09
///     1024   3.44 / 1.98    3.44 / 1.80    8.97 / 6.74
inline constexpr std::size_t cuda_notes_from_terms = 256;

/// The terms between two comparisons fill a line of the cache. A chunk has 16, which leaves room for the best results.
/// 2026-11-27, H100, 8192^3 f32, best results in C, ms, noting + search: 16 terms 53.7 + 1.3, 32 terms 49.5 + 2.1, 64
/// terms 47.0 + 4.2. Best results in shared memory, 32 terms: 46.2 + 2.1.
inline constexpr unsigned cuda_noted_bytes = 128;

/// The columns of a row that a block searches. 2026-11-27, H100, 8192^3 f32: 256 2.5 ms, 512 2.07, 1024 1.87,
/// 4096 2.12.
inline constexpr unsigned cuda_searched_columns = 1024;

/// The number of results from which the check of the entries uses several threads. Others are not measured.
inline constexpr std::size_t results_worth_threads = std::size_t{1} << 16;

/// Terms of one launch, some 20 ms, so that a product can be stopped. 2026-11-21, H200.
inline constexpr double cuda_terms_at_once = 0x1p38;

/// Rows of a large product's parts: a GPU multiplies one while others are copied. At least so many rows of so many
/// columns, so that a part fills the multiprocessors twice, and at most so many parts. 2026-11-27, H100 with a 16-core
/// host, 8192^3 f32 from host memory, ms: 52 so, 96 in one part with checks before. Others are not measured.
inline constexpr std::size_t cuda_overlap_rows = 1024, cuda_overlap_columns = 4096, cuda_overlap_parts = 8;

/// Products of so many terms are sent as a whole before the first result is copied back, so that the entries are
/// checked on their way. A stop waits for what was sent, some 70 ms.
inline constexpr double cuda_terms_sent_at_once = 0x1p40;

/// The product that an estimate measures: its largest number of rows, columns and depth, and the terms of a batch.
inline constexpr std::size_t probe_side = 768;
inline constexpr double probe_terms = 4.5e8;
/// The reference is a hundred times slower.
inline constexpr std::size_t reference_probe_side = 160;

}  // namespace warpfold::minplus
