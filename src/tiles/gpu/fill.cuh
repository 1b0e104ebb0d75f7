#pragma once

#include "tiles/gpu/closing.cuh"
#include "tiles/gpu/products.cuh"

/// The kernel that fills tables. It is persistent: a block takes a tile, accumulates its products in registers as soon
/// as their operands are final, closes it and marks it final.
///
/// With several GPUs, each has a copy of the tables and of their flags. It reads only its own, and writes a closed tile
/// to all. One ticket serves all GPUs, so a tile waits only for tiles that running blocks took before it. Of the tiles
/// that are not final, the first by ticket waits for nothing. So no two kernels need to run at the same time.
///
/// A copy may belong to another process of the host (peer_tables.hpp), which fills its own part of it. A tile's state
/// says which copies get it.
///
/// If no GPU has room for a table (tile_shares.hpp), each tile far from the diagonal is on one GPU. The others read it
/// over the link.
namespace warpfold::tiles::device {

/// First copies the weights to the tile's own place in the table, so that they are near when the tile is closed.
template <class Rules, int Depth>
__device__ void fetch_weights(const Task<Rules, Depth>& task) {
  if constexpr (Rules::closing == ClosingKind::by_weight) {
    typename Rules::Value* own = task.global(task.tile.i, task.tile.j);
    const Origin origin = origin_of(task, 0, 0);
#pragma unroll 8
    for (unsigned at = thread_in_block<Rules>(); at < tile_side * tile_side; at += threads_of<Rules>) {
      own[at] = task.rules.weight(task.job, origin.i + at / tile_side, origin.j + at % tile_side);
    }
  }
}

/// Waits until the two diagonal tiles are final, and starts copying their upper sub-blocks to shared memory.
template <class Rules, int Depth>
__device__ void fetch_corners(const Task<Rules, Depth>& task) {
  using T = typename Rules::Value;
  if (is_first_thread<Rules>()) {
    for (const unsigned t : {task.tile.i, task.tile.j}) {
      while ((task.ready(t, t).load(::cuda::memory_order_acquire) & is_final) == 0) __nanosleep(32);
    }
  }
  __syncthreads();
  constexpr int width = Vector<T>::width, row_vectors = (tile_side + sub) / width;
  for (int at = thread_in_block<Rules>(); at < tile_side * row_vectors; at += threads_of<Rules>) {
    const int row = at / row_vectors, column = at % row_vectors * width, a = row / sub, b = column / sub;
    T* const to = shared_values<T>() + Layout<T>::corners(Depth) + row * Layout<T>::tile_stride + column;
    if (a < b) {
      copy_vector(to, task.global(task.tile.i, task.tile.i) + row * tile_side + column - sub);
    } else {
      copy_vector(to,
                  task.global(task.tile.j, task.tile.j) + (b * sub + row % sub) * tile_side + a * sub + column % sub);
    }
  }
  copy_commit();
}

/// Marks a tile final for the blocks that read this copy of a table. Leaves the other bits of its state.
template <class Word, class T>
__device__ void announce(const Job<T>& job, TilePlace tile) {
  Word(job.ready[tile_number(tile.i, tile.j)]).fetch_or(is_final, ::cuda::memory_order_release);
  const unsigned d = tile.j - tile.i;
  const unsigned before = Word(job.closed[d]).fetch_add(1, ::cuda::memory_order_acq_rel);
  if (before + 1 == job.tiles - d) Word(*job.front).fetch_max(d + 1, ::cuda::memory_order_release);
}

/// Writes Rows x Columns values of the tile, from (first_i, first_j) on, from shared memory to its place in a table:
/// visit(i, j, values) sees the vectors. `Threads` threads share them.
template <int Rows, int Columns, int Threads, class T, class Visit>
__device__ __forceinline__ void write_part(T* place, int first_i, int first_j, int thread, Visit&& visit) {
  constexpr int vectors = Columns / Vector<T>::width;
#pragma unroll(Threads == 32 ? 8 : 1)
  for (int at = thread; at < Rows * vectors; at += Threads) {
    const int i = first_i + at / vectors, j = first_j + at % vectors * Vector<T>::width;
    const auto values = *reinterpret_cast<const Vector<T>*>(shared_values<T>() + i * Layout<T>::tile_stride + j);
    *reinterpret_cast<Vector<T>*>(place + i * tile_side + j) = values;
    visit(i, j, values);
  }
}
template <class Rules, class T, class Visit>
__device__ void write_tile(T* place, Visit&& visit) {
  write_part<tile_side, tile_side, threads_of<Rules>>(place, 0, 0, thread_in_block<Rules>(), visit);
}

/// Checks the vectors of values that are written.
template <class Rules, int Depth>
__device__ __forceinline__ auto checked(const Task<Rules, Depth>& task) {
  return [&](int i, int j, const Vector<typename Rules::Value>& values) {
    if constexpr (Rules::checks) {
      const Origin origin = origin_of(task, 0, 0);
      for (int x = 0; x < Vector<typename Rules::Value>::width; ++x) {
        task.rules.check(origin.i + i, origin.j + j + x, values.value[x]);
      }
    }
  };
}

/// Writes the tile to the table, checks its values and marks it final, in this order.
template <class Rules, int Depth>
__device__ void publish(const Task<Rules, Depth>& task, bool to_one_gpu) {
  write_tile<Rules>(task.global(task.tile.i, task.tile.j), checked(task));
  __syncthreads();
  if (!is_first_thread<Rules>()) return;
  if (to_one_gpu) {
    announce<OwnCounter>(task.job, task.tile);
  } else {
    announce<Counter>(task.job, task.tile);
  }
}

/// The same for the copies that get the tile on other GPUs, of this process or of others. The tile's bytes cross the
/// link once for each copy.
template <class Rules, class T>
__device__ void publish_to_others(const Job<T>* jobs, unsigned job_count, unsigned copies, TilePlace tile) {
  const unsigned said = Counter(jobs->ready[tile_number(tile.i, tile.j)]).load(::cuda::memory_order_relaxed);
  for (unsigned copy = 1; copy < copies; ++copy) {
    // A block-wide decision: Workspace::release may change the state between two threads' reads.
    if (__syncthreads_or((said & withheld_from(copy)) != 0)) continue;
    const Job<T>& job = jobs[std::size_t{copy} * job_count];
    if (job.sharing.shares.is_near(tile)) {
      write_tile<Rules>(job.tile(tile.i, tile.j), [](int, int, const Vector<T>&) {});
    }
    __syncthreads();
    if (is_first_thread<Rules>()) announce<Counter>(job, tile);
  }
}

template <class Rules, int Depth>
__device__ void run_task(const Task<Rules, Depth>& task) {
  if (task.diagonal() == 0) {
    close_corners(task);
  } else {
    fetch_weights(task);
    fetch_corners(task);
    TileSum<Rules, Depth> sum(task);
    add_products(task, sum);
    copy_wait<0>();
    sum.store(task);
  }
  close_tile(task);
}

/// The job of a task: the last one whose first task is not beyond it.
inline __device__ unsigned job_of(const unsigned* first_tasks, unsigned jobs, unsigned task) {
  unsigned low = 0, high = jobs;
  while (high - low > 1) {
    const unsigned middle = (low + high) / 2;
    (first_tasks[middle] <= task ? low : high) = middle;
  }
  return low;
}

/// The next task if GPUs share a table: a tile of the diagonal in this GPU's own columns, or in another GPU's when all
/// of these are taken. A diagonal begins when all tiles of the one before are taken. So here, too, the first tile that
/// is not final waits for nothing.
template <class Rules>
__device__ unsigned take_shared_task(const Solve<Rules>& solve) {
  const Job<typename Rules::Value>& job = solve.jobs[0];
  Counter diagonal(solve.tickets[0]);
  for (;;) {
    const unsigned d = diagonal.load(::cuda::memory_order_relaxed);
    if (d >= job.tiles) return ~0U;
    for (unsigned turn = 0; turn < solve.copies; ++turn) {
      const unsigned gpu = (solve.gpu + turn) % solve.copies;
      Counter taken(solve.tickets[1 + d * solve.copies + gpu]);
      const unsigned i = solve.sharing.shares.row_of(taken.fetch_add(1, ::cuda::memory_order_relaxed), d, gpu);
      if (i + d >= job.tiles) continue;
      Counter(*solve.ticket).fetch_add(1, ::cuda::memory_order_relaxed);  // for queries of the progress
      return first_task(d, job.tiles) + i;
    }
    diagonal.fetch_max(d + 1, ::cuda::memory_order_relaxed);
  }
}

/// Whether another process makes the tile of a task.
template <class Rules>
__device__ bool comes(const Solve<Rules>& solve, unsigned task) {
  if (!solve.made || task >= solve.first_tasks[1]) return false;
  const Job<typename Rules::Value>& job = solve.jobs[0];
  const TilePlace tile = task_tile(task, job.tiles);
  const unsigned said = Counter(job.ready[tile_number(tile.i, tile.j)]).load(::cuda::memory_order_relaxed);
  return (said & comes_from_elsewhere) != 0;
}

/// The next task of this process. Tiles that come from elsewhere are skipped, and the order stays the same. Of all
/// tiles that are not final, the first by task waits only for final tiles to arrive. Its process has taken all earlier
/// tasks, which are final, so one of its blocks takes this one and finishes it.
template <class Rules>
__device__ unsigned take_task(const Solve<Rules>& solve) {
  for (;;) {
    if (solve.stop.is_asked()) return ~0U;
    const unsigned task =
        solve.tickets ? take_shared_task(solve) : Counter(*solve.ticket).fetch_add(1, ::cuda::memory_order_relaxed);
    if (!comes(solve, task)) return task;
  }
}

/// Tells the host that a tile is final on all GPUs: appends its number, counted from 1.
inline __device__ void note(unsigned* made, TilePlace tile) {
  if (threadIdx.x != 0) return;
  const unsigned at = Counter(made[0]).fetch_add(1, ::cuda::memory_order_relaxed);
  Counter(made[1 + at]).store(1 + tile_number(tile.i, tile.j), ::cuda::memory_order_release);
}

/// Fills tables. As many blocks as fit on the device; each takes the next tile until none is left. Shared memory:
/// Layout<T>::shared_bytes. Barriers: one for each chunk of products, some 20 for each tile, and two for each further
/// GPU.
template <class Rules, int Depth = by_capability>
__global__ void __launch_bounds__(block_threads* static_cast<int>(teams_of<Rules>()), blocks_of<Rules>())
    fill_tables(const __grid_constant__ Solve<Rules> solve) {
  constexpr int depth = depth_of<typename Rules::Value, Depth>;
  __shared__ unsigned next;
  for (;;) {
    __syncthreads();
    if (is_first_thread<Rules>()) next = take_task(solve);
    __syncthreads();
    if (next >= solve.first_tasks[solve.job_count]) return;
    const unsigned j = job_of(solve.first_tasks, solve.job_count, next);
    const Task<Rules, depth> task{solve.rules, solve.sharing, solve.jobs[j],
                                  task_tile(next - solve.first_tasks[j], solve.jobs[j].tiles)};
    run_task(task);
    publish(task, solve.copies == 1);
    if (solve.copies > 1) {
      const unsigned job = job_of(solve.first_tasks, solve.job_count, next);  // j anew, as thread_anew
      publish_to_others<Rules>(solve.jobs + job, solve.job_count, solve.copies, task.tile);
    }
    if (solve.made) note(solve.made, task.tile);
  }
}

}  // namespace warpfold::tiles::device
