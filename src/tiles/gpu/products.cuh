#pragma once

#include "tiles/gpu/block.cuh"

/// The products of off-diagonal tiles: nearly all of the work.
namespace warpfold::tiles::device {

/// The chunks of a tile's products that a team adds, in order.
template <class Rules, int Depth>
struct WholeProducts {
  static constexpr unsigned of_product = tile_side / Depth;  ///< chunks
  const Task<Rules, Depth>& task;

  /// Where the terms of a chunk begin: the middle tile, and the row in it.
  struct Place {
    unsigned k, row;
  };
  [[nodiscard]] __device__ __forceinline__ unsigned chunks() const {
    return own_products<Rules>(task.diagonal() - 1) * of_product;
  }
  [[nodiscard]] __device__ __forceinline__ unsigned middle(unsigned product) const {
    return task.middle(own_product<Rules>(product));
  }
  [[nodiscard]] __device__ __forceinline__ Place place(unsigned chunk) const {
    return {task.tile.i + middle(chunk / of_product), chunk % of_product * Depth};
  }
  /// Whether a chunk's terms follow those of the chunk before.
  [[nodiscard]] __device__ __forceinline__ bool continues(unsigned chunk) const { return chunk % of_product != 0; }
};
template <class Rules, int Depth>
struct ChunkOrder : WholeProducts<Rules, Depth> {};

/// Which chunks of a tile's products may start. The first warp of the team finds out.
template <class Rules, int Depth>
struct Dependencies {
  unsigned allowed = 0;  ///< chunks whose operands are final
  unsigned front = 0;    ///< what `job.front` was at the last look

  /// Checks the next product when the pipeline is about to need it.
  __device__ __forceinline__ void look(const Task<Rules, Depth>& task, unsigned issued) {
    const ChunkOrder<Rules, Depth> order{task};
    while (allowed < order.chunks() && allowed <= issued) {
      const unsigned more = final_chunks(task, order, allowed);
      if (more == 0) return;
      allowed += more;
    }
  }

  /// Whether the operands of a product are final. One warp runs it.
  __device__ __forceinline__ bool are_final(const Task<Rules, Depth>& task, unsigned middle) {
    return look_at(task, middle).are_final;
  }

 private:
  /// The states of a product's operands, which are not read where the front shows that they are final.
  struct Operands {
    bool are_final;
    unsigned left = 0, below = 0;
  };
  /// Three lanes read the front and the two states at one time, so that the wait is one memory access, not three.
  __device__ __forceinline__ Operands look_at(const Task<Rules, Depth>& task, unsigned middle) {
    const unsigned d = task.diagonal(), longer = middle > d - middle ? middle : d - middle;
    if (longer < front) return {true};
    const unsigned k = task.tile.i + middle, lane = threadIdx.x;
    unsigned seen = 0;
    if (lane < 3) {
      unsigned* at = lane == 0   ? task.job.front
                     : lane == 1 ? task.job.ready + tile_number(task.tile.i, k)
                                 : task.job.ready + tile_number(k, task.tile.j);
      seen = Counter(*at).load(::cuda::memory_order_acquire);
    }
    front = __shfl_sync(all_lanes, seen, 0);
    const unsigned left = __shfl_sync(all_lanes, seen, 1), below = __shfl_sync(all_lanes, seen, 2);
    return {longer < front || (left & below & is_final) != 0, left, below};
  }
  /// The number of chunks from this one on whose operands are final.
  __device__ __forceinline__ unsigned final_chunks(const Task<Rules, Depth>& task,
                                                   const ChunkOrder<Rules, Depth>& order, unsigned chunk) {
    constexpr unsigned all = ChunkOrder<Rules, Depth>::of_product;
    const unsigned product = chunk / all, rest = all - chunk % all;
    const unsigned middle = order.middle(product);
    const Operands operands = look_at(task, middle);
    if (operands.are_final) return rest;
    if constexpr (requires { order.is_late(product); }) {
      const bool is_left = middle == 1;
      const unsigned other = is_left ? operands.left : operands.below, newer = is_left ? operands.below : operands.left;
      const bool half = (other & is_final) != 0 && (newer & is_final_but_corner) != 0;
      if (half && rest == all && order.is_late(product)) return all / 2;
    }
    return 0;
  }
};

/// Starts the copies of a tile's product chunks, one after the other.
template <class Rules, int Depth>
class ChunkSource {
 public:
  using T = typename Rules::Value;
  __device__ __forceinline__ explicit ChunkSource(const Task<Rules, Depth>& task) : task_(task) {}

  /// Starts the next copy, to the stage that begins at `stage` in shared memory.
  __device__ __forceinline__ void start_next(unsigned stage) {
    if (!order().continues(issued_)) open(order().place(issued_));
    T* shared = team_values<Rules, Depth>() + stage;
    constexpr int a_stride = Layout<T>::a_stride(Depth), a_size = Layout<T>::a_size(Depth);
    CopyA::template start<a_stride>(shared + CopyA::row() * a_stride + CopyA::column(), a_, tile_side);
    CopyB::template start<tile_side>(shared + a_size + CopyB::row() * tile_side + CopyB::column(), b_, tile_side);
    a_ += Depth;
    b_ += Depth * tile_side;
    ++issued_;
  }
  [[nodiscard]] __device__ __forceinline__ unsigned issued() const { return issued_; }
  /// The first k of a chunk, counted from 0 in the order of start_next.
  [[nodiscard]] __device__ __forceinline__ unsigned first_k(unsigned chunk) const {
    const auto place = order().place(chunk);
    return place.k * tile_side + place.row;
  }
  static constexpr unsigned chunks = tile_side / Depth;  // chunks of a product

 private:
  using CopyA = BlockCopy<tile_side, Depth, block_threads, T>;
  using CopyB = BlockCopy<Depth, tile_side, block_threads, T>;

  [[nodiscard]] __device__ __forceinline__ ChunkOrder<Rules, Depth> order() const { return {task_}; }
  template <class Place>
  __device__ __forceinline__ void open(Place place) {
    a_ = task_.left_operand(task_.tile.i, place.k) + CopyA::row() * tile_side + CopyA::column() + place.row;
    b_ = task_.right_operand(place.k, task_.tile.j) + (CopyB::row() + place.row) * tile_side + CopyB::column();
  }

  const Task<Rules, Depth>& task_;
  const T* a_ = nullptr;
  const T* b_ = nullptr;
  unsigned issued_ = 0;
};

/// A thread's results of the tile. Groups of threads share the terms of each chunk.
template <class Rules, int Depth>
class TileSum {
 public:
  using T = typename Rules::Value;
  using Shape = GroupShape<T>;
  static constexpr int groups = block_threads / Shape::threads;
  static constexpr int a_stride = Layout<T>::a_stride(Depth);

  __device__ __forceinline__ explicit TileSum(const Task<Rules, Depth>& task) {
    for_each([&](int u, int v, int, int) { value_[u][v] = Rules::zero(); });
    if constexpr (Rules::splits_by_product) {
      for_each([&](int u, int v, int i, int j) {
        if (v == 0) left_[u] = task.rules.left(task.tile.i * tile_side + i);
        if (u == 0) right_[v] = task.rules.right(task.tile.j * tile_side + j);
      });
    }
  }

  /// Adds the terms of a chunk in shared memory, whose first k is `first_k` in the table.
  __device__ __forceinline__ void add_chunk(const Task<Rules, Depth>& task, const T* chunk, unsigned first_k) {
    constexpr int terms = Depth / groups;
    const T* a = chunk + group() * terms;
    const T* b = chunk + Layout<T>::a_size(Depth) + group() * terms * tile_side;
    const unsigned first_i = task.tile.i * tile_side + row(0), first_j = task.tile.j * tile_side;
    first_k += group() * terms;
    if constexpr (Rules::splits_by_product) return add_with_products<terms>(task.rules, a, b, first_k);
    const auto visit = [&](int u, int v, int k, T a0, T b0, T a1, T b1) {
      value_[u][v] = task.rules.accumulate(value_[u][v], a0, b0, a1, b1, first_i + u * Shape::thread_rows, first_k + k,
                                           first_j + column(v));
    };
    if constexpr (Rules::loads_ahead) {
      each_pair_of_terms_ahead<terms, a_stride, tile_side>(a, b, thread() / 8, thread() % 8, visit);
    } else {
      each_pair_of_terms<terms, a_stride, tile_side>(a, b, thread() / 8, thread() % 8, visit);
    }
  }

  /// Combines the groups' results into the tile in shared memory, with two barriers. Without products the tile is all
  /// zero(), but the first edge right of the diagonal starts as one(), like every empty product.
  __device__ __forceinline__ void store(const Task<Rules, Depth>& task) const {
    for (int turn = 0; turn < groups; ++turn) {
      if (group() == turn) {
        for_each([&](int u, int v, int i, int j) {
          T& cell = team_values<Rules, Depth>()[i * Layout<T>::tile_stride + j];
          cell = turn == 0 ? value_[u][v] : Rules::plus(cell, value_[u][v]);
        });
      }
      sync_team<Rules>();
    }
    if (is_first_thread<Rules>() && task.diagonal() == 1) {
      shared_values<T>()[(tile_side - 1) * Layout<T>::tile_stride] = Rules::one();
    }
  }

 private:
  static __device__ __forceinline__ int thread() { return static_cast<int>(threadIdx.x) % Shape::threads; }
  static __device__ __forceinline__ int group() { return static_cast<int>(threadIdx.x) / Shape::threads; }
  static __device__ __forceinline__ int row(int u) { return thread() / 8 + u * Shape::thread_rows; }
  static __device__ __forceinline__ int column(int v) { return column_of<T>(thread() % 8, v); }

  template <class Visit>
  static __device__ __forceinline__ void for_each(Visit&& visit) {
#pragma unroll
    for (int u = 0; u < Shape::rows; ++u)
#pragma unroll
      for (int v = 0; v < Shape::columns; ++v) visit(u, v, row(u), column(v));
  }

  /// each_pair_of_terms with the factors of a product split. Those of a thread's rows and columns stay in registers.
  /// The middle ones are loaded while the previous pair of terms is added, and so are the left operands of f32, which
  /// has registers for them: 5 % of any sign, 3 % not negative. i32 loses 1 %.
  template <int Terms>
  __device__ __forceinline__ void add_with_products(const Rules& rules, const T* a, const T* b, unsigned first_k) {
    struct alignas(2 * sizeof(T)) Pair {
      T k[2];
    };
    constexpr bool loads_left_ahead = std::is_same_v<T, float>;
    const auto left_pair = [&](int u, int k) { return *reinterpret_cast<const Pair*>(a + row(u) * a_stride + k); };
    T middle[2] = {rules.middle(first_k), rules.middle(first_k + 1)};
    Pair left[Shape::rows];
#pragma unroll
    for (int u = 0; loads_left_ahead && u < Shape::rows; ++u) left[u] = left_pair(u, 0);
#pragma unroll(splits_unrolled)
    for (int k = 0; k < Terms; k += 2) {
      T from_b[2][Shape::columns], factor[2][Shape::columns];
#pragma unroll
      for (int x = 0; x < 2; ++x) {
        load_row(from_b[x], b + (k + x) * tile_side, thread() % 8);
#pragma unroll
        for (int v = 0; v < Shape::columns; ++v) factor[x][v] = middle[x] * right_[v];
        middle[x] = rules.middle(first_k + k + 2 + x);
      }
#pragma unroll
      for (int u = 0; u < Shape::rows; ++u) {
        if (!loads_left_ahead) left[u] = left_pair(u, k);
#pragma unroll
        for (int v = 0; v < Shape::columns; ++v) {
          value_[u][v] = Rules::accumulate_products(value_[u][v], left[u].k[0], from_b[0][v], factor[0][v],
                                                    left[u].k[1], from_b[1][v], factor[1][v], left_[u]);
        }
        if (loads_left_ahead) left[u] = left_pair(u, (k + 2) % Terms);
      }
    }
  }
  static constexpr int splits_unrolled = std::is_integral_v<T> ? 2 : 1;  // more: 2 to 4 % slower (code of 20 KB)

  T value_[Shape::rows][Shape::columns];
  T left_[Rules::splits_by_product ? Shape::rows : 1], right_[Rules::splits_by_product ? Shape::columns : 1];
};

/// All products of two off-diagonal tiles. A round starts one chunk, or a bubble if none is ready. It works on the
/// chunk that was started `stages`-1 rounds before, and has one barrier. Bytes moved: 2/64 values per result from L2.
template <class Rules, int Depth>
__device__ __forceinline__ void add_products(const Task<Rules, Depth>& task, TileSum<Rules, Depth>& sum) {
  using T = typename Rules::Value;
  constexpr unsigned stages = Layout<T>::stages, stage_size = Layout<T>::stage_size(Depth);
  __shared__ unsigned allowed_of_teams[teams_of<Rules>()][2];
  unsigned* const allowed = allowed_of_teams[teams_of<Rules>() == 1 ? 0 : threadIdx.y];

  Dependencies<Rules, Depth> dependencies;
  ChunkSource<Rules, Depth> source(task);
  const unsigned total = own_products<Rules>(task.diagonal() - 1) * source.chunks;
  unsigned done = 0, history = 0;  // history bit r: r rounds ago a chunk was started
  unsigned stage = 0;              // the place of this round's chunk
  for (unsigned round = 0; done < total; ++round) {
    if (threadIdx.x < 32) {
      dependencies.look(task, source.issued());
      if (threadIdx.x == 0) allowed[round % 2] = dependencies.allowed;
    }
    copy_wait<stages - 2>();
    sync_team<Rules>();
    history <<= 1;
    if (source.issued() < allowed[round % 2]) {
      source.start_next(stage);
      history |= 1;
    }
    copy_commit();
    stage = stage == (stages - 1) * stage_size ? 0 : stage + stage_size;
    if (history >> (stages - 1) & 1) {
      // `stage` is the oldest chunk, which the next round replaces.
      sum.add_chunk(task, team_values<Rules, Depth>() + stage, Rules::splits ? source.first_k(done) : 0);
      ++done;
    }
  }
  sync_team<Rules>();
}

}  // namespace warpfold::tiles::device
