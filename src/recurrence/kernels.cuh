#pragma once

#include <cstdint>

#include "recurrence/rule.hpp"
#include "recurrence/tuning.hpp"

/// The two operations of `blocks` on a GPU, for min and max of i32 with or without weights.
namespace warpfold::recurrence::cuda {

/// A problem's terms by ascending offset, and where the terms of each granule of offsets start.
struct DeviceTerms {
  const int2* terms;  ///< offset, weight
  const std::int32_t* starts;
  int granules;
};

/// Joins a result to an entry of the table. Other blocks join to the same entry.
template <class Rule>
__device__ void join_into(std::int32_t* entry, std::int32_t value) {
  if (Rule::is_min) {
    atomicMin(entry, value);
  } else {
    atomicMax(entry, value);
  }
}

/// Outputs [first, last) take candidates among the final values [source, source_end).
struct Range {
  std::int64_t first, last, source, source_end;
};

/// A block joins to `Threads * Outputs` outputs the candidates of every gridDim.y-th chunk of offsets from first_chunk
/// on. Shared memory: 4 (tile + chunk) + 8 chunk bytes. One shared load per candidate, and one more per term. Two
/// barriers per chunk.
template <class Rule, int Threads, int Outputs>
__global__ void __launch_bounds__(Threads)
    accumulate(std::int32_t* table, DeviceTerms all, Range range, int first_chunk, int last_chunk, Rule rule) {
  constexpr int tile = Threads * Outputs;
  constexpr int chunk = tile;
  constexpr int granules = chunk / tuning::granule;
  __shared__ std::int32_t window[tile + chunk];
  __shared__ int2 terms[chunk];
  const std::int64_t start = range.first + static_cast<std::int64_t>(blockIdx.x) * tile;
  std::int32_t best[Outputs];
#pragma unroll
  for (int r = 0; r < Outputs; ++r) best[r] = rule.blank;

  for (int c = first_chunk + static_cast<int>(blockIdx.y); c <= last_chunk; c += static_cast<int>(gridDim.y)) {
    const std::int64_t base = static_cast<std::int64_t>(c) * chunk;
    const int first_term = all.starts[min(c * granules, all.granules)];
    const int count = all.starts[min((c + 1) * granules, all.granules)] - first_term;
    // window[p] is the value at oldest + p; the candidate of output u at offset a is window[u + chunk - (a - base)].
    const std::int64_t oldest = start - base - chunk;
    if (count == 0 || oldest >= range.source_end || oldest + tile + chunk <= range.source) continue;
    __syncthreads();
    for (int p = static_cast<int>(threadIdx.x); p < tile + chunk; p += Threads) {
      const std::int64_t index = oldest + p;
      window[p] = index >= range.source && index < range.source_end ? table[index] : rule.blank;
    }
    for (int j = static_cast<int>(threadIdx.x); j < count; j += Threads) {
      const int2 term = all.terms[first_term + j];
      terms[j] = make_int2(chunk - static_cast<int>(term.x - base), term.y);
    }
    __syncthreads();
#pragma unroll 4
    for (int j = 0; j < count; ++j) {
      const int2 term = terms[j];
      const std::int32_t* from = window + term.x + threadIdx.x;
#pragma unroll
      for (int r = 0; r < Outputs; ++r) best[r] = rule.join(best[r], from[r * Threads], term.y);
    }
  }
#pragma unroll
  for (int r = 0; r < Outputs; ++r) {
    const std::int64_t i = start + threadIdx.x + r * Threads;
    if (i < range.last && best[r] != rule.blank) join_into<Rule>(table + i, best[r]);
  }
}

/// Finishes the 32 outputs of a warp, one per lane, that have joined everything before them. near[d] belongs to offset
/// d, and is a blank for d <= 0. Four outputs are finished at a time: every lane computes these four itself from their
/// owners' partial results. So the chain of dependent operations has one shuffle instead of four.
template <class Rule>
__device__ std::int32_t close_warp(std::int32_t best, const std::int32_t* near, int lane, const Rule& rule) {
  constexpr unsigned all = 0xFFFFFFFF;
  const std::int32_t near1 = near[1], near2 = near[2], near3 = near[3];
#pragma unroll
  for (int t = 0; t < 32; t += 4) {
    std::int32_t x0 = __shfl_sync(all, best, t), x1 = __shfl_sync(all, best, t + 1);
    std::int32_t x2 = __shfl_sync(all, best, t + 2), x3 = __shfl_sync(all, best, t + 3);
    x0 = rule.finish(x0);
    x1 = rule.finish(rule.join_near(x1, x0, near1));
    x2 = rule.finish(rule.join_near(rule.join_near(x2, x0, near2), x1, near1));
    x3 = rule.finish(rule.join_near(rule.join_near(rule.join_near(x3, x0, near3), x1, near2), x2, near1));
    best = rule.join_near(best, x0, near[lane - t]);
    best = rule.join_near(best, x1, near[lane - t - 1]);
    best = rule.join_near(best, x2, near[lane - t - 2]);
    best = rule.join_near(best, x3, near[lane - t - 3]);
  }
  return rule.finish(best);
}

/// Finishes the outputs [first, last) in blocks of gpu_close_outputs, one per thread block, each against itself. Warp w
/// owns 32 outputs. It waits for the 32 of every warp before it, joins them, and finishes its own. nearest[d]: see
/// join_near. Shared memory: 8.4 kB.
///
/// The blocks end at `last`, so that no lane has an output after it (see Rule). Lanes before `first` have no value and
/// pass on none. A warp waits on shared flags only, and all of a block's warps are resident.
template <class Rule>
__global__ void __launch_bounds__(tuning::gpu_close_outputs)
    close(std::int32_t* table, const std::int32_t* nearest, std::int64_t first, std::int64_t last, Rule rule) {
  constexpr int outputs = tuning::gpu_close_outputs;
  constexpr int warps = outputs / 32;
  __shared__ std::int32_t padded[32 + outputs];
  __shared__ __align__(16) std::int32_t value[outputs];
  // Warps wait for each other by these flags, with fences and no block barrier. The racecheck of compute-sanitizer
  // knows only barriers, and reports the values that the flags guard. Tests delay warps at random instead.
  __shared__ volatile int done[warps];
  const std::int32_t* near = padded + 32;
  const int u = static_cast<int>(threadIdx.x);
  const int lane = u % 32;
  const int warp = u / 32;
  const std::int64_t i = last - static_cast<std::int64_t>(gridDim.x - blockIdx.x) * outputs + u;
  padded[32 + u] = nearest[u];
  if (u < 32) padded[u] = rule.blank;
  if (lane == 0) done[warp] = 0;
  std::int32_t best = i >= first ? table[i] : rule.blank;
  __syncthreads();

  for (int before = 0; before < warp; ++before) {
    while (done[before] == 0) {
      if (warp - before > 2) __nanosleep(200);  // only the nearest warps poll without a pause
    }
    __threadfence_block();
    const std::int32_t* distance = near + u - before * 32;
    std::int32_t partial[4] = {best, rule.blank, rule.blank, rule.blank};
#pragma unroll
    for (int t = 0; t < 32; t += 4) {
      const int4 from = *reinterpret_cast<const int4*>(value + before * 32 + t);
      partial[0] = rule.join_near(partial[0], from.x, distance[-t]);
      partial[1] = rule.join_near(partial[1], from.y, distance[-t - 1]);
      partial[2] = rule.join_near(partial[2], from.z, distance[-t - 2]);
      partial[3] = rule.join_near(partial[3], from.w, distance[-t - 3]);
    }
    best = rule.better(rule.better(partial[0], partial[1]), rule.better(partial[2], partial[3]));
  }
  best = close_warp(best, near, lane, rule);
  value[u] = best;
  __threadfence_block();
  __syncwarp();
  if (lane == 0) done[warp] = 1;
  if (i >= first) table[i] = best;
}

}  // namespace warpfold::recurrence::cuda
