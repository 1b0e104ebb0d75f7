#pragma once

#include "interval/triangulation/structure_guesses.cuh"
#include "interval/triangulation/structure_lists.cuh"
#include "interval/triangulation/structure_short.cuh"
#include "interval/triangulation/structure_splits.cuh"

/// Finds structures on the device: from each root, searches every interval's smallest k that attains its minimum again.
///
/// A search needs the whole row and column of its interval, and the next interval depends on its result. A deep tree
/// has thousands of searches one after the other. But most splits are near an end of their interval. So a block guesses
/// a chain of intervals. Each guess is the best of the splits near both ends, from a window of the table in shared
/// memory. Then the whole device searches all guessed intervals at one time. The chain goes on after its first wrong
/// guess, so every split is searched in full. Of two children the chain follows the longer one; the other becomes an
/// open interval. Short intervals are left to the second kernel: a block copies such an interval's part of the table,
/// and one warp walks.
///
/// An open interval (i,j) of an n-gon knows the place of its j-i-1 triangles in preorder, so the order is the CPU's.
namespace warpfold::interval::device {

/// A barrier of the whole grid. `goal`: how many blocks have arrived when it opens. (That of cooperative groups
/// invalidates the L1 cache at every look. It made the one block that others wait for five times as slow.)
__device__ __forceinline__ void grid_barrier(unsigned* arrived, unsigned& goal) {
  __syncthreads();
  if (threadIdx.x == 0) {
    goal += gridDim.x;
    Counter counter(*arrived);
    counter.fetch_add(1, ::cuda::memory_order_release);
    while (static_cast<int>(counter.load(::cuda::memory_order_relaxed) - goal) < 0) __nanosleep(32);
    ::cuda::atomic_thread_fence(::cuda::memory_order_acquire, ::cuda::thread_scope_device);
  }
  __syncthreads();
}

/// The structures of a plan down to short intervals. A cooperative launch: two barriers of the whole grid a phase.
template <class T, unsigned Steps>
__global__ void __launch_bounds__(search_threads, 1) search_structures(const __grid_constant__ Search<T> search) {
  extern __shared__ __align__(16) unsigned char bytes[];
  Chain<T, Steps>& chain = *reinterpret_cast<Chain<T, Steps>*>(bytes);
  const unsigned thread = blockIdx.x * search_threads + threadIdx.x, threads = gridDim.x * search_threads;
  if (threadIdx.x == 0) {
    chain.at.job = chain.ticket = nowhere;
    chain.length = 0;
  }
  for (unsigned job = thread; job < search.job_count; job += threads) {
    push(search, {job, 0, 0, search.jobs[job].n - 1});
  }
  __syncthreads();
  unsigned goal = 0;
  for (unsigned phase = 0;; ++phase) {
    guess(search, chain, phase);
    grid_barrier(&search.counts->arrived, goal);
    // These counts do not change until the next barrier.
    const unsigned count = Counter(search.counts->guessed[phase % 2]).load(::cuda::memory_order_relaxed);
    if (Counter(search.counts->done).load(::cuda::memory_order_relaxed) == search.node_count) return;
    if (thread == 0) search.counts->guessed[(phase + 1) % 2] = 0;
    search_guessed(search, count);
    grid_barrier(&search.counts->arrived, goal);
    accept(search, chain);
  }
}

/// Whether a block of each kernel fits on the devices of its policy.
template <class T>
constexpr bool fits(const SearchPolicy& policy, std::size_t chain_bytes) {
  const unsigned most = policy.max_short_vertices;
  const std::size_t found = search_threads / 32 * 8 * sizeof(SplitCandidate<T>);  // search_strip's shared memory
  return IntervalCopy<T>(most).bytes(most) <= policy.shared_bytes && chain_bytes + found <= policy.shared_bytes;
}
static_assert(fits<float>(wide_search<4>, sizeof(Chain<float, wide_search<4>.window_steps>)));
static_assert(fits<double>(wide_search<8>, sizeof(Chain<double, wide_search<8>.window_steps>)));
static_assert(fits<double>(narrow_search, sizeof(Chain<double, narrow_search.window_steps>)));

/// The cost of each polygon.
template <class T>
__global__ void gather_costs(const Job<T>* jobs, unsigned job_count, T* costs) {
  const unsigned job = blockIdx.x * blockDim.x + threadIdx.x;
  if (job < job_count) costs[job] = entry(jobs[job], 0, jobs[job].n - 1);
}

}  // namespace warpfold::interval::device
