#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "knapsack/cells.hpp"
#include "knapsack/kernels.hpp"
#include "sequence/align/strips/kernel.hpp"
#include "sequence/slices/ceiling.hpp"
#include "sequence/warp/strips/kernel.hpp"
#include "timing/measure.hpp"
#include "warpfold/minplus/ceiling.hpp"
#include "warpfold/minplus/cuda.hpp"
#include "warpfold/run/devices.hpp"
#include "warpfold/run/team.hpp"

/// The ceilings of the benchmarks: results per second that the device reaches in registers or, for knapsacks, in the
/// first-level cache.
namespace warpfold::timing {

/// (min,+) results of all GPUs of the device together, measured one after the other.
template <class T>
double ceiling_of_gpus(const Device& asked) {
  const Device gpus = find_gpus(asked);
  double ceiling = minplus::cuda::measure_ceiling<T>(gpus.index);
  for (const int index : gpus.more) ceiling += minplus::cuda::measure_ceiling<T>(index);
  return ceiling;
}

/// (min,+) results of the device of these options. `automatic` means the CPU.
template <class T>
double ceiling_of(const Options& options) {
  if (options.device.kind == Device::Kind::cuda) return ceiling_of_gpus<T>(options.device);
  return minplus::measure_ceiling<T>(thread_count(options.threads));
}

/// Cells of a loop that each of `threads` threads runs. `loop` returns its cells and a result.
template <class Loop>
double ceiling_of_loops(int threads, const Loop& loop) {
  std::vector<decltype(loop())> loops(static_cast<std::size_t>(threads));
  const auto timing =
      measure(9, [&] { parallel(threads, [&](int thread) { loops[static_cast<std::size_t>(thread)] = loop(); }); });
  return loops[0].cells * threads / timing.median_seconds;
}

/// Cells of an edit distance or a longest common subsequence, for symbols of so many bits.
inline double ceiling_of_pairs(sequence::Measure problem, int planes, int threads) {
  return ceiling_of_loops(threads, [&] {
    return sequence::slices::run_ceiling_loop(problem, static_cast<std::size_t>(planes), 2'000'000);
  });
}

/// Cells of a global alignment by values of 8 or 16 bits.
inline double ceiling_of_alignments(std::size_t bits, int threads) {
  return ceiling_of_loops(threads, [&] { return sequence::alignment::strips::run_ceiling_loop(bits, 2'000'000); });
}

/// Cells of a time warping.
template <class T>
double ceiling_of_warpings(int threads) {
  return ceiling_of_loops(threads, [] { return sequence::warp::strips::run_ceiling_loop<T>(1'000'000); });
}

/// Cells of a knapsack's table: rows over an array that stays in the first-level cache.
inline double ceiling_of_knapsacks(int threads) {
  constexpr std::size_t cells = 8192;
  constexpr int rounds = 20000;
  const auto kernels = knapsack::cpu::kernels<std::int32_t>();
  const Timing timing = measure(3, [&] {
    parallel(threads, [&](int) {
      const auto row = knapsack::allocate_cells<std::int32_t>(cells + 1024);
      std::fill_n(row.get(), cells + 1024, 0);
      for (int round = 0; round < rounds; ++round) {
        kernels.raise_down(row.get() + 1024, row.get() + 1024 - 37 - round % 900, cells, 1);
      }
    });
  });
  return static_cast<double>(cells) * rounds * threads / timing.median_seconds;
}

}  // namespace warpfold::timing
