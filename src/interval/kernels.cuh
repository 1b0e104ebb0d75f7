#pragma once

#include <cuda/atomic>

#include "interval/dataflow.hpp"
#include "interval/tile_table.hpp"
#include "minplus/kernels.cuh"

/// The tiled triangulation solver on the device (docs/kernels/interval.md). One persistent kernel: a block takes a
/// tile, adds up its products in registers as soon as their operands are final, closes it and says so.
namespace warpfold::interval::device {

using minplus::device::Accumulator;
using minplus::device::chunk_depth;
using minplus::device::GroupShape;
using minplus::device::tile_side;
using minplus::device::Vector;

inline constexpr int block_threads = 128;
inline constexpr int warps = block_threads / 32;
inline constexpr int sub = 16;  ///< side of the sub-blocks that one warp closes
inline constexpr int subs = tile_side / sub;
inline constexpr unsigned all_lanes = 0xffffffffU;

using Counter = ::cuda::atomic_ref<unsigned, ::cuda::thread_scope_device>;

/// One polygon of a plan. `ready`, `closed` and `front` are zero when a solve starts.
template <class T>
struct Job {
  unsigned n;
  unsigned tiles;
  std::size_t first_weight;  ///< its n x n weights start here
  T* table;
  unsigned* ready;   ///< per tile: 1 once it is final
  unsigned* closed;  ///< per tile diagonal: its final tiles
  unsigned* front;   ///< tile diagonals 0 .. front-1 are final
};

/// The arguments of a solve.
template <class T>
struct Solve {
  const Job<T>* jobs;
  const unsigned* first_tasks;  ///< per job, and the end
  unsigned job_count;
  const T* weights;
  std::size_t stride;  ///< of the weights' rows; 0: each job's n
  T infinite;
  unsigned* ticket;  ///< zero when a solve starts
  unsigned* stop;    ///< no further tile once it is not zero
};

/// Shared memory in values. The chunks on their way and, once the products are done, the tile share one area.
template <class T>
struct Layout {
  static constexpr int blocks = sizeof(T) == 4 ? 3 : 2;  // of a multiprocessor
  static constexpr int width = Vector<T>::width;
  static constexpr int a_size = tile_side * GroupShape<T>::a_stride;
  static constexpr int stage_size = a_size + chunk_depth<T> * tile_side;
  static constexpr int stages = sizeof(T) == 4 ? 2 : 3;  // chunks that lie in shared memory or are on their way
  static constexpr int tile_stride = tile_side + width;
  static constexpr int tile_size = tile_side * tile_stride;
  static constexpr int sub_stride = sub + width;
  static constexpr int sub_size = sub * sub_stride;
  static constexpr int corner_subs = subs * (subs + 1) / 2;  // the upper half of a diagonal tile
  static constexpr int corner_size = corner_subs * sub_size;
  static constexpr int products_size = stages * stage_size;
  static constexpr int close_size = tile_size + warps * sub_size;
  static constexpr int left = products_size > close_size ? products_size : close_size;
  static constexpr int below = left + corner_size;
  static constexpr int shared_size = below + corner_size;
  static constexpr std::size_t shared_bytes = shared_size * sizeof(T);
};

/// The block's shared memory as values. Places in it are offsets, so that every access is known to be a shared one.
template <class T>
__device__ __forceinline__ T* shared_values() {
  extern __shared__ __align__(16) unsigned char bytes[];
  return reinterpret_cast<T*>(bytes);
}

template <class T>
struct alignas(16) Four {
  T value[4];
};

/// A 16 x 16 sub-block in shared memory.
template <class T>
struct SubBlock {
  int offset;
  int stride;
  __device__ __forceinline__ int at(int i, int j) const { return offset + i * stride + j; }
  __device__ __forceinline__ T& operator()(int i, int j) const { return shared_values<T>()[at(i, j)]; }
  __device__ __forceinline__ Four<T> four(int i, int j) const {
    return *reinterpret_cast<const Four<T>*>(shared_values<T>() + at(i, j));
  }
};

/// Sub-block (a,b) of the block's own tile, which starts at 0.
template <class T>
__device__ __forceinline__ SubBlock<T> of_tile(int a, int b) {
  return {a * sub * Layout<T>::tile_stride + b * sub, Layout<T>::tile_stride};
}
/// Sub-blocks (a,b), a <= b, of the diagonal tile to the left, and of the one below.
template <class T>
__device__ __forceinline__ SubBlock<T> of_left(int a, int b) {
  return {Layout<T>::left + (b * (b + 1) / 2 + a) * Layout<T>::sub_size, Layout<T>::sub_stride};
}
template <class T>
__device__ __forceinline__ SubBlock<T> of_below(int a, int b) {
  return {Layout<T>::below + (b * (b + 1) / 2 + a) * Layout<T>::sub_size, Layout<T>::sub_stride};
}

template <class T>
__device__ __forceinline__ T lesser(T x, T y) {
  return minplus::device::least(x, y);
}
/// close_entry of close.hpp. (Not called: std::min would take the address of a constant that only the host has.)
template <class T>
__device__ __forceinline__ T close_value(T best, T weight, T infinite) {
  if constexpr (std::is_floating_point_v<T>) {
    return best + weight;
  } else {
    const T value = lesser(best, infinity<T>) + weight;
    return value < infinite ? value : infinity<T>;
  }
}

/// What a warp keeps of a sub-block during products: rows lane/4 and lane/4 + 8, columns 4 * (lane%4) .. + 3.
template <class T>
struct SubAccumulator {
  T value[2][4];

  __device__ __forceinline__ void load(SubBlock<T> c, int lane) {
    for_each(lane, [&](int u, int v, int i, int j) { value[u][v] = c(i, j); });
  }
  __device__ __forceinline__ void store(SubBlock<T> c, int lane) const {
    for_each(lane, [&](int u, int v, int i, int j) { c(i, j) = value[u][v]; });
  }
  /// value = min(value, a (x) b): 24 wide loads (f32) for 4096 terms of the warp.
  __device__ __forceinline__ void add(SubBlock<T> a, SubBlock<T> b, int lane) {
#pragma unroll
    for (int k = 0; k < sub; k += 4) {
      const Four<T> left[2] = {a.four(lane / 4, k), a.four(lane / 4 + 8, k)};
#pragma unroll
      for (int x = 0; x < 4; ++x) {
        const Four<T> right = b.four(k + x, lane % 4 * 4);
#pragma unroll
        for (int v = 0; v < 4; ++v) {
          value[0][v] = lesser(value[0][v], left[0].value[x] + right.value[v]);
          value[1][v] = lesser(value[1][v], left[1].value[x] + right.value[v]);
        }
      }
    }
  }

 private:
  template <class Visit>
  static __device__ __forceinline__ void for_each(int lane, Visit&& visit) {
#pragma unroll
    for (int u = 0; u < 2; ++u)
#pragma unroll
      for (int v = 0; v < 4; ++v) visit(u, v, lane / 4 + 8 * u, lane % 4 * 4 + v);
  }
};

/// What every lane's neighbour `d` lanes below in its half of the warp has; its own where there is none. In the order
/// in which the program asks.
template <class T>
__device__ __forceinline__ T from_below(T value, int d) {
  if constexpr (sizeof(T) == 4) {
    unsigned bits;
    asm volatile("shfl.sync.up.b32 %0, %1, %2, 0x1000, 0xffffffff;"
                 : "=r"(bits)
                 : "r"(__builtin_bit_cast(unsigned, value)), "r"(d));
    return __builtin_bit_cast(T, bits);
  } else {
    return __shfl_up_sync(all_lanes, value, d, 16);
  }
}

/// One warp finishes a sub-block c, which holds the minimum over all other k, against the finished corners l (to its
/// left, k > i) and r (below, k < j) and the weights w, in 31 steps: step t finishes the cells with (15-i) + j = t.
///
/// Both halves of the warp hold every cell, in different lanes: in the lower half lane u has row 15-u, in the upper
/// half column u, and register t%16 of either is the cell of step t. A finished cell reaches what depends on it by
/// shuffles that every lane does with the same distance: down the columns in the lower half (with l, constant per lane
/// and distance), along the rows in the upper half (with r). Distance 1 of the other half's kind stays inside the lane,
/// so a step waits for one shuffle. No block barrier; 17 shuffles a step. Measured: 166 cycles a step. Rolled up (the
/// cells move on by a register a step, 1 KB of code instead of 25) it took 185.
template <class T>
__device__ __noinline__ void close_sub_block(SubBlock<T> c, SubBlock<T> l, SubBlock<T> r, SubBlock<T> w, T infinite) {
  const int lane = static_cast<int>(threadIdx.x) % 32, u = lane % 16;
  const bool by_rows = lane < 16;
  const int farther = by_rows ? 1 : -r.stride, own = by_rows ? l.at(15 - u, 15 - u) : r.at(u, u);
  const T* shared = shared_values<T>();
  T distance[sub], cell[sub];
#pragma unroll
  for (int d = 1; d < sub; ++d) {
    const T coefficient = shared[own + (d <= u ? d : 0) * farther];
    distance[d] = d <= u ? coefficient : infinity<T>;
  }
#pragma unroll
  for (int t = 0; t < sub; ++t) {
    const T sum = c(15 - u, (t - u) & 15);
    cell[t] = by_rows ? sum : infinity<T>;
  }

  __syncwarp();  // every lane has read what the steps replace

  // At step t the lane's cell is q = t - u places along its row, or up its column. What is read for a cell outside of
  // the sub-block has no effect.
  const int weight_step = by_rows ? 1 : -w.stride, near_step = by_rows ? r.stride + 1 : -(l.stride + 1);
  const int first_weight = by_rows ? w.at(15 - u, 0) : w.at(15, u);
  const int first_near = by_rows ? r.at(-1, 0) : l.at(15, 16);
  const auto weight_of = [&](int q) { return shared[q >= 0 && q < sub ? first_weight + q * weight_step : w.offset]; };
  const auto near_of = [&](int q) { return shared[q >= 1 && q < sub ? first_near + q * near_step : l.offset]; };
  const auto other_of = [&](int t, int q) {
    return __shfl_sync(all_lanes, cell[t % sub], (by_rows ? 16 : 0) | (q & 15));
  };
  T value = infinity<T>;      // what the lane finished in the last step
  T other = other_of(0, -u);  // the other half's minimum for the lane's next cell, without distance 1
  T weight = weight_of(-u), near = near_of(-u);
#pragma unroll
  for (int t = 0; t < 2 * sub - 1; ++t) {
    const int q = t - u;
    const bool inside = q >= 0 && q < sub;
    const T best = lesser(lesser(other, value + near), cell[t % sub]);
    value = inside ? close_value(best, weight, infinite) : infinity<T>;
    const T first = from_below(value, 1);
    other = other_of(t + 1, q + 1);
    weight = weight_of(q + 1);
    near = near_of(q + 1);
    cell[(t + 1) % sub] = lesser(cell[(t + 1) % sub], first + distance[1]);
    if (inside && by_rows) c(15 - u, q) = value;
#pragma unroll
    for (int d = 2; d < sub; ++d) {
      if (t + d > 2 * sub - 2) break;
      T& next = cell[(t + d) % sub];
      next = lesser(next, from_below(value, d) + distance[d]);
    }
  }
}

/// One warp finishes a sub-block on the diagonal of the table, cells i < j of it, from the weights alone.
template <class T>
__device__ __noinline__ void close_corner(SubBlock<T> c, SubBlock<T> w, T infinite) {
  const int i = static_cast<int>(threadIdx.x) % 32;
  for (int e = 1; e < sub; ++e) {
    const int j = i + e;
    if (j < sub) {
      T best = c(i, j);
      for (int k = i + 1; k < j; ++k) best = lesser(best, c(i, k) + c(k, j));
      c(i, j) = close_value(best, w(i, j), infinite);
    }
    __syncwarp();
  }
}

/// What a block knows of its tile.
template <class T>
struct Task {
  const Solve<T>& solve;
  Job<T> job;
  TilePlace tile;

  __device__ unsigned diagonal() const { return tile.j - tile.i; }
  __device__ __forceinline__ T* global(unsigned i, unsigned j) const {
    return job.table + std::size_t{j * (j + 1) / 2 + i} * (tile_side * tile_side);  // tile_offset in 32 bits
  }
  __device__ Counter ready(unsigned i, unsigned j) const { return Counter(job.ready[tile_number(i, j)]); }
};

/// The weight of (i,j) as the recurrence uses it: 0 for edges and for the root, infinity for forbidden chords and
/// outside of the polygon.
template <class T>
__device__ __forceinline__ T weight_of(const Task<T>& task, unsigned i, unsigned j) {
  const unsigned n = task.job.n;
  if (j >= n || i >= j) return infinity<T>;
  if (j == i + 1 || (i == 0 && j == n - 1)) return 0;
  const std::size_t stride = task.solve.stride ? task.solve.stride : n;
  return lesser(task.solve.weights[task.job.first_weight + i * stride + j], infinity<T>);
}

/// The tile's own place in the table first takes its weights, so that they are near when the tile is closed.
template <class T>
__device__ void fetch_weights(const Task<T>& task) {
  T* own = task.global(task.tile.i, task.tile.j);
#pragma unroll 8
  for (unsigned at = threadIdx.x; at < tile_side * tile_side; at += block_threads) {
    own[at] = weight_of(task, task.tile.i * tile_side + at / tile_side, task.tile.j * tile_side + at % tile_side);
  }
}

/// The weights of a sub-block of the tile on their way: in a warp's registers, then in its scratch.
template <class T>
struct SubWeights {
  T value[sub * sub / 32];

  /// From the tile's place in the table.
  __device__ __forceinline__ void load(const Task<T>& task, int a, int b, int lane) {
    const T* own = task.global(task.tile.i, task.tile.j) + a * sub * tile_side + b * sub;
#pragma unroll
    for (int x = 0; x < sub * sub / 32; ++x) {
      value[x] = __ldcg(own + (x * 2 + lane / 16) * tile_side + lane % 16);
    }
  }
  /// From where the caller has them.
  __device__ __forceinline__ void fetch(const Task<T>& task, int a, int b, int lane) {
    const unsigned i = task.tile.i * tile_side + a * sub + lane / 16, j = task.tile.j * tile_side + b * sub + lane % 16;
#pragma unroll
    for (int x = 0; x < sub * sub / 32; ++x) value[x] = weight_of(task, i + x * 2, j);
  }
  __device__ __forceinline__ SubBlock<T> store(int warp, int lane) const {
    const SubBlock<T> w{Layout<T>::tile_size + warp * Layout<T>::sub_size, Layout<T>::sub_stride};
#pragma unroll
    for (int x = 0; x < sub * sub / 32; ++x) w(x * 2 + lane / 16, lane % 16) = value[x];
    return w;
  }
};

/// Which products of a tile may start; the first warp of the block asks.
template <class T>
struct Dependencies {
  unsigned allowed = 0;  ///< products whose operands are final
  unsigned front = 0;    ///< what `job.front` was at the last look

  /// Looks for the next product where the pipeline is about to need it.
  __device__ __forceinline__ void look(const Task<T>& task, unsigned issued_products) {
    const unsigned products = task.diagonal() - 1;
    while (allowed < products && allowed <= issued_products && final(task, middle_out(allowed, task.diagonal()))) {
      ++allowed;
    }
  }

 private:
  /// Three lanes look at the front and at the two operands at once, so that the wait is one of memory, not three.
  __device__ __forceinline__ bool final(const Task<T>& task, unsigned middle) {
    const unsigned d = task.diagonal(), longer = middle > d - middle ? middle : d - middle;
    if (longer < front) return true;
    const unsigned k = task.tile.i + middle, lane = threadIdx.x;
    unsigned seen = 0;
    if (lane < 3) {
      unsigned* at = lane == 0   ? task.job.front
                     : lane == 1 ? task.job.ready + tile_number(task.tile.i, k)
                                 : task.job.ready + tile_number(k, task.tile.j);
      seen = Counter(*at).load(::cuda::memory_order_acquire);
    }
    front = __shfl_sync(all_lanes, seen, 0);
    const bool operands = __shfl_sync(all_lanes, seen, 1) != 0 && __shfl_sync(all_lanes, seen, 2) != 0;
    return longer < front || operands;
  }
};

/// Starts copying one chunk of the tile's products after the other.
template <class T>
class ChunkSource {
 public:
  __device__ __forceinline__ explicit ChunkSource(const Task<T>& task) : task_(task) {}

  /// To the stage that starts at `stage` in shared memory.
  __device__ __forceinline__ void start_next(unsigned stage) {
    if (issued_ % chunks == 0) open_product(issued_ / chunks);
    T* shared = shared_values<T>() + stage;
    CopyA::template start<GroupShape<T>::a_stride>(shared + CopyA::row() * GroupShape<T>::a_stride + CopyA::column(),
                                                   a_, tile_side);
    CopyB::template start<tile_side>(shared + Layout<T>::a_size + CopyB::row() * tile_side + CopyB::column(), b_,
                                     tile_side);
    a_ += chunk_depth<T>;
    b_ += chunk_depth<T> * tile_side;
    ++issued_;
  }
  [[nodiscard]] __device__ __forceinline__ unsigned issued() const { return issued_; }
  static constexpr unsigned chunks = tile_side / chunk_depth<T>;  // of a product

 private:
  using CopyA = minplus::device::BlockCopy<tile_side, chunk_depth<T>, block_threads, T>;
  using CopyB = minplus::device::BlockCopy<chunk_depth<T>, tile_side, block_threads, T>;

  __device__ __forceinline__ void open_product(unsigned product) {
    const unsigned k = task_.tile.i + middle_out(product, task_.diagonal());
    a_ = task_.global(task_.tile.i, k) + CopyA::row() * tile_side + CopyA::column();
    b_ = task_.global(k, task_.tile.j) + CopyB::row() * tile_side + CopyB::column();
  }

  const Task<T>& task_;
  const T* a_ = nullptr;
  const T* b_ = nullptr;
  unsigned issued_ = 0;
};

/// All products of two off-diagonal tiles. A round starts one chunk or, where none is ready, a bubble; works on what
/// was started `stages`-1 rounds ago; and has one barrier. Groups of threads share each chunk's terms. Bytes moved:
/// 2/64 values per result from L2.
template <class Arith>
__device__ __forceinline__ void add_products(const Task<typename Arith::Value>& task, Accumulator<Arith>& sum) {
  using T = typename Arith::Value;
  using Shape = GroupShape<T>;
  constexpr int groups = block_threads / Shape::threads, terms = chunk_depth<T> / groups;
  constexpr unsigned stages = Layout<T>::stages, stage_size = Layout<T>::stage_size;
  __shared__ unsigned allowed[2];
  const int thread = static_cast<int>(threadIdx.x) % Shape::threads;
  const int group = static_cast<int>(threadIdx.x) / Shape::threads;

  Dependencies<T> dependencies;
  ChunkSource<T> source(task);
  const unsigned total = (task.diagonal() - 1) * source.chunks;
  unsigned done = 0, history = 0;  // history bit r: r rounds ago a chunk was started
  unsigned stage = 0;              // where this round's chunk goes
  for (unsigned round = 0; done < total; ++round) {
    if (threadIdx.x < 32) {
      dependencies.look(task, source.issued() / source.chunks);
      if (threadIdx.x == 0) allowed[round % 2] = dependencies.allowed * source.chunks;
    }
    minplus::device::copy_wait<stages - 2>();
    __syncthreads();
    history <<= 1;
    if (source.issued() < allowed[round % 2]) {
      source.start_next(stage);
      history |= 1;
    }
    minplus::device::copy_commit();
    stage = stage == (stages - 1) * stage_size ? 0 : stage + stage_size;
    if (history >> (stages - 1) & 1) {
      const T* a = shared_values<T>() + stage;  // the oldest chunk, which the next round replaces
      sum.template add<terms, tile_side>(a + group * terms, a + Layout<T>::a_size + group * terms * tile_side,
                                         thread / 8, thread % 8);
      ++done;
    }
  }
  __syncthreads();
}

/// The groups' sums become the tile in shared memory, two barriers. Without products it is all infinite; the first edge
/// right of the diagonal starts as 0, like every empty sum.
template <class Arith>
__device__ void merge_sums(const Task<typename Arith::Value>& task, const Accumulator<Arith>& sum) {
  using T = typename Arith::Value;
  using Shape = GroupShape<T>;
  const int thread = static_cast<int>(threadIdx.x) % Shape::threads;
  const int group = static_cast<int>(threadIdx.x) / Shape::threads;
  for (int turn = 0; turn < block_threads / Shape::threads; ++turn) {
    if (group == turn) {
#pragma unroll
      for (int u = 0; u < Shape::rows; ++u) {
#pragma unroll
        for (int v = 0; v < Shape::columns; ++v) {
          const int row = thread / 8 + u * Shape::thread_rows;
          T& cell = shared_values<T>()[row * Layout<T>::tile_stride + minplus::device::column_of<T>(thread % 8, v)];
          cell = turn == 0 ? sum.value[u][v] : lesser(cell, sum.value[u][v]);
        }
      }
    }
    __syncthreads();
  }
  if (threadIdx.x == 0 && task.diagonal() == 1) shared_values<T>()[(tile_side - 1) * Layout<T>::tile_stride] = 0;
}

/// Adds the products of sub-block (a,b) with the finished ones of its own row and column.
template <class T>
__device__ __forceinline__ void add_sub_products(int a, int b, int lane) {
  SubAccumulator<T> sum;
  const SubBlock<T> c = of_tile<T>(a, b);
  sum.load(c, lane);
  for (int k = a + 1; k < subs; ++k) sum.add(of_left<T>(a, k), of_tile<T>(k, b), lane);
  for (int k = 0; k < b; ++k) sum.add(of_tile<T>(a, k), of_below<T>(k, b), lane);
  sum.store(c, lane);
}

/// Finishes an off-diagonal tile whose products are in shared memory: its 16 sub-blocks in 7 waves, a warp each. The
/// weights of a warp's next sub-block are on their way while it closes one.
template <class T>
__device__ __forceinline__ void close_tile(const Task<T>& task) {
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  constexpr int waves = 2 * subs - 1;
  SubWeights<T> weights;
  const auto fetch = [&](int wave) {
    const int b = (wave < subs ? 0 : wave - subs + 1) + warp, a = subs - 1 - wave + b;
    if (b <= wave && b < subs && a < subs) weights.load(task, a, b, lane);
  };
  fetch(0);
  for (int wave = 0; wave < waves; ++wave) {
    const int b = (wave < subs ? 0 : wave - subs + 1) + warp, a = subs - 1 - wave + b;
    __syncthreads();
    if (b > wave || b >= subs || a >= subs) {
      fetch(wave + 1);
      continue;
    }
    const SubBlock<T> w = weights.store(warp, lane);
    fetch(wave + 1);
    add_sub_products<T>(a, b, lane);
    __syncwarp();
    close_sub_block(of_tile<T>(a, b), of_left<T>(a, a), of_below<T>(b, b), w, task.solve.infinite);
  }
  __syncthreads();
}

/// Finishes a tile on the diagonal: its sub-blocks diagonal by diagonal, a warp each.
template <class T>
__device__ __forceinline__ void close_diagonal_tile(const Task<T>& task) {
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  for (int at = static_cast<int>(threadIdx.x); at < Layout<T>::tile_size; at += block_threads) {
    const int i = at / Layout<T>::tile_stride, j = at % Layout<T>::tile_stride;
    shared_values<T>()[at] = j == i + 1 ? T{0} : infinity<T>;
  }
  SubWeights<T> weights;
  weights.fetch(task, warp, warp, lane);
  for (int e = 0; e < subs; ++e) {
    const int a = warp, b = warp + e;
    __syncthreads();
    if (b >= subs) continue;
    const SubBlock<T> w = weights.store(warp, lane), c = of_tile<T>(a, b);
    if (b + 1 < subs) weights.fetch(task, a, b + 1, lane);
    SubAccumulator<T> sum;
    sum.load(c, lane);
    for (int k = a + 1; k < b; ++k) sum.add(of_tile<T>(a, k), of_tile<T>(k, b), lane);
    sum.store(c, lane);
    __syncwarp();
    if (e == 0) {
      close_corner(c, w, task.solve.infinite);
    } else {
      close_sub_block(c, of_tile<T>(a, a), of_tile<T>(b, b), w, task.solve.infinite);
    }
  }
  __syncthreads();
}

/// Writes the tile to the table and tells the other blocks, in this order.
template <class T>
__device__ void publish(const Task<T>& task) {
  constexpr int vectors = tile_side / Vector<T>::width;
  auto* own = reinterpret_cast<Vector<T>*>(task.global(task.tile.i, task.tile.j));
  for (int at = static_cast<int>(threadIdx.x); at < tile_side * vectors; at += block_threads) {
    own[at] = *reinterpret_cast<const Vector<T>*>(shared_values<T>() + at / vectors * Layout<T>::tile_stride +
                                                  at % vectors * Vector<T>::width);
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  task.ready(task.tile.i, task.tile.j).store(1, ::cuda::memory_order_release);
  const unsigned d = task.diagonal();
  const unsigned before = Counter(task.job.closed[d]).fetch_add(1, ::cuda::memory_order_acq_rel);
  if (before + 1 == task.job.tiles - d) Counter(*task.job.front).fetch_max(d + 1, ::cuda::memory_order_release);
}

/// Waits until the two diagonal tiles are final and starts copying their upper sub-blocks to shared memory.
template <class T>
__device__ void fetch_corners(const Task<T>& task) {
  if (threadIdx.x == 0) {
    for (const unsigned t : {task.tile.i, task.tile.j}) {
      while (task.ready(t, t).load(::cuda::memory_order_acquire) == 0) __nanosleep(32);
    }
  }
  __syncthreads();
  constexpr int width = Vector<T>::width, row_vectors = sub / width;
  for (int at = static_cast<int>(threadIdx.x); at < Layout<T>::corner_subs * sub * row_vectors; at += block_threads) {
    const int number = at / (sub * row_vectors), row = at / row_vectors % sub, column = at % row_vectors * width;
    int b = 0;
    while (static_cast<int>(tile_number(0, b + 1)) <= number) ++b;
    const int a = number - static_cast<int>(tile_number(0, b));
    const int from = (a * sub + row) * tile_side + b * sub + column;
    const int to = number * Layout<T>::sub_size + row * Layout<T>::sub_stride + column;
    minplus::device::copy_vector(shared_values<T>() + Layout<T>::left + to,
                                 task.global(task.tile.i, task.tile.i) + from);
    minplus::device::copy_vector(shared_values<T>() + Layout<T>::below + to,
                                 task.global(task.tile.j, task.tile.j) + from);
  }
  minplus::device::copy_commit();
}

template <class Arith>
__device__ void run_task(const Task<typename Arith::Value>& task) {
  if (task.diagonal() == 0) {
    close_diagonal_tile(task);
  } else {
    fetch_weights(task);
    fetch_corners(task);
    Accumulator<Arith> sum;
    sum.clear();
    add_products(task, sum);
    minplus::device::copy_wait<0>();
    merge_sums(task, sum);
    close_tile(task);
  }
  publish(task);
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

/// As many blocks as fit on the device. Each takes the next tile until none is left.
/// Shared memory: Layout<T>::shared_bytes; barriers: one a chunk of products and some 20 a tile.
template <class Arith>
__global__ void __launch_bounds__(block_threads, Layout<typename Arith::Value>::blocks)
    solve_tiles(const __grid_constant__ Solve<typename Arith::Value> solve) {
  using T = typename Arith::Value;
  __shared__ unsigned next;
  for (;;) {
    __syncthreads();
    if (threadIdx.x == 0) {
      const bool stop = Counter(*solve.stop).load(::cuda::memory_order_relaxed) != 0;
      next = stop ? ~0U : Counter(*solve.ticket).fetch_add(1, ::cuda::memory_order_relaxed);
    }
    __syncthreads();
    if (next >= solve.first_tasks[solve.job_count]) return;
    const unsigned j = job_of(solve.first_tasks, solve.job_count, next);
    const Task<T> task{solve, solve.jobs[j], task_tile(next - solve.first_tasks[j], solve.jobs[j].tiles)};
    run_task<Arith>(task);
  }
}

}  // namespace warpfold::interval::device
