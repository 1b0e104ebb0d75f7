#pragma once

#include <cstdint>

#include "recurrence/tuning.hpp"

/// The two verbs of `blocks` on a GPU, for min and max of i32 with weights or without.
namespace warpfold::recurrence::cuda {

/// How candidates win, and how they are made.
template <bool IsMin, bool IsWeighted>
struct Rule {
  static constexpr bool is_min = IsMin;
  static constexpr bool is_weighted = IsWeighted;
  std::int32_t blank;  ///< stands for values outside the table: loses against every candidate
  std::int32_t bound;  ///< weighted: largest magnitude that is a value

  __device__ std::int32_t better(std::int32_t a, std::int32_t b) const { return IsMin ? min(a, b) : max(a, b); }
  __device__ std::int32_t join(std::int32_t best, std::int32_t value, std::int32_t weight) const {
    return better(best, IsWeighted ? value + weight : value);
  }
  /// "No value" plus weights is "no value" again.
  __device__ std::int32_t finish(std::int32_t value) const {
    if (!IsWeighted) return value;
    if (IsMin) return value >= blank - bound ? blank : value;
    return value <= blank + bound ? blank : value;
  }
  __device__ void store(std::int32_t* to, std::int32_t value) const {
    if (IsMin) {
      atomicMin(to, value);
    } else {
      atomicMax(to, value);
    }
  }
};

/// A problem's terms by ascending offset, and where those of each granule of offsets start.
struct DeviceTerms {
  const int2* terms;  ///< offset, weight
  const std::int32_t* starts;
  int granules;
};

/// Outputs [first, last) take candidates among the final values [source, source_end).
struct Range {
  std::int64_t first, last, source, source_end;
};

/// A block joins to `Threads * Outputs` outputs the candidates of every gridDim.y-th chunk of offsets from first_chunk
/// on. Shared memory: 4 (tile + chunk) + 8 chunk bytes. One shared load a candidate, one more a term; two barriers a
/// chunk.
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
    if (i < range.last && best[r] != rule.blank) rule.store(table + i, best[r]);
  }
}

/// Finishes blocks of close_outputs outputs, one a thread block, each against itself: warp w owns 32 outputs, waits for
/// the 32 of every warp before it, and finishes its own one lane after the other. nearest[d]: the weight of offset d,
/// or a blank that never wins. Shared memory: 12 kB. A warp waits on shared flags only; all of a block's warps are
/// resident.
template <class Rule>
__global__ void __launch_bounds__(tuning::gpu_close_outputs)
    close(std::int32_t* table, const std::int32_t* nearest, std::int64_t first, std::int64_t last, Rule rule) {
  constexpr int outputs = tuning::gpu_close_outputs;
  constexpr int warps = outputs / 32;
  __shared__ std::int32_t weight[outputs];
  __shared__ std::int32_t value[outputs];
  __shared__ volatile int done[warps];
  const int u = static_cast<int>(threadIdx.x);
  const int lane = u % 32;
  const int warp = u / 32;
  const std::int64_t i = first + static_cast<std::int64_t>(blockIdx.x) * outputs + u;
  weight[u] = nearest[u];
  if (lane == 0) done[warp] = 0;
  std::int32_t best = i < last ? table[i] : rule.blank;
  __syncthreads();

  // Without weights an absent offset is a blank in `weight`, which then wins never: better(best, blank) is best.
  const auto candidate = [&](std::int32_t from, int distance) {
    const std::int32_t w = weight[distance];
    if (Rule::is_weighted) return rule.better(best, from + w);
    return w == rule.blank ? best : rule.better(best, from);
  };
  for (int before = 0; before < warp; ++before) {
    while (done[before] == 0) __nanosleep(20);
    __threadfence_block();
    const std::int32_t theirs = value[before * 32 + lane];
#pragma unroll
    for (int t = 0; t < 32; ++t) {
      best = candidate(__shfl_sync(0xFFFFFFFF, theirs, t), u - before * 32 - t);
    }
  }
#pragma unroll
  for (int t = 0; t < 32; ++t) {
    const std::int32_t from = __shfl_sync(0xFFFFFFFF, rule.finish(best), t);
    if (lane > t) best = candidate(from, lane - t);
  }
  best = rule.finish(best);
  value[u] = best;
  __threadfence_block();
  __syncwarp();
  if (lane == 0) done[warp] = 1;
  if (i < last) table[i] = best;
}

}  // namespace warpfold::recurrence::cuda
