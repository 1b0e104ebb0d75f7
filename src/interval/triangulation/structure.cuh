#pragma once

#include "interval/triangulation/kernels.cuh"
#include "interval/tuning.hpp"
#include "warpfold/interval/triangulation.hpp"

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
  Open* queue;          ///< `job` is nowhere in an entry that nobody has written
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
struct Split {
  T value = worst_value<T>;
  unsigned k = nowhere;
  __device__ __forceinline__ void take(const Split& other) {
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

/// The window that a block reads around interval (i,j) of its chain, and its parts in `values`:
///   corner   value(i + x, j - reach + y)
///   rows     value(i + x, i + x + 1 + y)
///   columns  value(j - x - near_splits + y, j - x)
/// `Steps`: how far i and j may move before it is read anew.
template <class T, unsigned Steps>
struct Window {
  static constexpr unsigned reach = Steps + near_splits, side = reach + 1, column_stride = near_splits + 1;
  static constexpr unsigned rows = side * side, columns = rows + (Steps + 1) * near_splits;
  T values[columns + (Steps + 1) * column_stride];

  /// Outside of the table it reads any value of it: a guess may be wrong.
  __device__ void read(const Job<T>& job, unsigned i, unsigned j) {
    const unsigned last = job.n - 1;
    copy<side * side>(
        [&](unsigned at) {
          const unsigned x = at / side, y = at % side;
          return Place{at, min(i + x, last), max(j + y, reach) - reach};
        },
        job);
    copy<(Steps + 1) * near_splits>(
        [&](unsigned at) {
          const unsigned x = at / near_splits, y = at % near_splits;
          return Place{rows + at, min(i + x, last), min(i + x + 1 + y, last)};
        },
        job);
    copy<(Steps + 1) * near_splits>(
        [&](unsigned at) {
          const unsigned x = at / near_splits, y = at % near_splits;
          return Place{columns + x * column_stride + y, max(j + y, x + near_splits) - x - near_splits, j - x};
        },
        job);
  }

 private:
  struct Place {
    unsigned at, i, j;
  };

  /// Several loads of a thread at one time.
  template <unsigned Count, class Where>
  __device__ __forceinline__ void copy(Where&& where, const Job<T>& job) {
    constexpr unsigned rounds = (Count + search_threads - 1) / search_threads;
    T value[rounds];
#pragma unroll
    for (unsigned x = 0; x < rounds; ++x) {
      const Place place = where(min(threadIdx.x + x * search_threads, Count - 1));
      value[x] = entry(job, place.i, place.j);
    }
#pragma unroll
    for (unsigned x = 0; x < rounds; ++x) {
      values[where(min(threadIdx.x + x * search_threads, Count - 1)).at] = value[x];
    }
  }
};

/// A block's chain. `at` is the first interval that is not guessed.
template <class T, unsigned Steps>
struct Chain {
  Window<T, Steps> window;
  Open guessed[max_guesses];
  unsigned guess[max_guesses];
  unsigned length;
  unsigned wanted;
  Open at;         ///< `job` is nowhere where there is no chain
  unsigned first;  ///< of its guesses, in the list of all
  unsigned wrong;  ///< its first wrong guess
  unsigned ticket;

  [[nodiscard]] __device__ bool active() const { return at.job != nowhere; }
};

/// One warp follows the chain as far as the window, read at (i,j), and `wanted` allow. Lane x looks at the splits i+1+x
/// and j-32+x.
template <class T, unsigned Steps>
__device__ void walk(Chain<T, Steps>& chain, unsigned first_i, unsigned first_j) {
  using W = Window<T, Steps>;
  static_assert(near_splits == 32 && short_interval >= 2 * near_splits);
  const unsigned lane = threadIdx.x % 32, wanted = chain.wanted;
  const T* rows = chain.window.values + W::rows + lane;
  const T* columns = chain.window.values + W::columns + lane;
  const T* right = chain.window.values + (1 + lane) * W::side + W::reach;
  const T* left = chain.window.values + W::reach - near_splits + lane;
  unsigned length = chain.length;
  Open at = chain.at;
  while (length < wanted && at.j - at.i >= short_interval) {
    const int down = at.i - first_i, back = first_j - at.j, place = down * static_cast<int>(W::side) - back;
    if (max(down, back) > static_cast<int>(Steps)) break;
    const T near_i = rows[down * near_splits] + right[place];
    const T near_j = left[place] + columns[back * W::column_stride];
    const bool mine = is_least(least(near_i, near_j));
    const unsigned at_i = __ballot_sync(all_lanes, mine && near_i <= near_j);
    const unsigned at_j = __ballot_sync(all_lanes, mine);
    const unsigned k = at_i ? at.i + __ffs(static_cast<int>(at_i)) : at.j - 33 + __ffs(static_cast<int>(at_j));
    if (lane == 0) {
      chain.guessed[length] = at;
      chain.guess[length] = k;
    }
    ++length;
    at = k - at.i > at.j - k ? left_child(at, k) : right_child(at, k);
  }
  __syncwarp();  // every lane has read what is replaced
  if (lane == 0) {
    chain.at = at;
    chain.length = length;
  }
}

/// Guesses the next intervals without reading the table, if the last guesses were right and every second step was the
/// same (a fan, a zigzag). Returns their number.
template <class T, unsigned Steps>
__device__ unsigned repeat_steps(Chain<T, Steps>& chain) {
  constexpr unsigned alike = 32;
  const unsigned length = chain.length;
  if (!chain.active() || chain.wrong != nowhere || length < alike) return 0;
  const Open at = chain.at, last = chain.guessed[length - 1], before = chain.guessed[length - 2];
  const unsigned down = at.i - before.i, back = before.j - at.j;  // two steps
  bool same = true;
  if (threadIdx.x < alike - 2) {
    const Open &x = chain.guessed[length - alike + threadIdx.x], &y = chain.guessed[length - alike + threadIdx.x + 2];
    same = y.i - x.i == down && x.j - y.j == back;
  }
  const unsigned count = min((at.j - at.i - short_interval) / (down + back) * 2, max_guesses);
  if (!__syncthreads_and(same) || count == 0) return 0;
  const Open step{at.job, last.place - before.place, last.i - before.i, before.j - last.j};  // the next one
  const auto interval = [&](unsigned x) -> Open {
    return {at.job, at.place + x / 2 * (at.place - before.place) + x % 2 * step.place,
            at.i + x / 2 * down + x % 2 * step.i, at.j - x / 2 * back - x % 2 * step.j};
  };
  for (unsigned x = threadIdx.x; x < count; x += search_threads) {
    const Open next = interval(x + 1);
    chain.guessed[x] = interval(x);
    chain.guess[x] = next.i > chain.guessed[x].i ? next.i : next.j;
  }
  __syncthreads();
  if (threadIdx.x == 0) chain.at = interval(count);
  return count;
}

/// A block without a chain takes an open interval, if there is one, and every chain goes on by guesses.
template <class T, unsigned Steps>
__device__ void guess(const Search<T>& search, Chain<T, Steps>& chain, unsigned phase) {
  const unsigned repeated = repeat_steps(chain);
  __syncthreads();
  if (threadIdx.x == 0) {
    chain.length = repeated;
    if (!chain.active()) {
      if (chain.ticket == nowhere) {
        chain.ticket = Counter(search.counts->taken).fetch_add(1, ::cuda::memory_order_relaxed);
      }
      if (chain.ticket < search.node_count) {
        Open& entry = search.queue[chain.ticket];
        const unsigned job = Counter(entry.job).load(::cuda::memory_order_acquire);
        if (job != nowhere) {
          chain.at = {job, entry.place, entry.i, entry.j};
          chain.wanted = min_guesses;
          chain.ticket = nowhere;
        }
      }
    }
  }
  __syncthreads();
  if (!chain.active()) return;
  // Guesses that use up their windows quickly are seldom right.
  for (unsigned windows = 0; repeated == 0 && windows < 2 + chain.length / Steps; ++windows) {
    const Open at = chain.at;
    if (chain.length >= chain.wanted || at.j - at.i < short_interval) break;
    chain.window.read(search.jobs[at.job], at.i, at.j);
    __syncthreads();
    if (threadIdx.x < 32) walk(chain, at.i, at.j);
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    chain.first = Counter(search.counts->guessed[phase % 2]).fetch_add(chain.length, ::cuda::memory_order_relaxed);
    chain.wrong = nowhere;
  }
  __syncthreads();
  for (unsigned x = threadIdx.x; x < chain.length; x += search_threads) {
    search.guessed[chain.first + x] = chain.guessed[x];
  }
}

/// One block searches `strip` of the guessed intervals in full. Neighboring lanes have neighboring intervals, which
/// share rows or columns of the table.
template <class T>
__device__ void search_strip(const Search<T>& search, unsigned first, unsigned strip, unsigned count) {
  __shared__ Split<T> found[search_threads / 32][8];
  const unsigned thread = threadIdx.x, lane = thread % 32, mine = first + thread % strip;
  Split<T> best;
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

/// Writes the triangles of a chain up to its first wrong guess, whose true split is now known, too. The chain goes on
/// from there.
template <class T, unsigned Steps>
__device__ void accept(const Search<T>& search, Chain<T, Steps>& chain) {
  if (!chain.active()) return;
  for (unsigned x = threadIdx.x; x < chain.length; x += search_threads) {
    if (search.splits[chain.first + x] != chain.guess[x]) atomicMin(&chain.wrong, x);
  }
  __syncthreads();
  const unsigned last = min(chain.wrong, chain.length - 1);
  Triangle* nodes = search.nodes + search.first_nodes[chain.guessed[0].job];
  for (unsigned x = threadIdx.x; x <= last; x += search_threads) {
    const Open at = chain.guessed[x];
    const unsigned k = search.splits[chain.first + x];
    nodes[at.place] = {at.i, k, at.j};
    const bool goes_left = k - at.i > at.j - k;
    push(search, goes_left ? right_child(at, k) : left_child(at, k));
    if (x == chain.wrong) chain.at = goes_left ? left_child(at, k) : right_child(at, k);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    Counter(search.counts->done).fetch_add(last + 1, ::cuda::memory_order_relaxed);
    chain.wanted = chain.wrong == nowhere ? min(4 * chain.wanted, max_guesses) : min_guesses;
    if (chain.at.j - chain.at.i < short_interval) {
      push(search, chain.at);
      chain.at.job = nowhere;
    }
  }
  __syncthreads();
}

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

/// The layout of an interval's part of the table in shared memory: rows are `stride` values apart, so that 16 bytes
/// stay together. `most`: points of the longest interval.
template <class T>
struct IntervalCopy {
  static constexpr unsigned width = Vector<T>::width;
  unsigned stride;

  constexpr explicit IntervalCopy(unsigned most) : stride((most + 2 * width - 2) / width * width) {}
  [[nodiscard]] constexpr std::size_t bytes(unsigned most) const {
    return most * (stride * sizeof(T) + sizeof(unsigned));
  }
};

/// Copies the part of the table of interval `root` to shared memory.
template <class T>
__device__ void copy_interval(const Job<T>& job, const Open& root, T* values, unsigned stride) {
  constexpr unsigned width = Vector<T>::width;
  const unsigned first = root.i / width * width, shift = root.i - first, points = root.j - root.i + 1;
  const unsigned row_vectors = (shift + points + width - 1) / width;
  for (unsigned x = threadIdx.x; x < (points - 1) * row_vectors; x += short_threads) {
    const unsigned row = x / row_vectors, column = x % row_vectors * width;
    if (column + width <= row + shift) continue;
    tiles::device::copy_vector(values + row * stride + column, job.entry(root.i + row, first + column));
  }
  tiles::device::copy_commit();
  tiles::device::copy_wait<0>();
}

/// One warp walks through an interval of `points` points from point `first` on. Its values are in shared memory.
template <class T>
__device__ void find_triangles(const T* values, unsigned stride, unsigned points, unsigned first, unsigned* pending,
                               Triangle* nodes) {
  const unsigned lane = threadIdx.x % 32;
  unsigned depth = 0, i = 0, j = points - 1;
  Triangle mine;  // of every 32 nodes a lane keeps one
  for (unsigned place = 0; place + 2 < points; ++place) {
    unsigned k = min(i + 1 + lane, j - 1);
    T best = values[i * stride + k] + values[k * stride + j];
#pragma unroll 1
    for (unsigned first_k = i + 33; first_k < j; first_k += 32) {
      const unsigned next = min(first_k + lane, j - 1);
      const T value = values[i * stride + next] + values[next * stride + j];
      if (value < best) {
        best = value;
        k = next;
      }
    }
    k = __reduce_min_sync(all_lanes, is_least(best) ? k : nowhere);
    if (lane == place % 32) mine = {first + i, first + k, first + j};
    if (place % 32 == 31 || place + 3 == points) {
      if (lane <= place % 32) nodes[place - place % 32 + lane] = mine;
    }
    const bool left = k - i >= 2, right = j - k >= 2;
    if (left && right) {
      if (lane == 0) pending[depth] = k << 16 | j;
      ++depth;
    }
    if (left) {
      j = k;
    } else if (right) {
      i = k;
    } else if (depth > 0) {
      __syncwarp();
      const unsigned next = pending[--depth];
      i = next >> 16;
      j = next & 0xffff;
      __syncwarp();
    }
  }
}

/// The structures of short intervals, a block each, or of all polygons if `all` is true. Dynamic shared memory: the
/// interval's part of the table and a stack.
template <class T>
__global__ void __launch_bounds__(short_threads)
    search_short_intervals(const __grid_constant__ Search<T> search, unsigned most, bool all) {
  extern __shared__ __align__(16) unsigned char bytes[];
  T* values = reinterpret_cast<T*>(bytes);
  const unsigned stride = IntervalCopy<T>(most).stride;
  auto* pending = reinterpret_cast<unsigned*>(values + most * stride);  // i * 2^16 + j
  const unsigned count = all ? search.job_count : search.counts->short_ones;
  for (unsigned at = blockIdx.x; at < count; at += gridDim.x) {
    const Open root = all ? Open{at, 0, 0, search.jobs[at].n - 1} : search.short_ones[at];
    copy_interval(search.jobs[root.job], root, values, stride);
    __syncthreads();
    if (threadIdx.x < 32) {
      find_triangles(values + root.i % Vector<T>::width, stride, root.j - root.i + 1, root.i, pending,
                     search.nodes + search.first_nodes[root.job] + root.place);
    }
    __syncthreads();
  }
}

/// Whether a block of each kernel fits on the devices of its policy.
template <class T>
constexpr bool fits(const SearchPolicy& policy, std::size_t chain_bytes) {
  const unsigned most = policy.max_short_vertices;
  const std::size_t found = search_threads / 32 * 8 * sizeof(Split<T>);  // of search_strip
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
