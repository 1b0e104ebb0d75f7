#pragma once

#include <cuda/atomic>

#include "tiles/exchange/tile_shares.hpp"
#include "tiles/exchange/tile_tickets.hpp"
#include "tiles/gpu/chunks.cuh"
#include "tiles/layout.hpp"
#include "warpfold/tiles/tile_table.hpp"

/// The tiled solver of interval recurrences on the device (docs/explanation/kernels/interval.md). Read in this order:
/// block.cuh, what a thread block holds; products.cuh and closing.cuh, its two kinds of work; fill.cuh, the kernel;
/// by_teams.cuh, how it fills small tables.
///
/// `Rules` is the recurrence. It is a kernel's argument and therefore small:
///
///     using Value;                                                       of 4 or 8 bytes
///     static Value zero(), one(), plus(x, y), times(x, y);               the semiring
///     static constexpr bool commutes;                                    whether times does
///     Value join(left, right, i, k, j);                                  times, and the split if there is one
///     Value accumulate(best, left0, right0, left1, right1, i, k, j);     plus both joins, at k and at k+1
///     static constexpr bool splits, splits_by_product;                   whether these two look at i, k and j, and so:
///     Value left(i), middle(k), right(j);                                the factors, up to 64 beyond whole tiles
///     Value join_product(x, y, left, middle, right);                     join of values in any order, and factors
///     Value accumulate_products(best, x0, y0, factor0, x1, y1, factor1, left);   factor: middle * right
///     static constexpr ClosingKind closing;                              what value(i,j) is made of, besides best:
///     Value weight(const Job<Value>&, i, j);                             by_weight: leaf(i) where j = i+1,
///                                                                        zero() where i >= j or j >= n
///     Value close(unsigned n, i, j, best, other);                        `other`: the weight, or value(i+1,j-1); but
///                                                                        by_weight it handles leaves and j >= n
///     static constexpr bool checks;                                      whether finished values are looked at:
///     void check(i, j, value);
///     static constexpr bool unrolled;                                    long code for the last tenth of the speed
///     static constexpr bool loads_ahead;                                 each_pair_of_terms_ahead is the faster one
///     static constexpr bool fills_by_teams;                              whether ByTeams fills small tables
///     static constexpr bool large_by_teams;                              and tables of any size
///
/// Rules of several tables have `run_task` and `publish` of their own (interval/user/grammar_tiles.cuh).
namespace warpfold::tiles::device {

enum class ClosingKind { by_weight, freely, with_inner };

/// A word that blocks of several GPUs may use, and one that only blocks of this GPU use.
using Counter = ::cuda::atomic_ref<unsigned, ::cuda::thread_scope_system>;
using OwnCounter = ::cuda::atomic_ref<unsigned, ::cuda::thread_scope_device>;

/// Where the tiles of a table are.
template <class T>
struct Sharing {
  TileShares shares;
  T* const* all_tables;  ///< the parts on all GPUs, where they share it

  /// Tile (i,j), on whichever GPU it is. `table`: this GPU's part.
  [[nodiscard]] __device__ __forceinline__ T* tile(T* table, unsigned i, unsigned j) const {
    constexpr std::size_t size = tile_side * tile_side;
    if (shares.is_near({i, j})) return table + shares.near_number({i, j}) * size;
    return all_tables[j % shares.gpus] + shares.far_number({i, j}) * size;
  }
};

/// One table of a plan. `ready`, `closed` and `front` are zero when a solve starts. If tiles come from elsewhere,
/// `closed` is not zero: `front` must then stay zero, because final tiles need not form whole diagonals.
template <class T>
struct Job {
  unsigned n;
  unsigned tiles;
  std::size_t first_weight;  ///< where its weights start in the batch's
  T* table;
  unsigned* ready;               ///< the states of the tiles (tile_tickets.hpp)
  unsigned* closed;              ///< per tile diagonal: its final tiles
  unsigned* front;               ///< tile diagonals 0 .. front-1 are final
  std::size_t first_vertex = 0;  ///< where its points start in the batch's
  Sharing<T> sharing = {};

  [[nodiscard]] __device__ __forceinline__ T* tile(unsigned i, unsigned j) const { return sharing.tile(table, i, j); }
  [[nodiscard]] __device__ __forceinline__ T* entry(unsigned i, unsigned j) const {
    constexpr unsigned side = tile_side;
    return tile(i / side, j / side) + i % side * side + j % side;
  }
};

/// Ends a solve early. Solves that share the word have different numbers, so it needs no clearing between them. No stop
/// is lost, and a late stop ends no other solve.
struct Stop {
  unsigned* word;
  unsigned number;

  [[nodiscard]] __device__ bool is_asked() const { return Counter(*word).load(::cuda::memory_order_relaxed) == number; }
  __device__ void ask() const { Counter(*word).store(number, ::cuda::memory_order_relaxed); }
};

/// The arguments of a solve.
template <class Rules>
struct Solve {
  Rules rules;
  const Job<typename Rules::Value>* jobs;  ///< on this GPU, then their copies on each of the other GPUs that solve
  const unsigned* first_tasks;             ///< the first task of each job, and the end
  unsigned job_count;
  unsigned copies;   ///< copies of every table: the number of GPUs
  unsigned* ticket;  ///< zero when a solve starts; one for all GPUs, as `stop`
  Stop stop;
  unsigned gpu;                            ///< the number of this GPU
  unsigned* tickets;                       ///< TablePlaces::first_ticket, of all GPUs, or null
  Sharing<typename Rules::Value> sharing;  ///< the jobs' Sharing: as an argument it takes no registers
  unsigned* made;                          ///< Workspace::made, or null
};

/// Rules of a product of two tables, which lie so many values after the job's.
template <class Rules>
concept OfTwoTables = requires(const Rules& rules) {
  rules.left_table + rules.right_table;
};

/// The teams of `block_threads` threads of a block. Rules may name more than one: then a block has a multiprocessor for
/// itself, threadIdx.y is a thread's team, and `adding_teams` of them share the products of a tile.
template <class Rules>
constexpr unsigned teams_of() {
  if constexpr (requires { Rules::teams; }) return Rules::teams;
  return 1;
}
template <class Rules>
constexpr int blocks_of() {
  return teams_of<Rules>() == 1 ? Layout<typename Rules::Value>::blocks : 1;
}
template <class Rules>
constexpr unsigned adding_teams_of(int capability) {
  if constexpr (requires { Rules::teams; }) return Rules::adding_teams(capability);
  return 1;
}
template <class Rules>
__device__ __forceinline__ bool is_first_thread() {
  return threadIdx.x == 0 && (teams_of<Rules>() == 1 || threadIdx.y == 0);
}
/// The threads of all teams, and the number of this one.
template <class Rules>
inline constexpr int threads_of = block_threads* static_cast<int>(teams_of<Rules>());
template <class Rules>
__device__ __forceinline__ int thread_in_block() {
  if constexpr (teams_of<Rules>() == 1) return thread_anew();
  return static_cast<int>(threadIdx.y) * block_threads + thread_anew();
}
/// Waits for the threads of the team.
template <class Rules>
__device__ __forceinline__ void sync_team() {
  if constexpr (teams_of<Rules>() == 1) {
    __syncthreads();
  } else {
    asm volatile("bar.sync %0, %1;" ::"r"(1 + threadIdx.y), "n"(block_threads) : "memory");
  }
}
/// The products that the thread's team adds, of so many; and the t-th of them.
template <class Rules>
__device__ __forceinline__ unsigned own_products(unsigned products) {
  if constexpr (teams_of<Rules>() == 1) return products;
  constexpr unsigned teams = adding_teams_of<Rules>(this_capability);
  return (products + teams - 1 - threadIdx.y) / teams;
}
template <class Rules>
__device__ __forceinline__ unsigned own_product(unsigned t) {
  if constexpr (teams_of<Rules>() == 1) return t;
  return t * adding_teams_of<Rules>(this_capability) + threadIdx.y;
}

/// A block's view of its tile. The tile's products come in chunks of `Depth` terms.
template <class Rules, int Depth>
struct Task {
  using T = typename Rules::Value;
  const Rules& rules;
  const Sharing<T>& sharing;
  Job<T> job;
  TilePlace tile;

  __device__ unsigned diagonal() const { return tile.j - tile.i; }
  /// The middle tile of the step-th product, counted from tile.i. Rules may have an order of their own.
  [[nodiscard]] __device__ __forceinline__ unsigned middle(unsigned step) const {
    if constexpr (requires { rules.middle(step, tile); }) return rules.middle(step, tile);
    return middle_out(step, diagonal());
  }
  __device__ __forceinline__ T* global(unsigned i, unsigned j) const { return sharing.tile(job.table, i, j); }
  /// The operands of its products, which several tables may hold.
  __device__ __forceinline__ T* left_operand(unsigned i, unsigned k) const {
    if constexpr (OfTwoTables<Rules>) return global(i, k) + rules.left_table;
    return global(i, k);
  }
  __device__ __forceinline__ T* right_operand(unsigned k, unsigned j) const {
    if constexpr (OfTwoTables<Rules>) return global(k, j) + rules.right_table;
    return global(k, j);
  }
  __device__ Counter ready(unsigned i, unsigned j) const { return Counter(job.ready[tile_number(i, j)]); }
};

/// The block's shared memory as values. Places in it are offsets, so the compiler knows that every access is shared.
template <class T>
__device__ __forceinline__ T* shared_values() {
  extern __shared__ __align__(16) unsigned char bytes[];
  return reinterpret_cast<T*>(bytes);
}

template <class T>
struct alignas(16) Four {
  T value[4];
};

/// Where a team's part of it begins. Teams that close a tile together have the diagonal tiles after the first part.
template <class Rules, int Depth>
__device__ __forceinline__ unsigned team_offset(unsigned team) {
  using T = typename Rules::Value;
  unsigned offset = team * Layout<T>::corners(Depth);
  if constexpr (requires { Rules::keeps_corners; }) offset += team > 0 ? Layout<T>::tile_size : 0;
  return offset;
}
/// The team's part of it: its chunks, and then its tile.
template <class Rules, int Depth>
__device__ __forceinline__ typename Rules::Value* team_values() {
  using T = typename Rules::Value;
  if constexpr (teams_of<Rules>() == 1) return shared_values<T>();
  return shared_values<T>() + team_offset<Rules, Depth>(threadIdx.y);
}

/// A value as a word, for instructions that take only words.
template <class T>
using Word = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;

/// 2 x 2 values.
template <class T>
struct Cells {
  T value[2][2];
};
template <class Visit>
__device__ __forceinline__ void each_cell(Visit&& visit) {
#pragma unroll
  for (int u = 0; u < 2; ++u)
#pragma unroll
    for (int v = 0; v < 2; ++v) visit(u, v);
}

/// An 8 x 8 sub-block in shared memory.
template <class T>
struct SubBlock {
  struct alignas(2 * sizeof(T)) Two {
    T value[2];
  };
  int offset;

  [[nodiscard]] __device__ __forceinline__ int at(int i, int j) const {
    return offset + i * Layout<T>::tile_stride + j;
  }
  __device__ __forceinline__ T& operator()(int i, int j) const { return shared_values<T>()[at(i, j)]; }
  [[nodiscard]] __device__ __forceinline__ Four<T> four(int i, int j) const {
    return *reinterpret_cast<const Four<T>*>(shared_values<T>() + at(i, j));
  }
  __device__ __forceinline__ Two& two(int i, int j) const {
    return *reinterpret_cast<Two*>(shared_values<T>() + at(i, j));
  }
  [[nodiscard]] __device__ __forceinline__ Cells<T> cells(int i, int j) const {
    const Two upper = two(i, j), lower = two(i + 1, j);
    return {{{upper.value[0], upper.value[1]}, {lower.value[0], lower.value[1]}}};
  }
  __device__ __forceinline__ void set_cells(int i, int j, const Cells<T>& cells) const {
    two(i, j) = {cells.value[0][0], cells.value[0][1]};
    two(i + 1, j) = {cells.value[1][0], cells.value[1][1]};
  }
};

/// Sub-block (a,b) of the block's own tile, which starts at 0.
template <class T>
__device__ __forceinline__ SubBlock<T> of_tile(int a, int b) {
  return {a * sub * Layout<T>::tile_stride + b * sub};
}
/// Sub-blocks (a,b), a <= b, of the diagonal tile to the left, and of the one below. They share one area: the former
/// lie above its diagonal, the latter on the diagonal and below it.
template <class T, int Depth>
__device__ __forceinline__ SubBlock<T> of_left(int a, int b) {
  return {Layout<T>::corners(Depth) + of_tile<T>(a, b + 1).offset};
}
template <class T, int Depth>
__device__ __forceinline__ SubBlock<T> of_below(int a, int b) {
  return {Layout<T>::corners(Depth) + of_tile<T>(b, a).offset};
}

/// Reads another block's value without the L1 cache.
template <class T>
__device__ __forceinline__ T load_shared_by_blocks(const T* at) {
  return __builtin_bit_cast(T, __ldcg(reinterpret_cast<const Word<T>*>(at)));
}

}  // namespace warpfold::tiles::device
