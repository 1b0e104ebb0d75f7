#pragma once

#include "interval/triangulation/kernels.cuh"
#include "interval/tuning.hpp"
#include "warpfold/interval/triangulation.hpp"

/// The data that all blocks share while they search structures: lists of intervals, and nodes.
namespace warpfold::interval::device {

inline constexpr unsigned nowhere = ~0U;

/// An interval to be split: its polygon, and its place among the polygon's nodes.
struct Open {
  unsigned job, place, i, j;
};

/// The counters of a search. All are zero when it starts.
struct SearchCounts {
  unsigned done;        ///< nodes that are written or left to the second kernel
  unsigned queued;      ///< entries of `queue`
  unsigned taken;       ///< tickets for entries of `queue`
  unsigned short_ones;  ///< entries of `short_ones`
  unsigned guessed[2];  ///< entries of `guessed`, in even and in odd phases
  unsigned arrived;     ///< blocks at barriers
};

template <class T>
struct Search {
  const Job<T>* jobs;
  const std::size_t* first_nodes;  ///< per job: where its nodes start
  unsigned job_count;
  unsigned node_count;  ///< of all jobs; each of the lists below has as many entries
  Open* queue;          ///< `job` is nowhere in an entry that is not written yet
  Open* short_ones;
  Open* guessed;     ///< what the chains guessed in this phase,
  unsigned* splits;  ///< and the splits that were found
  SearchCounts* counts;
  Triangle* nodes;
};

/// No candidate is larger.
template <class T>
inline constexpr T worst_value = std::is_integral_v<T> ? static_cast<T>(2 * infinity<T>) : infinity<T>;

/// A candidate split. Less means better, then smaller k.
template <class T>
struct SplitCandidate {
  T value = worst_value<T>;
  unsigned k = nowhere;
  __device__ __forceinline__ void take(const SplitCandidate& other) {
    if (other.value < value || (other.value == value && other.k < k)) *this = other;
  }
};

/// Maps floats to integers of the same order. No sum is -0.0.
__device__ __forceinline__ int ordered(float value) {
  const int bits = __float_as_int(value);
  return bits ^ (bits >> 31 & 0x7fffffff);
}

/// The lanes whose value is the least of the warp's.
template <class T>
__device__ __forceinline__ bool is_least(T value) {
  if constexpr (std::is_same_v<T, float>) {
    return ordered(value) == __reduce_min_sync(all_lanes, ordered(value));
  } else if constexpr (std::is_same_v<T, std::int32_t>) {
    return value == __reduce_min_sync(all_lanes, value);
  } else {
    T best = value;
#pragma unroll
    for (int d = 16; d > 0; d /= 2) best = least(best, __shfl_xor_sync(all_lanes, best, d));
    return value == best;
  }
}
template <class T>
__device__ __forceinline__ T entry(const Job<T>& job, unsigned i, unsigned j) {
  return *job.entry(i, j);
}

/// Adds an interval of the structure to the lists. An interval without triangles is not added.
template <class T>
__device__ void push(const Search<T>& search, const Open& child) {
  const unsigned length = child.j - child.i;
  if (length < 2) return;
  SearchCounts& counts = *search.counts;
  if (length < short_interval) {
    search.short_ones[Counter(counts.short_ones).fetch_add(1, ::cuda::memory_order_relaxed)] = child;
    Counter(counts.done).fetch_add(length - 1, ::cuda::memory_order_relaxed);
  } else {
    Open& entry = search.queue[Counter(counts.queued).fetch_add(1, ::cuda::memory_order_relaxed)];
    entry.place = child.place;
    entry.i = child.i;
    entry.j = child.j;
    Counter(entry.job).store(child.job, ::cuda::memory_order_release);
  }
}

/// The intervals below one that is split at k.
__device__ __forceinline__ Open left_child(const Open& at, unsigned k) { return {at.job, at.place + 1, at.i, k}; }
__device__ __forceinline__ Open right_child(const Open& at, unsigned k) {
  return {at.job, at.place + k - at.i, k, at.j};
}

}  // namespace warpfold::interval::device
