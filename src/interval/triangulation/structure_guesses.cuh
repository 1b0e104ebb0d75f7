#pragma once

#include "interval/triangulation/structure_lists.cuh"

/// A block's chain of guesses: its window of the table, its guesses, and their acceptance.
namespace warpfold::interval::device {

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

}  // namespace warpfold::interval::device
