#pragma once

#include "interval/triangulation/structure_lists.cuh"

/// The full search of the guessed intervals, by the whole device.
namespace warpfold::interval::device {

/// One block searches `strip` of the guessed intervals in full. Neighboring lanes have neighboring intervals, which
/// share rows or columns of the table.
template <class T>
__device__ void search_strip(const Search<T>& search, unsigned first, unsigned strip, unsigned count) {
  __shared__ SplitCandidate<T> found[search_threads / 32][8];
  const unsigned thread = threadIdx.x, lane = thread % 32, mine = first + thread % strip;
  SplitCandidate<T> best;
  if (mine < count) {
    const Open at = search.guessed[mine];
    const Job<T> job = search.jobs[at.job];
    const unsigned step = search_threads / strip;
    constexpr int ahead = 16;  // terms on their way
    for (unsigned first_k = at.i + 1 + thread / strip; first_k < at.j; first_k += ahead * step) {
      T left[ahead], right[ahead];
#pragma unroll
      for (int x = 0; x < ahead; ++x) {
        const unsigned k = min(first_k + x * step, at.j - 1);
        left[x] = entry(job, at.i, k);
        right[x] = entry(job, k, at.j);
      }
#pragma unroll
      for (int x = 0; x < ahead; ++x) {
        best.take({static_cast<T>(left[x] + right[x]), min(first_k + x * step, at.j - 1)});
      }
    }
  }
  for (unsigned d = strip; d < 32; d *= 2) {
    best.take({__shfl_xor_sync(all_lanes, best.value, d), __shfl_xor_sync(all_lanes, best.k, d)});
  }
  if (lane < strip) found[thread / 32][lane] = best;
  __syncthreads();
  if (thread < strip && mine < count) {
    for (int warp = 1; warp < search_threads / 32; ++warp) best.take(found[warp][thread]);
    search.splits[mine] = best.k;
  }
  __syncthreads();
}

/// The whole device searches all guessed intervals.
template <class T>
__device__ void search_guessed(const Search<T>& search, unsigned count) {
  unsigned strip = 1;
  while (strip < 8 && gridDim.x * strip < count) strip *= 2;
  for (unsigned first = blockIdx.x * strip; first < count; first += gridDim.x * strip) {
    search_strip(search, first, strip, count);
  }
}

}  // namespace warpfold::interval::device
