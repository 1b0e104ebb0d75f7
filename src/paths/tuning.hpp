#pragma once

#include <array>
#include <cstddef>

namespace warpfold::paths {

/// The number of vertices of the graph that an estimate solves to measure the rate. The reference is a hundred times
/// slower.
inline constexpr std::size_t probe_vertices = 768;
inline constexpr std::size_t reference_probe_vertices = 160;
inline constexpr std::size_t cuda_probe_vertices = 4096;

/// The number of vertices from which a GPU is used, with edges and result on the host. GPU against CPU in ms, H200 with
/// a 16-core host, 2026-11-22 (results/h200/paths_gpu_gains.json):
///
///     f32     256 0.43 / 0.85   1024 3.4 / 7.4    4096 85 / 241
///     or-and  256 0.18 / 0.55   1024 0.61 / 4.3   4096 3.9 / 23
///
/// The first use of a GPU in a process takes longer than the smaller of these times.
inline constexpr std::size_t cuda_gains_from = 1024;

/// Rows of the edges and of the result per transfer to or from a GPU: 5 ms on the bus. Others are not measured.
inline constexpr std::size_t strip_bytes = std::size_t{1} << 28;

/// The number of turns in one product with the whole table on a GPU, from that many vertices on. Smaller tables take
/// 64, because each 64 turns need a small product of their own.
///
/// Times in ms by turns, H200, f32, without and with lengths below 0. Up to `ahead_up_to` vertices the next turns are
/// taken while a product runs (n = 16384: lengths 306 and 303, with successors 367 and 361 without and with that).
///
///     n = 4096, lengths           64 6.78 / 7.51   128 6.41 / 6.96   256 6.36 / 7.37
///     n = 8192, lengths          256 38.1 / 44.6   512 38.9 / 45.4
///     n = 2048, lengths           64 1.38 / 1.53   128 1.77 / 2.06
///     n = 2048, with successors   64 2.31   128 1.94   256 1.91
///     n = 4096, with successors  128 7.97   256 7.64   512 8.27
///     n = 8192, with successors  256 49.5 / 57.1   512 49.0 / 56.6   1024 52.3 / 60.6
struct Wide {
  std::size_t turns, from;
};
inline constexpr std::array<Wide, 2> wide_lengths = {{{128, 4096}, {256, 8192}}};
inline constexpr std::array<Wide, 2> wide_successors = {{{256, 2048}, {512, 8192}}};

/// The largest side of a table whose next turns a GPU takes while a product runs.
inline constexpr std::size_t ahead_up_to = 16384;

/// The turns on a GPU after which every entry that they improved is searched for its successor. The search needs the
/// lines of these turns, 20 bytes for each turn and vertex. Up to `searched_once_up_to` vertices there is one search:
/// 49.9 and 55.5 ms instead of 51.3 and 57.0 at n = 8192.
inline constexpr std::size_t searched_turns = 4096;
inline constexpr std::size_t searched_once_up_to = 8192;

/// The columns that are searched in one go on a GPU: their lines stay in its second-level cache.
inline constexpr std::size_t searched_columns = 1024;

/// The largest number of rounds of or-and in flight on a GPU: at most a few milliseconds up to some 60000 vertices.
inline constexpr std::size_t bit_rounds_ahead = 16;

/// The number of turns for which a table that does not fit into a GPU passes through it once. With 2048 terms per entry
/// the arithmetic takes longer than the transfer of 4 bytes both ways. Measured 2026-11-22 on an H200: n = 32768 at
/// 0.88 of the in-core rate. Others are not measured.
inline constexpr std::size_t widest_turns = 2048;

/// The seconds of one thread for an edge or a comparison in Dijkstra's heap, and for a term of the dense solve in f32
/// with successors. Their ratio decides. It was 61 to 141 on two busy cores of an AMD EPYC (Zen 3), 2026-11-22
/// (bench/paths/from_sources.cpp).
inline constexpr double dijkstra_seconds_a_step = 1e-8;
inline constexpr double all_pairs_seconds_a_step = 1e-10;

/// The passes over all edges that a search by a queue is taken to need. Not measured: road networks need a few, and the
/// worst graphs n.
inline constexpr double queue_passes = 16;

/// The number of rows of 64 bytes that are updated by 256 others before the next rows are: 128 KiB, which stay in a
/// core's second-level cache.
inline constexpr std::size_t rows_a_block = 2048;

/// Rounds after which a CPU searches every entry that they improved for its successor. The search needs the lines of
/// these rounds. All pairs in products of the same run, processor time of one core of a Zen 4 under other load,
/// 2026-11-27, n = 2048, by the rounds of 4-byte and 8-byte values:
///
///     f32   4 1.76   16 1.56   32 1.62
///     f64   2 1.83    8 1.56   16 1.59
template <class T>
inline constexpr std::size_t searched_rounds = 64 / sizeof(T);

/// The rows of tiles that are searched together, because they read the same rows of the rounds. In the same run f32
/// took 1.58 products with two and 1.56 with four.
inline constexpr std::size_t searched_rows = 4;

}  // namespace warpfold::paths
