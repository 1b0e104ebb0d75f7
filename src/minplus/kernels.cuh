#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "minplus/packing.hpp"
#include "minplus/pairs.hpp"
#include "minplus/shapes.hpp"
#include "tiles/gpu/chunks.cuh"

/// Device code for products over the selective semirings.
namespace warpfold::minplus::device {

using namespace tiles::device;

/// The same on two 16-bit columns in a word. The left operand holds its value twice. Sums wrap around; see packing.hpp.
template <class Semiring>
struct PairArithmetic {
  using Value = std::uint32_t;
  using One = Arithmetic<Semiring>;
  static constexpr bool by_pairs = true;
  static constexpr Value none = static_cast<std::uint16_t>(One::none) * 0x10001U;
  static constexpr bool has_instructions = warpfold::cuda::has_dpx(this_capability);

  template <bool Least>
  static __device__ __forceinline__ Value choose(Value x, Value y) {
    if constexpr (!has_instructions) return choose_pair<Least>(x, y);
    return Least ? __vmins2(x, y) : __vmaxs2(x, y);
  }
  static __device__ __forceinline__ Value plus(Value x, Value y) { return choose<One::chooses_least>(x, y); }
  static __device__ __forceinline__ Value add_term(Value acc, Value a, Value b) {
    if constexpr (One::adds && !has_instructions) return add_and_choose_pair<One::chooses_least>(acc, a, b);
    if constexpr (One::adds) return One::chooses_least ? __viaddmin_s16x2(a, b, acc) : __viaddmax_s16x2(a, b, acc);
    return plus(acc, choose<!One::chooses_least>(a, b));
  }
  static __device__ __forceinline__ Value accumulate(Value acc, Value a0, Value b0, Value a1, Value b1) {
    return add_term(add_term(acc, a0, b0), a1, b1);
  }
};
using I16Pair = PairArithmetic<MinPlus<std::int16_t>>;

/// The number of blocks that share the registers of a multiprocessor. Pairs without special instructions take some 220
/// registers per thread.
template <class Arith>
inline constexpr int blocks_of_processor = BlockShape<typename Arith::Value>::blocks;
template <class Semiring>
inline constexpr int blocks_of_processor<PairArithmetic<Semiring>> =
    PairArithmetic<Semiring>::has_instructions ? BlockShape<std::uint32_t>::blocks : 1;

/// Or-and on four 8-bit columns in a word. The left operand holds its value four times.
struct OrAndQuad {
  using Value = std::uint32_t;
  static constexpr bool by_pairs = true;
  static constexpr Value none = 0;
  static __device__ __forceinline__ Value plus(Value x, Value y) { return x | y; }
  static __device__ __forceinline__ Value accumulate(Value acc, Value a0, Value b0, Value a1, Value b1) {
    return acc | (a0 & b0) | (a1 & b1);
  }
};

/// The 64 x 64 results of a group in registers: 64 of 4 bytes, or 32 of 8 bytes, per thread.
template <class Arith>
struct Accumulator {
  using T = typename Arith::Value;
  using Shape = GroupShape<T>;
  T value[Shape::rows][Shape::columns];

  __device__ __forceinline__ void clear(T none = Arith::none) {
#pragma unroll
    for (int u = 0; u < Shape::rows; ++u)
#pragma unroll
      for (int v = 0; v < Shape::columns; ++v) value[u][v] = none;
  }

  template <int Terms, int AStride, int BStride>
  __device__ __forceinline__ void add_by_k(const T* a, const T* b, int thread_row, int thread_column) {
    if constexpr (Arith::by_pairs) {
      each_pair_of_terms_by_k<Terms, AStride, BStride>(a, b, thread_row, thread_column,
                                                       [&](int u, int v, int, T a0, T b0, T a1, T b1) {
                                                         value[u][v] = Arith::accumulate(value[u][v], a0, b0, a1, b1);
                                                       });
    } else {
      each_term_by_k<Terms, AStride, BStride>(a, b, thread_row, thread_column, [&](int u, int v, T left, T right) {
        value[u][v] = Arith::plus(value[u][v], Arith::times(left, right));
      });
    }
  }
};

/// The same with the smallest k that attains each minimum. Terms must come in the order of k.
template <class Arith>
struct ArgminAccumulator {
  using T = typename Arith::Value;
  using Shape = GroupShape<T>;
  T value[Shape::rows][Shape::columns];
  std::uint32_t index[Shape::rows][Shape::columns];
  std::uint32_t first = 0;  // k of the next terms

  __device__ __forceinline__ void clear() {
#pragma unroll
    for (int u = 0; u < Shape::rows; ++u)
#pragma unroll
      for (int v = 0; v < Shape::columns; ++v) {
        value[u][v] = Arith::none;
        index[u][v] = 0;
      }
  }

  template <int Terms, int AStride, int BStride>
  __device__ __forceinline__ void add_by_k(const T* a, const T* b, int thread_row, int thread_column) {
    each_pair_of_terms_by_k<Terms, AStride, BStride>(
        a, b, thread_row, thread_column, [&](int u, int v, int k, T a0, T b0, T a1, T b1) {
          improve(u, v, Arith::times(a0, b0), first + static_cast<unsigned>(k));
          improve(u, v, Arith::times(a1, b1), first + static_cast<unsigned>(k) + 1);
        });
    first += Terms;
  }

 private:
  __device__ __forceinline__ void improve(int u, int v, T candidate, std::uint32_t k) {
    const bool better = Arith::better(candidate, value[u][v]);
    value[u][v] = better ? candidate : value[u][v];
    index[u][v] = better ? k : index[u][v];
  }
};

/// The operands of products of one shape. m is a multiple of BlockShape::rows, n of BlockShape::columns, and p of the
/// deepest chunk. a is transposed, p x m. Product blockIdx.y begins that many steps further on.
template <class T>
struct Product {
  const T* a;
  const T* b;
  T* c;
  std::size_t m, p, n;
  std::size_t a_step = 0, b_step = 0;
};

/// Blocks that run at the same time take 16 neighboring rows of blocks, so that they share operands in L2.
__device__ __forceinline__ dim3 place_of_block(unsigned block, unsigned blocks_down, unsigned blocks_across) {
  constexpr unsigned band = 16;
  const unsigned first = block / (band * blocks_across) * band;
  const unsigned height = min(band, blocks_down - first);
  const unsigned within = block % (band * blocks_across);
  return {within / height, first + within % height, 1};
}
template <class Block, class T>
__device__ __forceinline__ dim3 place_of_block(const Product<T>& product) {
  return place_of_block(blockIdx.x, static_cast<unsigned>(product.m / Block::rows),
                        static_cast<unsigned>(product.n / Block::columns));
}

/// The places in C of a thread's results. Result (u,v) has the place row(u) + column(v).
template <class T, class Block = BlockShape<T>>
struct ResultPlaces {
  using Group = typename Block::Group;
  std::size_t first, stride;

  __device__ __forceinline__ explicit ResultPlaces(const Product<T>& product) : stride(product.n) {
    const unsigned group = threadIdx.x / Group::threads, thread = threadIdx.x % Group::threads;
    const dim3 place = place_of_block<Block>(product);
    const std::size_t row = blockIdx.y * product.m + place.y * Block::rows + group / Block::groups_across * tile_side +
                            thread / Group::thread_columns * Vector<T>::width;
    first = row * stride + place.x * Block::columns + group % Block::groups_across * tile_side +
            thread % Group::thread_columns * Vector<T>::width;
  }
  [[nodiscard]] __device__ __forceinline__ std::size_t row(int u) const {
    return first + place_in_line<T, Group::thread_rows>(0, u) * stride;
  }
  [[nodiscard]] static __device__ __forceinline__ int column(int v) {
    return place_in_line<T, Group::thread_columns>(0, v);
  }
};

/// C = min(C, A (x) B), a block of results per thread block, with `stages` chunks of `Depth` terms of the operands in
/// flight. Shared memory: 96 KB for 4-byte values (48 KB with shallow chunks), 72 KB for 8-byte ones. One barrier per
/// chunk. Bytes from L2: 2/128 values per term.
template <int Depth, class Arith, class Block = BlockShape<typename Arith::Value>, class Accumulator, class Finish>
__device__ __forceinline__ void sum_product(const Product<typename Arith::Value>& product, Accumulator& sum,
                                            Finish&& finish) {
  using T = typename Arith::Value;
  using Group = typename Block::Group;
  constexpr int a_size = Block::a_size(Depth), stage_size = Block::stage_size(Depth);
  extern __shared__ __align__(16) unsigned char bytes[];
  T* shared = reinterpret_cast<T*>(bytes);
  const dim3 place = place_of_block<Block>(product);
  const int thread = static_cast<int>(threadIdx.x) % Group::threads;
  const int group = static_cast<int>(threadIdx.x) / Group::threads;
  const int down = group / Block::groups_across * tile_side, across = group % Block::groups_across * tile_side;
  using CopyA = BlockCopy<Depth, Block::rows, Block::threads, T>;
  using CopyB = BlockCopy<Depth, Block::columns, Block::threads, T>;
  const T* a =
      product.a + blockIdx.y * product.a_step + CopyA::row() * product.m + place.y * Block::rows + CopyA::column();
  const T* b =
      product.b + blockIdx.y * product.b_step + CopyB::row() * product.n + place.x * Block::columns + CopyB::column();
  T* a_to = shared + CopyA::row() * Block::rows + CopyA::column();
  T* b_to = shared + a_size + CopyB::row() * Block::columns + CopyB::column();
  const auto issue = [&](unsigned chunk, unsigned chunks) {
    if (chunk < chunks) {
      const unsigned stage = chunk % Block::stages * stage_size;
      CopyA::template start<Block::rows>(a_to + stage, a, product.m);
      CopyB::template start<Block::columns>(b_to + stage, b, product.n);
      a += Depth * product.m;
      b += Depth * product.n;
    }
    copy_commit();
  };
  const auto chunks = static_cast<unsigned>(product.p / Depth);
  for (unsigned chunk = 0; chunk + 1 < Block::stages; ++chunk) issue(chunk, chunks);
  for (unsigned chunk = 0; chunk < chunks; ++chunk) {
    copy_wait<Block::stages - 2>();
    __syncthreads();
    issue(chunk + Block::stages - 1, chunks);
    const T* from = shared + chunk % Block::stages * stage_size;
    sum.template add_by_k<Depth, Block::rows, Block::columns>(
        from + down, from + a_size + across, thread / Group::thread_columns, thread % Group::thread_columns);
  }
  const ResultPlaces<T, Block> places(product);
#pragma unroll
  for (int u = 0; u < Group::rows; ++u)
#pragma unroll
    for (int v = 0; v < Group::columns; ++v) finish(u, v, places.row(u) + places.column(v));
}

template <class Arith, int Depth = by_capability>
__global__ void __launch_bounds__(BlockShape<typename Arith::Value>::threads, blocks_of_processor<Arith>)
    multiply_tiles(const __grid_constant__ Product<typename Arith::Value> product) {
  Accumulator<Arith> sum;
  sum.clear();
  sum_product<depth_of<typename Arith::Value, Depth>, Arith>(
      product, sum, [&](int u, int v, std::size_t at) { product.c[at] = Arith::plus(product.c[at], sum.value[u][v]); });
}

/// With argmin, which has the shape of C: four instructions per term. argmin.cuh takes fewer where there are many
/// terms.
template <class Arith, int Depth = by_capability>
__global__ void __launch_bounds__(BlockShape<typename Arith::Value>::threads, 1)
    multiply_tiles_argmin(const __grid_constant__ Product<typename Arith::Value> product, std::uint32_t* argmin) {
  ArgminAccumulator<Arith> sum;
  sum.clear();
  sum_product<depth_of<typename Arith::Value, Depth>, Arith>(product, sum, [&](int u, int v, std::size_t at) {
    const bool better = Arith::better(sum.value[u][v], product.c[at]);
    if (better) product.c[at] = sum.value[u][v];
    argmin[at] = better ? sum.index[u][v] : ~0U;
  });
}

/// blockIdx.y matrices of rows x columns, and their packed form on a padded shape.
template <class T, class S>
struct Packed {
  const T* values;
  S* packed;
  std::size_t rows, columns;
  std::size_t padded_rows, padded_columns;
  Packing<T, S> packing;
};

/// packed = the values transposed, as left factors, each value repeated Copies times; `none` beyond the matrix. A block
/// of 32 x 8 threads takes 32 x 32 values at a time.
template <int Copies, class T, class S>
__global__ void pack_transposed(const __grid_constant__ Packed<T, S> p) {
  constexpr unsigned side = 32;
  __shared__ S tile[side][side + 1];
  const T* values = p.values + blockIdx.y * p.rows * p.columns;
  S* packed = p.packed + blockIdx.y * p.padded_rows * p.padded_columns * Copies;
  const std::size_t across = (p.padded_columns + side - 1) / side, tiles = (p.padded_rows + side - 1) / side * across;
  for (std::size_t t = blockIdx.x; t < tiles; t += gridDim.x) {
    const std::size_t i = t / across * side, j = t % across * side;
    for (unsigned r = threadIdx.y; r < side; r += blockDim.y) {
      const bool inside = i + r < p.rows && j + threadIdx.x < p.columns;
      tile[r][threadIdx.x] = inside ? p.packing.factor(values[(i + r) * p.columns + j + threadIdx.x]) : p.packing.none;
    }
    __syncthreads();
    for (unsigned r = threadIdx.y; r < side; r += blockDim.y) {
      if (i + threadIdx.x < p.padded_rows && j + r < p.padded_columns) {
#pragma unroll
        for (int copy = 0; copy < Copies; ++copy) {
          packed[((j + r) * p.padded_rows + i + threadIdx.x) * Copies + copy] = tile[threadIdx.x][r];
        }
      }
    }
    __syncthreads();
  }
}

/// packed = values, as right factors or as results; `none` beyond the matrix.
template <bool IsResult, class T, class S>
__global__ void pack(const __grid_constant__ Packed<T, S> p) {
  const T* values = p.values + blockIdx.y * p.rows * p.columns;
  S* packed = p.packed + blockIdx.y * p.padded_rows * p.padded_columns;
  for (std::size_t i = blockIdx.x; i < p.padded_rows; i += gridDim.x) {
    for (std::size_t j = threadIdx.x; j < p.padded_columns; j += blockDim.x) {
      S x = p.packing.none;
      if (i < p.rows && j < p.columns) {
        const T value = values[i * p.columns + j];
        x = IsResult ? p.packing.result(value) : p.packing.factor(value);
      }
      packed[i * p.padded_columns + j] = x;
    }
  }
}

/// values = packed. An entry without a value has no argmin either.
template <class T, class S>
__global__ void unpack(const __grid_constant__ Packed<T, S> p, T* values, const std::uint32_t* packed_argmin,
                       std::uint32_t* argmin) {
  for (std::size_t i = blockIdx.x; i < p.rows; i += gridDim.x) {
    const std::size_t to = (blockIdx.y * p.rows + i) * p.columns;
    const std::size_t from = (blockIdx.y * p.padded_rows + i) * p.padded_columns;
    for (std::size_t j = threadIdx.x; j < p.columns; j += blockDim.x) {
      const S x = p.packed[from + j];
      values[to + j] = p.packing.unpack(x);
      if (argmin) argmin[to + j] = p.packing.is_none(x) ? ~0U : packed_argmin[from + j];
    }
  }
}

}  // namespace warpfold::minplus::device
