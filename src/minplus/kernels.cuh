#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include "minplus/packing.hpp"
#include "minplus/pairs.hpp"
#include "minplus/shapes.hpp"
#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/semiring.hpp"

/// The products of tiles on the device over the semirings that choose: what `multiply` and the interval solver share.
namespace warpfold::minplus::device {

/// The capability that this code is compiled for. The host, which has none, asks a kernel (cuda::capability_of).
#ifdef __CUDA_ARCH__
inline constexpr int this_capability = __CUDA_ARCH__ / 10;
#else
inline constexpr int this_capability = 0;
#endif

/// A chunk's terms where a kernel is not told how many, as tests do: those of tuning.hpp.
inline constexpr int by_capability = 0;
template <class T, int Depth>
inline constexpr int depth_of = Depth == by_capability ? chunk_depth(sizeof(T), this_capability) : Depth;

/// The smaller and the larger of two. f64 by comparison: fmin has a rule for NaN of its own, which costs instructions.
template <class T>
__device__ __forceinline__ T least(T x, T y) {
  if constexpr (std::is_same_v<T, float>) return fminf(x, y);
  return y < x ? y : x;
}
template <class T>
__device__ __forceinline__ T greatest(T x, T y) {
  if constexpr (std::is_same_v<T, float>) return fmaxf(x, y);
  return x < y ? y : x;
}

/// A semiring of core/semiring.hpp that chooses, in the device's instructions: int32_t takes one for a sum and a
/// choice (VIADDMNMX), float two. `none` is what no term gives, unless a solver says otherwise.
template <class Semiring>
struct Arithmetic {
  using Value = typename Semiring::Value;
  static constexpr bool chooses_least =
      std::is_same_v<Semiring, MinPlus<Value>> || std::is_same_v<Semiring, MinMax<Value>>;
  static constexpr bool adds = std::is_same_v<Semiring, MinPlus<Value>> || std::is_same_v<Semiring, MaxPlus<Value>>;
  static_assert(chooses_least || adds || std::is_same_v<Semiring, MaxMin<Value>>);
  static constexpr Value none = static_cast<Value>(chooses_least ? infinity<Value> : -infinity<Value>);
  /// Whether a product takes two terms at a time: f32's two instructions a term fill every issue slot, and it gains 1 %
  /// by loads one term ahead.
  static constexpr bool by_pairs = !std::is_same_v<Value, float>;

  /// Whether plus(x, y) is x, and not for a tie.
  static __device__ __forceinline__ bool better(Value x, Value y) { return chooses_least ? x < y : y < x; }
  static __device__ __forceinline__ Value plus(Value x, Value y) {
    return chooses_least ? least(x, y) : greatest(x, y);
  }
  static __device__ __forceinline__ Value times(Value x, Value y) {
    if constexpr (adds) return x + y;
    return chooses_least ? greatest(x, y) : least(x, y);
  }
  /// One cell, two terms of k.
  static __device__ __forceinline__ Value accumulate(Value acc, Value a0, Value b0, Value a1, Value b1) {
    return plus(plus(acc, times(a0, b0)), times(a1, b1));
  }
};

/// (min,+) for floats that are never negative (nor -0.0): they stand in the order of their bits as whole numbers, so
/// one three-way integer minimum takes two sums: three instructions for two terms instead of four. Without such an
/// instruction they are like all others.
struct NonnegativeF32 : Arithmetic<MinPlus<float>> {
  static constexpr bool by_pairs = warpfold::cuda::has_dpx(this_capability);
  static __device__ __forceinline__ float accumulate(float acc, float a0, float b0, float a1, float b1) {
    if constexpr (!by_pairs) return Arithmetic::accumulate(acc, a0, b0, a1, b1);
    return __int_as_float(__vimin3_s32(__float_as_int(acc), __float_as_int(a0 + b0), __float_as_int(a1 + b1)));
  }
};

/// The same on two 16-bit columns in a word; the left operand holds its value twice. Sums wrap: see packing.hpp.
template <class Semiring>
struct PairArithmetic {
  using Value = std::uint32_t;
  using One = Arithmetic<Semiring>;
  static constexpr bool by_pairs = true;
  static constexpr Value none = static_cast<std::uint16_t>(One::none) * 0x10001U;
  static constexpr bool has_instructions = warpfold::cuda::has_dpx(this_capability);

  static __device__ __forceinline__ Value least(Value x, Value y) {
    return has_instructions ? __vmins2(x, y) : choose_pair<true>(x, y);
  }
  static __device__ __forceinline__ Value greatest(Value x, Value y) {
    return has_instructions ? __vmaxs2(x, y) : choose_pair<false>(x, y);
  }
  static __device__ __forceinline__ Value plus(Value x, Value y) {
    return One::chooses_least ? least(x, y) : greatest(x, y);
  }
  static __device__ __forceinline__ Value add_term(Value acc, Value a, Value b) {
    if constexpr (One::adds && !has_instructions) return add_and_choose_pair<One::chooses_least>(acc, a, b);
    if constexpr (One::adds) return One::chooses_least ? __viaddmin_s16x2(a, b, acc) : __viaddmax_s16x2(a, b, acc);
    return plus(acc, One::chooses_least ? greatest(a, b) : least(a, b));
  }
  static __device__ __forceinline__ Value accumulate(Value acc, Value a0, Value b0, Value a1, Value b1) {
    return add_term(add_term(acc, a0, b0), a1, b1);
  }
};
using I16Pair = PairArithmetic<MinPlus<std::int16_t>>;

/// Blocks that share the registers of a multiprocessor. Pairs without instructions for them take some 220 a thread.
template <class Arith>
inline constexpr int blocks_of_processor = BlockShape<typename Arith::Value>::blocks;
template <class Semiring>
inline constexpr int blocks_of_processor<PairArithmetic<Semiring>> =
    PairArithmetic<Semiring>::has_instructions ? BlockShape<std::uint32_t>::blocks : 1;

/// Or-and on four columns of a byte in a word; the left operand holds its value four times.
struct OrAndQuad {
  using Value = std::uint32_t;
  static constexpr bool by_pairs = true;
  static constexpr Value none = 0;
  static __device__ __forceinline__ Value plus(Value x, Value y) { return x | y; }
  static __device__ __forceinline__ Value accumulate(Value acc, Value a0, Value b0, Value a1, Value b1) {
    return acc | (a0 & b0) | (a1 & b1);
  }
};

/// Where value x of a thread stands in a line of a tile that so many threads share, vector by vector.
template <class T, int Threads>
__device__ __forceinline__ int place_in_line(int thread, int x) {
  constexpr int width = Vector<T>::width;
  return (x / width * Threads + thread) * width + x % width;
}
/// Column v of a thread, counted in the tile.
template <class T>
__device__ __forceinline__ int column_of(int thread_column, int v) {
  return place_in_line<T, 8>(thread_column, v);
}

/// A thread's part of a line in shared memory.
template <int Threads, int Count, class T>
__device__ __forceinline__ void load_part(T (&part)[Count], const T* line, int thread) {
  constexpr int width = Vector<T>::width;
#pragma unroll
  for (int x = 0; x < Count; x += width) {
    const auto vector = *reinterpret_cast<const Vector<T>*>(line + place_in_line<T, Threads>(thread, x));
#pragma unroll
    for (int y = 0; y < width; ++y) part[x + y] = vector.value[y];
  }
}
template <class T>
__device__ __forceinline__ void load_row(T (&row)[GroupShape<T>::columns], const T* b, int thread_column) {
  load_part<8>(row, b, thread_column);
}

/// Calls visit(u, v, k, a0, b0, a1, b1) for the terms k and k+1 of each result (u,v) of the thread. a: the group's rows
/// with stride AStride, b: Terms rows; both in shared memory. Two terms at a time: `rows` + 2 * 8/width loads for
/// rows * 8 * 2 terms.
template <int Terms, int AStride, int BStride, class T, class Visit>
__device__ __forceinline__ void each_pair_of_terms(const T* a, const T* b, int thread_row, int thread_column,
                                                   Visit&& visit) {
  using Shape = GroupShape<T>;
  struct alignas(2 * sizeof(T)) Pair {
    T k[2];
  };
  // Eight pairs at a time cost f32 3 to 9 %.
#pragma unroll 4
  for (int k = 0; k < Terms; k += 2) {
    T b0[Shape::columns], b1[Shape::columns];
    load_row(b0, b + k * BStride, thread_column);
    load_row(b1, b + (k + 1) * BStride, thread_column);
#pragma unroll
    for (int u = 0; u < Shape::rows; ++u) {
      const auto pair = *reinterpret_cast<const Pair*>(a + (thread_row + u * Shape::thread_rows) * AStride + k);
#pragma unroll
      for (int v = 0; v < Shape::columns; ++v) visit(u, v, k, pair.k[0], b0[v], pair.k[1], b1[v]);
    }
  }
}

/// The same with the next pair's operands on their way while one is added, which takes more registers. f32 gains 7 %,
/// three-way minima (NonnegativeF32) lose as much.
template <int Terms, int AStride, int BStride, class T, class Visit>
__device__ __forceinline__ void each_pair_of_terms_ahead(const T* a, const T* b, int thread_row, int thread_column,
                                                         Visit&& visit) {
  using Shape = GroupShape<T>;
  constexpr int width = Shape::width, round = 8;
  static_assert(Terms % round == 0);
  Vector<T> left[Shape::rows];
  T right[2][2][Shape::columns];
  const auto load_left = [&](int u, int k) {
    left[u] = *reinterpret_cast<const Vector<T>*>(a + (thread_row + u * Shape::thread_rows) * AStride + k);
  };
  const auto load_right = [&](int place, int k) {
    load_row(right[place][0], b + k * BStride, thread_column);
    load_row(right[place][1], b + (k + 1) * BStride, thread_column);
  };
#pragma unroll
  for (int u = 0; u < Shape::rows; ++u) load_left(u, 0);
  load_right(0, 0);
#pragma unroll 1
  for (int first = 0; first < Terms; first += round) {
#pragma unroll
    for (int x = 0; x < round; x += 2) {
      const int k = first + x, place = x / 2 % 2;
      const bool last = k + 2 >= Terms;
      if (!last) load_right(1 - place, k + 2);
#pragma unroll
      for (int u = 0; u < Shape::rows; ++u) {
#pragma unroll
        for (int v = 0; v < Shape::columns; ++v) {
          visit(u, v, k, left[u].value[x % width], right[place][0][v], left[u].value[x % width + 1],
                right[place][1][v]);
        }
        if ((x + 2) % width == 0 && !last) load_left(u, k + 2);
      }
    }
  }
}

/// The same for an `a` that stands by k, as b does, Terms rows of it: fewer loads, (rows + 8)/width a term.
template <int Terms, int AStride, int BStride, class T, class Visit>
__device__ __forceinline__ void each_pair_of_terms_by_k(const T* a, const T* b, int thread_row, int thread_column,
                                                        Visit&& visit) {
  using Shape = GroupShape<T>;
#pragma unroll(Terms / 4)
  for (int k = 0; k < Terms; k += 2) {
    T a0[Shape::rows], a1[Shape::rows], b0[Shape::columns], b1[Shape::columns];
    load_part<Shape::thread_rows>(a0, a + k * AStride, thread_row);
    load_part<Shape::thread_rows>(a1, a + (k + 1) * AStride, thread_row);
    load_row(b0, b + k * BStride, thread_column);
    load_row(b1, b + (k + 1) * BStride, thread_column);
#pragma unroll
    for (int u = 0; u < Shape::rows; ++u)
#pragma unroll
      for (int v = 0; v < Shape::columns; ++v) visit(u, v, k, a0[u], b0[v], a1[u], b1[v]);
  }
}

/// Calls visit(u, v, a, b) for every term, the next one's operands on their way meanwhile.
template <int Terms, int AStride, int BStride, class T, class Visit>
__device__ __forceinline__ void each_term_by_k(const T* a, const T* b, int thread_row, int thread_column,
                                               Visit&& visit) {
  using Shape = GroupShape<T>;
  T left[2][Shape::rows], right[2][Shape::columns];
  load_part<Shape::thread_rows>(left[0], a, thread_row);
  load_row(right[0], b, thread_column);
#pragma unroll(Terms / 2)
  for (int k = 0; k < Terms; ++k) {
    if (k + 1 < Terms) {
      load_part<Shape::thread_rows>(left[(k + 1) % 2], a + (k + 1) * AStride, thread_row);
      load_row(right[(k + 1) % 2], b + (k + 1) * BStride, thread_column);
    }
#pragma unroll
    for (int u = 0; u < Shape::rows; ++u)
#pragma unroll
      for (int v = 0; v < Shape::columns; ++v) visit(u, v, left[k % 2][u], right[k % 2][v]);
  }
}

/// The 64 x 64 results of a group in registers: 64 of 4 bytes or 32 of 8 bytes a thread.
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

/// The same with the smallest k that attains each minimum. Terms have to come in the order of k.
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

/// Starts the copy of 16 bytes from device to shared memory, past the L1 cache.
__device__ __forceinline__ void copy_vector(void* shared, const void* global) {
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(shared));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(global) : "memory");
}
__device__ __forceinline__ void copy_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int Pending>
__device__ __forceinline__ void copy_wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(Pending) : "memory");
}

/// How the threads of a block share the copy of Rows x Columns values: each has a first vector, and its others are
/// whole numbers of rows below, at distances that the compiler knows.
template <int Rows, int Columns, int Threads, class T>
struct BlockCopy {
  static constexpr int width = Vector<T>::width, row_vectors = Columns / width, rows_at_once = Threads / row_vectors;
  static_assert(Threads % row_vectors == 0 && Rows % rows_at_once == 0);
  static __device__ __forceinline__ unsigned row() { return threadIdx.x / row_vectors; }
  static __device__ __forceinline__ unsigned column() { return threadIdx.x % row_vectors * width; }

  /// Starts the copy. Both point to this thread's first vector.
  template <int SharedStride>
  static __device__ __forceinline__ void start(T* shared, const T* global, std::size_t global_stride) {
#pragma unroll
    for (int row = 0; row < Rows; row += rows_at_once) {
      copy_vector(shared + row * SharedStride, global + row * global_stride);
    }
  }
};

/// The operands of products of one shape: m a multiple of BlockShape::rows, n of BlockShape::columns, p of
/// the deepest chunk. a is transposed, p x m. Product blockIdx.y begins so many steps on.
template <class T>
struct Product {
  const T* a;
  const T* b;
  T* c;
  std::size_t m, p, n;
  std::size_t a_step = 0, b_step = 0;
};

/// Blocks that run at the same time take 16 neighbouring rows of blocks, so that they share operands in L2.
__device__ __forceinline__ dim3 place_of_block(unsigned block, unsigned blocks_down, unsigned blocks_across) {
  constexpr unsigned band = 16;
  const unsigned first = block / (band * blocks_across) * band;
  const unsigned height = min(band, blocks_down - first);
  const unsigned within = block % (band * blocks_across);
  return {within / height, first + within % height, 1};
}

/// C = min(C, A (x) B), a block of results per thread block, `stages` chunks of `Depth` terms of the operands in
/// flight. Shared memory: 96 KB (4-byte values; 48 where chunks are shallow) or 72 KB; one barrier a chunk; bytes from
/// L2: 2/128 values a term.
template <int Depth, class Arith, class Accumulator, class Finish>
__device__ __forceinline__ void sum_product(const Product<typename Arith::Value>& product, Accumulator& sum,
                                            Finish&& finish) {
  using T = typename Arith::Value;
  using Block = BlockShape<T>;
  using Group = GroupShape<T>;
  constexpr int a_size = Block::a_size(Depth), stage_size = Block::stage_size(Depth);
  extern __shared__ __align__(16) unsigned char bytes[];
  T* shared = reinterpret_cast<T*>(bytes);
  const dim3 place = place_of_block(blockIdx.x, static_cast<unsigned>(product.m / Block::rows),
                                    static_cast<unsigned>(product.n / Block::columns));
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
    sum.template add_by_k<Depth, Block::rows, Block::columns>(from + down, from + a_size + across, thread / 8,
                                                              thread % 8);
  }
  const std::size_t first_row = blockIdx.y * product.m + place.y * Block::rows + down,
                    first_column = place.x * Block::columns + across;
#pragma unroll
  for (int u = 0; u < Group::rows; ++u) {
#pragma unroll
    for (int v = 0; v < Group::columns; ++v) {
      const std::size_t row = first_row + place_in_line<T, Group::thread_rows>(thread / 8, u);
      finish(u, v, row * product.n + first_column + column_of<T>(thread % 8, v));
    }
  }
}

template <class Arith, int Depth = by_capability>
__global__ void __launch_bounds__(BlockShape<typename Arith::Value>::threads, blocks_of_processor<Arith>)
    multiply_tiles(const __grid_constant__ Product<typename Arith::Value> product) {
  Accumulator<Arith> sum;
  sum.clear();
  sum_product<depth_of<typename Arith::Value, Depth>, Arith>(
      product, sum, [&](int u, int v, std::size_t at) { product.c[at] = Arith::plus(product.c[at], sum.value[u][v]); });
}

/// With argmin, which is as large as C: four instructions a term.
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

/// Matrices of rows x columns, blockIdx.y of them, and their packed form on a padded shape.
template <class T, class S>
struct Packed {
  const T* values;
  S* packed;
  std::size_t rows, columns;
  std::size_t padded_rows, padded_columns;
  Packing<T, S> packing;
};

/// packed = the values transposed as left factors, `none` beyond them, every value Copies times side by side. Blocks of
/// 32 x 8 threads take 32 x 32 values at a time.
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

/// packed = values, as right factors or as results, `none` beyond them.
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

/// values = packed; where there is no value there is no argmin either.
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
