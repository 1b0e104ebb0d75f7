#pragma once

#include "interval/user/fused_sums.cuh"
#include "interval/user/grammar_tiles.cuh"
#include "warpfold/interval/detail/tile_scales.hpp"

/// How a block adds the products of tiles of scaled sums. The last team copies chunks of operands to shared memory as
/// soon as they are final. The others share the tile's sums, so that each sum is one chain by ascending k. A thread
/// waits for the chunk that it needs, and for nothing else.
namespace warpfold::interval::device {

using interval::detail::Extent;
using interval::detail::TwoFactors;
using tiles::TilePlace;

/// The scale of a table's tile.
struct alignas(16) TileScale {
  Extent extent;
  int exponent;
};

/// Arrivals at a place in shared memory that threads wait for. Each `arrivals` of them end a phase.
class Arrivals {
 public:
  __device__ void begin(unsigned arrivals) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(address()), "r"(arrivals) : "memory");
  }
  __device__ void end() { asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(address()) : "memory"); }
  __device__ __forceinline__ void arrive() {
    asm volatile("{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }" ::"r"(address()) : "memory");
  }
  /// Arrives when the thread's copies so far have ended.
  __device__ __forceinline__ void arrive_with_copies() {
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(address()) : "memory");
  }
  /// Waits for the end of a phase, counted from 0. The one after it has not ended.
  __device__ __forceinline__ void wait(unsigned phase) {
    while (!has_ended(phase & 1)) {
    }
  }

 private:
  [[nodiscard]] __device__ __forceinline__ unsigned address() {
    return static_cast<unsigned>(__cvta_generic_to_shared(&word_));
  }
  [[nodiscard]] __device__ __forceinline__ bool has_ended(unsigned parity) {
    unsigned ended;
    if constexpr (tiles::device::this_capability >= 90) {  // it sleeps for a while
      asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                   : "=r"(ended)
                   : "r"(address()), "r"(parity)
                   : "memory");
    } else {
      asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                   : "=r"(ended)
                   : "r"(address()), "r"(parity)
                   : "memory");
    }
    return ended != 0;
  }

  unsigned long long word_;
};

/// The teams that add, of so many.
constexpr int adding_teams_of_sums(unsigned teams) { return teams > 2 ? 2 : 1; }

/// The places of a chunk of `depth` terms in shared memory, in doubles: of both operands, and of the scales of their
/// tiles, which come with a pair's first chunk.
template <int depth>
struct SumChunk {
  using Sums = FusedSums<tile_side>;
  static constexpr int a_stride = Sums::a_stride(depth), b_stride = Sums::b_stride;
  static constexpr int b = tile_side * a_stride, scales = b + depth * b_stride;
  static constexpr int size = scales + 2 * static_cast<int>(sizeof(TileScale) / sizeof(double));
  static constexpr int of_pair = tile_side / depth;  ///< chunks of a pair of tiles
};

/// The sums of a product of scaled tables: each pair of tiles comes in the unit of the largest so far
/// (GrammarSolver::accumulate_scaled).
template <int teams>
class ScaledSums {
 public:
  /// Calls visit(value, row, column) for the thread's sums.
  template <class Visit>
  __device__ __forceinline__ void each(Visit&& visit) {
    sums_.each(visit);
  }
  [[nodiscard]] __device__ const interval::detail::SumUnit& unit() const { return unit_; }

  __device__ __forceinline__ ScaledSums() { sums_.clear(); }
  __device__ __forceinline__ void begin_pair(const TileScale& a, const TileScale& b) {
    scale_ = {0, 0, false, false};
    if (a.extent.is_zero() || b.extent.is_zero()) return;
    const std::int64_t exponent = std::int64_t{a.exponent} + b.exponent;
    if (unit_.is_set && exponent > unit_.exponent) {
      const TwoFactors factor(unit_.exponent - exponent);
      each([&](double& value, int, int) { value = factor.times_with_trace(value); });
      unit_.has_traces = true;
    }
    if (!unit_.is_set || exponent > unit_.exponent) unit_.exponent = exponent;
    unit_.is_set = true;
    scale_ = interval::detail::pair_scale(exponent - unit_.exponent, a.extent, b.extent);
    unit_.has_traces |= scale_.has_traces;
    factor_ = power_of_two(scale_.left);
  }
  /// Adds a chunk of the pair, unless its products leave traces.
  template <int depth>
  __device__ __forceinline__ void add_chunk(const double* chunk) {
    if (!scale_.has_products || scale_.has_traces) return;
    sums_.template add<depth>(
        chunk, chunk + SumChunk<depth>::b, [&](double value) { return value * factor_; },
        [](double value) { return value; });
  }
  /// Adds the pair of tiles a and b if its products leave traces, which come after all products. Few pairs do.
  __device__ __forceinline__ void end_pair(const double* a, const double* b) {
    if (!scale_.has_traces) return;
    const TwoFactors left(scale_.left), right(scale_.right);
    if (scale_.has_products) {
      add_pair(
          a, b, [=](double value) { return left.times(value); }, [=](double value) { return right.times(value); });
    }
    const auto half = [](double value) { return value > 0 ? interval::detail::half_a_trace : 0; };
    add_pair(a, b, half, half);
  }

 private:
  template <class OfLeft, class OfRight>
  __device__ __forceinline__ void add_pair(const double* a, const double* b, OfLeft of_left, OfRight of_right) {
#pragma unroll 1
    for (int x = 0; x < tile_side; ++x) {
      each([&](double& value, int row, int column) {
        value = fma(of_left(load_shared_by_blocks(a + row * tile_side + x)),
                    of_right(load_shared_by_blocks(b + x * tile_side + column)), value);
      });
    }
  }

  FusedSums<tile_side, teams> sums_;
  interval::detail::SumUnit unit_;
  interval::detail::PairScale scale_{0, 0, false, false};
  double factor_ = 0;
};

/// All products of a tile's pairs of two tables. Rules: SumRules. All threads of a block make one and run it.
/// Shared memory: up to 8 chunks of 19 KB. Bytes moved: 2/64 values for each sum.
template <class Rules, int depth>
class SumProduct {
 public:
  static constexpr int adding_teams = adding_teams_of_sums(Rules::teams);

  __device__ __forceinline__ SumProduct(const Task<Rules, depth>& task, interval::Product tables)
      : task_(task), tables_(tables), middles_(task.tile, task.rules.group), pairs_(task.diagonal() - 1) {}

  /// Calls finish(sums) by the teams that add.
  template <class Finish>
  __device__ __forceinline__ void run(const Finish& finish) {
    __shared__ Pipeline pipeline;
    if (thread_of_block() == 0) pipeline.begin();
    __syncthreads();
    if (threadIdx.y + 1 == Rules::teams) copy(pipeline);
    if (threadIdx.y < adding_teams) {
      ScaledSums<adding_teams> sums;
      add(pipeline, sums);
      finish(sums);
    }
    __syncthreads();
    if (thread_of_block() == 0) pipeline.end();
  }

 private:
  using Chunk = SumChunk<depth>;
  static constexpr unsigned stages = [] {
    constexpr int bytes = Rules::shared_bytes(depth, tiles::device::this_capability);
    return bytes >= 8 * Chunk::size * static_cast<int>(sizeof(double)) ? 8U : 4U;
  }();
  static_assert(int{stages} * Chunk::size * static_cast<int>(sizeof(double)) <=
                Rules::shared_bytes(depth, tiles::device::this_capability));

  /// Of each place for a chunk: the copies to it, and the warps that have added it.
  struct Pipeline {
    Arrivals copied[stages], added[stages];

    __device__ void begin() {
      for (Arrivals& of : copied) of.begin(block_threads);
      for (Arrivals& of : added) of.begin(adding_teams * block_threads / 32);
    }
    __device__ void end() {
      for (Arrivals& of : copied) of.end();
      for (Arrivals& of : added) of.end();
    }
  };

  [[nodiscard]] __device__ __forceinline__ const double* tile(unsigned table, unsigned i, unsigned j) const {
    return task_.job.table + table * task_.rules.table_size + tiles::tile_offset(i, j, tile_side);
  }
  [[nodiscard]] static __device__ __forceinline__ double* place(unsigned chunk) {
    return shared_values<double>() + chunk % stages * Chunk::size;
  }

  /// Copies all chunks.
  __device__ __forceinline__ void copy(Pipeline& pipeline) {
    using CopyA = tiles::device::BlockCopy<tile_side, depth, block_threads, double>;
    using CopyB = tiles::device::BlockCopy<depth, tile_side, block_threads, double>;
    tiles::device::Dependencies<Rules, depth> dependencies;
    for (unsigned pair = 0, chunk = 0; pair < pairs_; ++pair) {
      const unsigned middle = middles_(pair), k = task_.tile.i + middle;
      if (threadIdx.x < 32) {
        while (!dependencies.are_final(task_, middle)) {
        }
      }
      sync_team<Rules>();
      const double* a = tile(tables_.left, task_.tile.i, k) + CopyA::row() * tile_side + CopyA::column();
      const double* b = tile(tables_.right, k, task_.tile.j) + CopyB::row() * tile_side + CopyB::column();
#pragma unroll 1
      for (int of_pair = 0; of_pair < Chunk::of_pair; ++of_pair, ++chunk) {
        if (chunk >= stages) pipeline.added[chunk % stages].wait(chunk / stages - 1);
        double* const to = place(chunk);
        if (of_pair == 0 && threadIdx.x < 2) {
          const bool is_b = threadIdx.x == 1;
          copy_vector(to + Chunk::scales + 2 * threadIdx.x, is_b ? task_.rules.scale(tables_.right, k, task_.tile.j)
                                                                 : task_.rules.scale(tables_.left, task_.tile.i, k));
        }
        CopyA::template start<Chunk::a_stride>(to + CopyA::row() * Chunk::a_stride + CopyA::column(), a, tile_side);
        CopyB::template start<Chunk::b_stride>(to + Chunk::b + CopyB::row() * Chunk::b_stride + CopyB::column(), b,
                                               tile_side);
        pipeline.copied[chunk % stages].arrive_with_copies();
        a += depth;
        b += depth * tile_side;
      }
    }
  }
  /// Adds them.
  __device__ __forceinline__ void add(Pipeline& pipeline, ScaledSums<adding_teams>& sums) {
    for (unsigned pair = 0, chunk = 0; pair < pairs_; ++pair) {
#pragma unroll 1
      for (int of_pair = 0; of_pair < Chunk::of_pair; ++of_pair, ++chunk) {
        pipeline.copied[chunk % stages].wait(chunk / stages);
        if (of_pair == 0) {
          const auto* const scales = reinterpret_cast<const TileScale*>(place(chunk) + Chunk::scales);
          sums.begin_pair(scales[0], scales[1]);
        }
        sums.template add_chunk<depth>(place(chunk));
        __syncwarp();
        if (threadIdx.x % 32 == 0) pipeline.added[chunk % stages].arrive();
      }
      const unsigned k = task_.tile.i + middles_(pair);
      sums.end_pair(tile(tables_.left, task_.tile.i, k), tile(tables_.right, k, task_.tile.j));
    }
  }

  const Task<Rules, depth>& task_;
  interval::Product tables_;
  tiles::MiddlesOfGroup middles_;
  unsigned pairs_;
};

}  // namespace warpfold::interval::device
