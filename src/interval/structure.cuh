#pragma once

#include <cooperative_groups.h>

#include "interval/kernels.cuh"
#include "warpfold/interval/triangulation.hpp"

/// The structure on the device: from each root, every interval's smallest k that attains its minimum is searched again.
///
/// The whole GPU works on all open intervals at once. A deep tree has few open at a time, so each one comes with
/// guesses of what is below it: the intervals along its row and its column (a fan) and in a square at its corner (a
/// zigzag). Then one thread walks down through what was searched, and what it cannot follow is open in the next phase.
/// A fan of n levels takes n/500 phases, a balanced tree log n. An open interval (i,j) of an n-gon knows where its
/// j-i-1 triangles stand in preorder, so nothing is counted and the order is that of the CPU.
namespace warpfold::interval::device {

inline constexpr int search_threads = 512;
inline constexpr int strip = 8;  ///< intervals that a block searches at a time, 64 threads each
inline constexpr unsigned most_guesses = 2048;
inline constexpr unsigned least_guesses = 256;
inline constexpr int count_words = 6;

/// An interval to be split: of which polygon, at which place of its polygon's nodes.
struct Open {
  unsigned job, place, i, j;
};

/// Which intervals are searched for an open one (i,j): `row` of (i+s, j), `row` of (i, j-s), `square`^2 of (i+s, j-t).
struct Guesses {
  unsigned count, row, square;

  __host__ __device__ explicit Guesses(unsigned wanted) : count(wanted), row(wanted / 8 * 3), square(0) {
    while ((square + 1) * (square + 1) <= wanted / 4) ++square;
  }

  /// The place of (i + down, j - back) among them, `count` where it is not.
  [[nodiscard]] __host__ __device__ unsigned find(unsigned down, unsigned back) const {
    if (down == 0 && back == 0) return 0;
    if (back == 0 && down < row) return down;
    if (down == 0 && back <= row) return row + back - 1;
    if (down >= 1 && back >= 1 && down <= square && back <= square) return 2 * row + (down - 1) * square + back - 1;
    return count;
  }

  /// The other way round.
  __host__ __device__ void place(unsigned guess, unsigned& down, unsigned& back) const {
    down = back = 0;
    if (guess < row || count == 1) {
      down = guess;
    } else if (guess < 2 * row) {
      back = guess - row + 1;
    } else {
      down = (guess - 2 * row) / square + 1;
      back = (guess - 2 * row) % square + 1;
    }
  }
  [[nodiscard]] __host__ __device__ unsigned used() const { return count == 1 ? 1 : 2 * row + square * square; }
};

template <class T>
struct Search {
  const Job<T>* jobs;
  const std::size_t* first_nodes;  ///< per job: where its nodes start
  unsigned job_count;
  Open* open[2];  ///< as many as there are nodes in all
  unsigned*
      counts;  ///< count_words: of open intervals, phase p uses p%3, the next and the one after; of nodes likewise
  unsigned* splits;  ///< what was searched: max(most_guesses, nodes) words
  Node* nodes;
};

/// No candidate is larger.
template <class T>
inline constexpr T worst_value = std::is_integral_v<T> ? static_cast<T>(2 * infinity<T>) : infinity<T>;

/// A candidate split; less means better, then smaller k.
template <class T>
struct Split {
  T value;
  unsigned k;
  __device__ __forceinline__ void take(const Split& other) {
    if (other.value < value || (other.value == value && other.k < k)) *this = other;
  }
};

/// The best of k = first, first + 64, first + 128, .. < j for interval (i,j): one step is one tile along row and
/// column.
template <class T>
__device__ Split<T> search_splits(const Job<T>& job, unsigned i, unsigned j, unsigned first) {
  constexpr unsigned tile_size = tile_side * tile_side;
  Split<T> best{worst_value<T>, i + 1};
  unsigned tile_k = first / tile_side;
  const T* left = job.table + entry_offset(i, first, tile_side);
  const T* right = job.table + entry_offset(first, j, tile_side);
#pragma unroll 8
  for (unsigned k = first; k < j; k += tile_side) {
    best.take({static_cast<T>(*left + *right), k});
    left += std::size_t{++tile_k} * tile_size;  // tile (i,k+1) stands as many tiles behind tile (i,k)
    right += tile_size;
  }
  return best;
}

/// One block searches the intervals number first .. first+7 of a phase. Neighbouring lanes have neighbouring intervals,
/// which share rows or columns of the table.
template <class T>
__device__ void search_strip(const Search<T>& search, const Open* open, unsigned open_count, const Guesses& guesses,
                             unsigned first) {
  __shared__ Split<T> found[search_threads / 32][strip];
  const unsigned thread = threadIdx.x, lane = thread % 32, mine = first + lane % strip;
  Split<T> best{worst_value<T>, ~0U};
  if (mine < open_count * guesses.count) {
    const Open root = open[mine / guesses.count];
    unsigned down, back;
    guesses.place(mine % guesses.count, down, back);
    const unsigned i = root.i + down, j = root.j - back;
    if (mine % guesses.count < guesses.used() && down + back + 1 < root.j - root.i) {
      best = search_splits(search.jobs[root.job], i, j, i + 1 + thread / strip);
    }
  }
#pragma unroll
  for (int d = strip; d < 32; d *= 2) {
    best.take({__shfl_xor_sync(all_lanes, best.value, d), __shfl_xor_sync(all_lanes, best.k, d)});
  }
  if (lane < strip) found[thread / 32][lane] = best;
  __syncthreads();
  if (thread < strip && mine < open_count * guesses.count) {
    for (int warp = 1; warp < search_threads / 32; ++warp) best.take(found[warp][thread]);
    search.splits[mine] = best.k;
  }
  __syncthreads();
}

/// What one block knows of the guesses below an open interval.
struct Guessed {
  unsigned step[most_guesses];      ///< k - i
  unsigned children[most_guesses];  ///< the places of both children among the guesses, right * 2^16 + left
  unsigned place[most_guesses];     ///< in the polygon's nodes; 0xffffffff: not part of the structure
  unsigned pending[most_guesses];
};
inline constexpr unsigned not_guessed = 0xffff;

/// Marks which guesses are part of the structure and returns how many. One thread: each step waits for one access to
/// shared memory.
inline __device__ unsigned walk(Guessed& guessed, unsigned place) {
  unsigned depth = 0, self = 0;
  for (unsigned steps = 1;; ++steps) {
    guessed.place[self] = place;
    const unsigned left = guessed.children[self] & 0xffff, right = guessed.children[self] >> 16;
    const unsigned right_place = place + guessed.step[self];
    if (left != not_guessed) {
      if (right != not_guessed) {
        guessed.place[right] = right_place;
        guessed.pending[depth++] = right;
      }
      self = left;
      place += 1;
    } else if (right != not_guessed) {
      self = right;
      place = right_place;
    } else if (depth > 0) {
      self = guessed.pending[--depth];
      place = guessed.place[self];
    } else {
      return steps;
    }
  }
}

/// A block writes the triangles below an open interval as far as the guesses reach; the rest is open in the next phase.
template <class T>
__device__ void follow(const Search<T>& search, Guessed& guessed, const Open& root, const Guesses& guesses,
                       const unsigned* splits, Open* next, unsigned* next_count, unsigned* resolved) {
  const auto child = [&](unsigned i, unsigned j) {
    if (j - i < 2) return not_guessed;
    const unsigned at = guesses.find(i - root.i, root.j - j);
    return at < guesses.count ? at : not_guessed;
  };
  const auto interval = [&](unsigned guess, unsigned& i, unsigned& j) {
    unsigned down, back;
    guesses.place(guess, down, back);
    i = root.i + down;
    j = root.j - back;
    return guess < guesses.used() && down + back + 1 < root.j - root.i;
  };
  unsigned i, j;
  for (unsigned x = threadIdx.x; x < guesses.count; x += blockDim.x) {
    const unsigned k = splits[x];
    const bool valid = interval(x, i, j);
    guessed.step[x] = k - i;
    guessed.place[x] = ~0U;
    guessed.children[x] = valid ? child(k, j) << 16 | child(i, k) : ~0U;
  }
  __syncthreads();
  if (threadIdx.x == 0) Counter(*resolved).fetch_add(walk(guessed, root.place), ::cuda::memory_order_relaxed);
  __syncthreads();
  Node* nodes = search.nodes + search.first_nodes[root.job];
  for (unsigned x = threadIdx.x; x < guesses.count; x += blockDim.x) {
    const unsigned place = guessed.place[x];
    if (place == ~0U || !interval(x, i, j)) continue;
    const unsigned k = i + guessed.step[x];
    nodes[place] = {i, k, j};
    const Open children[2] = {{root.job, place + 1, i, k}, {root.job, place + k - i, k, j}};
    for (const Open& each : children) {
      if (each.j - each.i < 2 || child(each.i, each.j) != not_guessed) continue;
      next[Counter(*next_count).fetch_add(1, ::cuda::memory_order_relaxed)] = each;
    }
  }
  __syncthreads();
}

/// The same for an open interval without guesses, by one thread.
template <class T>
__device__ void split_one(const Search<T>& search, const Open& root, unsigned k, Open* next, unsigned* next_count) {
  search.nodes[search.first_nodes[root.job] + root.place] = {root.i, k, root.j};
  const Open children[2] = {{root.job, root.place + 1, root.i, k}, {root.job, root.place + k - root.i, k, root.j}};
  for (const Open& child : children) {
    if (child.j - child.i < 2) continue;
    next[Counter(*next_count).fetch_add(1, ::cuda::memory_order_relaxed)] = child;
  }
}

/// All structures of a plan. A cooperative launch: two barriers of the whole grid a phase.
template <class T>
__global__ void __launch_bounds__(search_threads) search_structures(const __grid_constant__ Search<T> search) {
  __shared__ Guessed guessed;
  const auto grid = cooperative_groups::this_grid();
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  for (unsigned job = thread; job < search.job_count; job += threads) {
    search.open[0][job] = {job, 0, 0, search.jobs[job].n - 1};
  }
  if (thread == 0) {
    search.counts[0] = search.job_count;
    for (int x = 1; x < count_words; ++x) search.counts[x] = 0;
  }
  grid.sync();
  for (unsigned phase = 0;; ++phase) {
    const Open* open = search.open[phase % 2];
    Open* next = search.open[(phase + 1) % 2];
    const unsigned count = Counter(search.counts[phase % 3]).load(::cuda::memory_order_relaxed);
    unsigned* next_count = search.counts + (phase + 1) % 3;
    if (count == 0) return;
    // Guesses in proportion to how far the last ones reached.
    const unsigned reached = Counter(search.counts[3 + phase % 3]).load(::cuda::memory_order_relaxed);
    unsigned* resolved = search.counts + 3 + (phase + 1) % 3;
    const unsigned wanted = min(max(64 * reached, least_guesses), most_guesses) / count;
    const Guesses guesses(wanted < 16 ? 1 : wanted / strip * strip);
    for (unsigned first = blockIdx.x * strip; first < count * guesses.count; first += gridDim.x * strip) {
      search_strip(search, open, count, guesses, first);
    }
    grid.sync();
    if (thread == 0) search.counts[(phase + 2) % 3] = search.counts[3 + (phase + 2) % 3] = 0;
    if (guesses.count == 1) {
      for (unsigned at = thread; at < count; at += threads) {
        split_one(search, open[at], search.splits[at], next, next_count);
      }
    } else {
      for (unsigned at = blockIdx.x; at < count; at += gridDim.x) {
        follow(search, guessed, open[at], guesses, search.splits + at * guesses.count, next, next_count, resolved);
      }
    }
    grid.sync();
  }
}

inline constexpr unsigned small_vertices = 128;  ///< up to here a warp finds a polygon's structure alone
inline constexpr int small_warps = 8;            ///< of a block

/// The structures of small polygons, a warp each, node by node. Shared memory: 4 KB.
template <class T>
__global__ void __launch_bounds__(small_warps * 32) search_small_structures(const __grid_constant__ Search<T> search) {
  __shared__ unsigned pending[small_warps][small_vertices];  // i * 2^16 + j
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, at = blockIdx.x * small_warps + warp;
  if (at >= search.job_count) return;
  const Job<T> job = search.jobs[at];
  Node* nodes = search.nodes + search.first_nodes[at];
  unsigned depth = 1, i = 0, j = job.n - 1;
  for (unsigned place = 0; place < job.n - 2; ++place) {
    Split<T> best{worst_value<T>, ~0U};
    for (unsigned k = i + 1 + lane; k < j; k += 32) {
      best.take(
          {static_cast<T>(job.table[entry_offset(i, k, tile_side)] + job.table[entry_offset(k, j, tile_side)]), k});
    }
#pragma unroll
    for (int d = 16; d > 0; d /= 2) {
      best.take({__shfl_xor_sync(all_lanes, best.value, d), __shfl_xor_sync(all_lanes, best.k, d)});
    }
    const unsigned k = best.k;
    if (lane == 0) nodes[place] = {i, k, j};
    const bool left = k - i >= 2, right = j - k >= 2;
    if (left && right) {
      if (lane == 0) pending[warp][depth] = k << 16 | j;
      ++depth;
      __syncwarp();
    }
    if (left) {
      j = k;
    } else if (right) {
      i = k;
    } else if (depth > 1) {
      const unsigned next = pending[warp][--depth];
      i = next >> 16;
      j = next & 0xffff;
    }
    __syncwarp();
  }
}

/// The cost of each polygon.
template <class T>
__global__ void gather_costs(const Job<T>* jobs, unsigned job_count, T* costs) {
  const unsigned job = blockIdx.x * blockDim.x + threadIdx.x;
  if (job < job_count) costs[job] = jobs[job].table[entry_offset(0, jobs[job].n - 1, tile_side)];
}

}  // namespace warpfold::interval::device
