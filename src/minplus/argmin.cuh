#pragma once

#include "minplus/kernels.cuh"
#include "minplus/tuning.hpp"

/// argmin at nearly the rate of a product without: the terms among which a result last became better are noted, and
/// then searched for the first that gives it (docs/explanation/kernels/minplus.md).
namespace warpfold::minplus::device {

/// A product that notes terms has the best results in shared memory behind its chunks.
template <class T>
struct NotingShape {
  using Block = BlockShape<T>;
  static constexpr int depth = cuda_noting_depth;
  static constexpr unsigned terms = cuda_noted_bytes / sizeof(T);  ///< between two comparisons, a multiple of `depth`
  static constexpr int products_bytes = Block::shared_bytes(depth);
  static constexpr int shared_bytes = products_bytes + Block::rows * Block::columns * static_cast<int>(sizeof(T));
};

/// Stores without a branch. In a branch the compiler would compute each address anew.
__device__ __forceinline__ void store_if(bool condition, std::uint32_t* global, std::uint32_t value) {
  asm volatile("{.reg .pred p; setp.ne.u32 p, %2, 0; @p st.global.b32 [%0], %1;}" ::"l"(global), "r"(value),
               "r"(static_cast<unsigned>(condition))
               : "memory");
}
template <class T>
__device__ __forceinline__ void store_shared_if(bool condition, T* shared, T value) {
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(shared));
  if constexpr (sizeof(T) == 8) {
    asm volatile("{.reg .pred p; setp.ne.u32 p, %2, 0; @p st.shared.b64 [%0], %1;}" ::"r"(address),
                 "l"(*reinterpret_cast<const std::uint64_t*>(&value)), "r"(static_cast<unsigned>(condition))
                 : "memory");
  } else {
    asm volatile("{.reg .pred p; setp.ne.u32 p, %2, 0; @p st.shared.b32 [%0], %1;}" ::"r"(address),
                 "r"(*reinterpret_cast<const std::uint32_t*>(&value)), "r"(static_cast<unsigned>(condition))
                 : "memory");
  }
}

/// The place of the note of column x among those of 8 vectors. The first values of all vectors come first, so that the
/// lanes of a warp store neighboring words.
template <class T>
__device__ __forceinline__ unsigned place_of_note(unsigned x) {
  constexpr unsigned width = Vector<T>::width;
  return x % width * 8 + x / width;
}

/// Results in registers, which are compared with the best so far after each `NotingShape::terms` terms. Where they are
/// better, the note becomes the number of these terms. Terms must come in the order of k.
template <class Arith>
struct NotingAccumulator {
  using T = typename Arith::Value;
  using Shape = GroupShape<T>;
  static constexpr int width = Shape::width;
  Accumulator<Arith> sum;
  Vector<T>* best;       // the thread's first vector
  std::uint32_t* notes;  // the thread's first place
  std::size_t stride;
  std::uint32_t terms = 0;

  /// Begins with C.
  __device__ __forceinline__ NotingAccumulator(const Product<T>& product, void* shared, std::uint32_t* first_note)
      : best(static_cast<Vector<T>*>(shared) + threadIdx.x), stride(product.n) {
    const ResultPlaces<T> places(product);
    notes = first_note + places.first - threadIdx.x % 8 * (width - 1);
#pragma unroll
    for (int u = 0; u < Shape::rows; ++u)
#pragma unroll
      for (int v = 0; v < Shape::columns; v += width) {
        const auto vector = *reinterpret_cast<const Vector<T>*>(product.c + places.row(u) + places.column(v));
        best_of(u, v) = vector;
#pragma unroll
        for (int x = 0; x < width; ++x) sum.value[u][v + x] = vector.value[x];
      }
  }

  /// The vector of result (u,v).
  [[nodiscard]] __device__ __forceinline__ Vector<T>& best_of(int u, int v) const {
    return best[(u * Shape::columns + v) / width * BlockShape<T>::threads];
  }

  template <int Terms, int AStride, int BStride>
  __device__ __forceinline__ void add_by_k(const T* a, const T* b, int thread_row, int thread_column) {
    sum.template add_by_k<Terms, AStride, BStride>(a, b, thread_row, thread_column);
    terms += Terms;
    if (terms % NotingShape<T>::terms == 0) note(terms / NotingShape<T>::terms - 1);
  }

 private:
  __device__ __forceinline__ void note(std::uint32_t number) {
    std::uint32_t* first = notes;
    asm volatile("" : "+l"(first));  // so that the rows' addresses hold no registers during the product
#pragma unroll
    for (int u = 0; u < Shape::rows; ++u) {
      std::uint32_t* row = first + place_in_line<T, Shape::thread_rows>(0, u) * stride;
#pragma unroll
      for (int v = 0; v < Shape::columns; v += width) {
        Vector<T>& shared = best_of(u, v);
        const Vector<T> before = shared;
#pragma unroll
        for (int x = 0; x < width; ++x) {
          const T value = sum.value[u][v + x];
          const bool better = Arith::better(value, before.value[x]);
          store_shared_if(better, &shared.value[x], value);
          store_if(better, row + (v + x) * 8, number);
        }
      }
    }
  }
};

/// The product with notes, which have the shape of C. Where C is not improved, they are left alone.
template <class Arith>
__global__ void __launch_bounds__(BlockShape<typename Arith::Value>::threads, blocks_of_processor<Arith>)
    multiply_tiles_noting(const __grid_constant__ Product<typename Arith::Value> product, std::uint32_t* notes) {
  using T = typename Arith::Value;
  extern __shared__ __align__(16) unsigned char bytes[];
  NotingAccumulator<Arith> sum(product, bytes + NotingShape<T>::products_bytes, notes);
  sum_product<NotingShape<T>::depth, Arith>(product, sum, [&](int u, int v, std::size_t at) {
    product.c[at] = sum.best_of(u, v).value[v % Vector<T>::width];
  });
}

inline constexpr unsigned search_threads = 256;

/// Notes become argmin: the first k of the noted terms that gives the result. Here A is m x p and B, transposed, n x p,
/// so that these terms are contiguous. A block takes `cuda_searched_columns` columns of a row. A warp takes 32 results,
/// and a group of its lanes the terms of one after the other: 16 bytes of both operands a lane.
template <class Arith, class T = typename Arith::Value>
__global__ void __launch_bounds__(search_threads)
    find_first(const __grid_constant__ Product<T> product, std::uint32_t* notes) {
  constexpr unsigned width = Vector<T>::width, group = NotingShape<T>::terms / width, warp = 32, band = 8 * width;
  const unsigned lane = threadIdx.x % warp, place = lane % group;
  const T* a = product.a + blockIdx.z * product.a_step + blockIdx.x * product.p + place * width;
  const T* b = product.b + blockIdx.z * product.b_step + place * width;
  const std::size_t row = (blockIdx.z * product.m + blockIdx.x) * product.n;
  const std::size_t end = min(product.n, (blockIdx.y + 1) * std::size_t{cuda_searched_columns});
  for (std::size_t j = blockIdx.y * cuda_searched_columns + threadIdx.x / warp * warp; j < end; j += search_threads) {
    const T result = product.c[row + j + lane];
    const std::uint32_t note = notes[row + j + lane / band * band + place_of_note<T>(lane % band)];
    std::uint32_t first = note;
#pragma unroll
    for (unsigned turn = 0; turn < group; ++turn) {
      const T sought = __shfl_sync(all_lanes, result, turn, group);
      const std::uint32_t number = __shfl_sync(all_lanes, note, turn, group);
      const std::size_t k = (number == ~0U ? 0 : number) * std::size_t{NotingShape<T>::terms};
      const auto left = *reinterpret_cast<const Vector<T>*>(a + k);
      const auto right = *reinterpret_cast<const Vector<T>*>(b + (j + lane - place + turn) * product.p + k);
      unsigned x = width;
#pragma unroll
      for (int y = width - 1; y >= 0; --y) {
        if (Arith::times(left.value[y], right.value[y]) == sought) x = y;  // values: -0 is 0
      }
      const unsigned lanes = __ballot_sync(all_lanes, x < width) >> (lane - place) & ((1U << group) - 1);
      const auto here = __shfl_sync(all_lanes, static_cast<unsigned>(k) + place * width + x, __ffs(lanes) - 1, group);
      if (place == turn && number != ~0U) first = here;
    }
    __syncwarp();  // the notes are read
    notes[row + j + lane] = first;
  }
}

}  // namespace warpfold::minplus::device
