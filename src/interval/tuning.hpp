#pragma once

#include <cstddef>

#include "core/capability.hpp"

/// Measured numbers, one dated row each. results/h200/ holds the runs.
namespace warpfold::interval {

/// The number of vertices from which a GPU beats the CPU's "tiled", from matrix on the host to structure on the host.
/// 2026-11-21, H200 with a 16-core host, f32, GPU against CPU: 512 0.78 / 0.40 ms, 1024 1.7 / 1.2, 2048 4.8 / 7.0, 4096
/// 15.2 / 31.4 (results/h200/cuda_tiled.json). 2026-11-22, the same: 512 0.95 / 0.75 ms, 1024 2.1 / 2.5, 2048 3.3 / 6.7
/// (gains_from.json). A process that starts the GPU for it pays some 0.3 s besides.
inline constexpr std::size_t cuda_gains_from = 2048;

/// The same for a batch: its polygons need as many splits a weight as one polygon of that many vertices. Below, packing
/// and sending the weights takes longer than the CPU takes to solve. An estimate of 2026-11-21, not measured.
inline constexpr std::size_t cuda_batch_gains_from = 512;

/// The number of vertices up to which the CPU fills a table by diagonals, and up to which that table is on the stack.
/// 2026-11-28, one core of a Xeon with AVX-512, tiles against diagonals: f32 65 vertices 38.2 / 5.5 us, 96 39.0 / 12.5,
/// 128 43.7 / 24.6; f64 96 42.7 / 21.3, 128 46.5 / 48.1.
template <class T>
inline constexpr std::size_t small_vertices = sizeof(T) == 4 ? 128 : 112;
inline constexpr std::size_t small_on_stack = 64;

/// The number of vertices up to which the CPU solves polygons of a batch in the lanes of vectors. 2026-11-28, the same
/// core, by diagonals against lanes: f32 64 vertices 5.2 / 3.0 us, 128 24.2 / 16.8; f64 64 7.2 / 5.0, 112 29.8 / 19.5.
inline constexpr std::size_t lane_vertices = 128;

/// The least number of chord weights that a thread checks when a triangulation is constructed: more than starting it
/// takes. 2026-11-22, 2 cores of Zen 5, f32: one thread takes 48 to 58 ms for 8192 vertices. Other numbers are not
/// measured.
inline constexpr std::size_t weights_a_thread = std::size_t{1} << 19;

/// The vertices of the problem that an estimate solves to measure the rate: some 3 ms. Larger problems run up to 1.4
/// times as fast.
inline constexpr std::size_t probe_vertices = 1024;
inline constexpr std::size_t reference_probe_vertices = 256;

/// Seconds of Hu and Shing's algorithm a matrix, and of Knuth's an entry, with the memory that they touch. 2026-11-22,
/// 2 cores.
inline constexpr double hu_shing_seconds = 3e-7;
inline constexpr double small_chain_seconds = 1e-6;  ///< seconds of a complete chain on the stack
inline constexpr double knuth_seconds = 1.5e-8;
inline constexpr double tree_candidate_seconds = 1.2e-9;  ///< seconds of "dp", which tries all keys

/// The rates of `predict`, f32 not negative, fitted to runs of up to max_workers and max_points. 2026-11-23. GPU: two
/// H200, 262144 points in 101 s, and the time of 4096 to 32768 points beyond that rate (results/h200-x2). Thread: two
/// ranks with one thread each on two shared cores (Zen 3), 8192 points in 10 s
/// (results/epyc-2core-avx2/app_reach.json).
struct WorkerRate {
  double splits_per_second;
  /// Seconds for each point of the tiles from the diagonal to the root, which wait for each other.
  double path_seconds_a_point;
  double max_workers;
  std::size_t max_points;
};
inline constexpr WorkerRate gpu_rate{14.84e12, 3e-7, 2, 294912};
inline constexpr WorkerRate thread_rate{4.8e9, 4.3e-5, 2, 8192};

/// How a GPU of any capability searches a structure (structure.cuh). 2026-11-21, H200:
/// docs/explanation/kernels/interval.md.
inline constexpr int search_threads = 512;
inline constexpr unsigned short_interval = 64;  ///< shorter intervals are left to the second kernel
inline constexpr int short_threads = 64;        ///< threads of a block with a short interval: all copy, one warp walks
inline constexpr unsigned near_splits = 32;     ///< a guess is the best of this many splits at each end
inline constexpr unsigned min_guesses = 64;     ///< the minimum length of a chain's guesses
inline constexpr unsigned max_guesses = 1024;

/// How it depends on the shared memory of a block: how far a window reaches before it is read anew, and up to how many
/// vertices one warp walks through a copy of the table.
struct SearchPolicy {
  unsigned window_steps;
  unsigned max_short_vertices;
  std::size_t shared_bytes;  ///< maximum shared memory of a block
};
template <std::size_t ValueBytes>
inline constexpr SearchPolicy wide_search{64, 128, ValueBytes == 4 ? 77 * 1024 : 131 * 1024};
inline constexpr SearchPolicy narrow_search{32, 96, 75 * 1024};  ///< for 8-byte values; not measured on such GPUs

/// Whether some GPU has no room for the wide search.
template <std::size_t ValueBytes>
inline constexpr bool needs_narrow_search =
    wide_search<ValueBytes>.shared_bytes > warpfold::cuda::min_shared_bytes_of_block;

template <std::size_t ValueBytes>
[[nodiscard]] constexpr SearchPolicy search_policy(std::size_t shared_bytes_of_block) {
  const bool wide = !needs_narrow_search<ValueBytes> || shared_bytes_of_block >= wide_search<ValueBytes>.shared_bytes;
  return wide ? wide_search<ValueBytes> : narrow_search;
}

}  // namespace warpfold::interval
