#pragma once

#include <cstddef>

#include "core/capability.hpp"

/// Measured numbers, one dated row each.
namespace warpfold::tiles {

/// The tiles along a side from which a CPU thread's turn is a group of 2 x 2 tiles. It halves the traffic between the
/// table and the caches but leaves fewer turns. 2026-11-20, 2 cores, f32, one tile / 2 x 2: n = 2048 87 .. 97 / 95 ..
/// 101 G splits/s, 4096 82 / 106 .. 110, 8192 77 / 114 .. 118.
inline constexpr std::size_t grouped_from_tiles = 24;

/// The tiles along a side from which the group is 4 x 4 tiles, which halves that traffic again. 2026-11-22, one core of
/// a Zen 3 with other load, processor seconds at n = 8192, 2 x 2 / 4 x 4: f32 3.88 / 3.85, f64 8.4 .. 8.8 / 8.0. In a
/// simulation, 16 threads wait 0.8 % of the time more with 4 x 4 at n = 16384, and 3 % at 8192.
inline constexpr std::size_t large_groups_from_tiles = 128;

/// Terms after which a CPU's product with argmin compares its results with those before. 2026-11-27, one core of a Xeon
/// with AVX-512 under other load, operands in the second level of cache: with 32 terms a product of tiles takes 1.09
/// times one without argmin, and the search 4 (f32) or 6 ns (f64) a result. On a Zen 4 64 terms took i32 with argmin
/// from 1.65 products to 1.49 (n = 2048), left f32 and f64 as they were, and took successors of f64 from 1.57 to 1.73.
inline constexpr std::size_t noted_terms = 32;

/// Results between the one that a CPU searches and the one whose terms it prefetches. 2026-11-27, one core of a Zen 4
/// with other load, all pairs with successors of f32, n = 2048, in products: 8 1.56, 20 1.51. Others are not measured.
inline constexpr std::size_t searched_ahead = 20;

/// Threads that copy super-tiles from a GPU to the host's table, whose pages are then touched for the first time.
/// 2026-11-23, H200 with a host of 32 cores, n = 32768 with a checkpoint: 0.724 s with one thread, 0.423 with 2, 0.421
/// with 4, 0.427 with 8; 0.407 without a checkpoint. At 65536 3.23 with any number, 3.20 without.
inline constexpr int max_fetching_threads = 4;

/// Whether a GPU fills a table of so many tiles along a side with one block of several teams on each multiprocessor,
/// instead of several blocks that run ahead of each other. 2026-11-28, H200 (132 multiprocessors), ms with three blocks
/// and with three teams, f32 not negative: n = 1024 0.398 and 0.349, 2048 1.00 and 0.707, 4096 2.33 and 1.51, 8192 7.94
/// and 8.15; f32 8192 9.17 and 8.98, i32 8.94 and 7.87. Other GPUs are not measured.
[[nodiscard]] constexpr bool teams_gain(std::size_t tiles, std::size_t processors) {
  return tiles * tiles <= 64 * processors;
}

/// Terms of k in a chunk of a tile product. A GPU block has two or three chunks in shared memory. Deep chunks of 4-byte
/// values need half the barriers. But a multiprocessor needs 228 KB to hold the three blocks that its registers have
/// room for. 2026-11-21, H200, n = 32768: 32 deep, 3 blocks 13.3 T/s, 16 deep, 4 blocks 12.6
/// (docs/explanation/kernels/interval.md). Not measured on GPUs with less shared memory.
[[nodiscard]] constexpr int deepest_chunk(std::size_t value_bytes) { return value_bytes == 4 ? 32 : 16; }
[[nodiscard]] constexpr int chunk_depth(std::size_t value_bytes, int capability) {
  return warpfold::cuda::shared_bytes_of_processor(capability) >= 228 * 1024 ? deepest_chunk(value_bytes) : 16;
}

}  // namespace warpfold::tiles
