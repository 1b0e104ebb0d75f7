#pragma once

#include "minplus/kernels.cuh"
#include "minplus/tuning.hpp"
#include "tiles/gpu/notes.cuh"

/// argmin at nearly the rate of a product without: the terms among which a result last became better are noted, and
/// then searched for the first that gives it (docs/explanation/kernels/minplus.md).
namespace warpfold::minplus::device {

template <class T>
struct NotingShape {
  static constexpr unsigned terms = cuda_noted_bytes / sizeof(T);  ///< of a group, and of a chunk
  static constexpr int shared_bytes = NotingBlock<T>::shared_bytes(terms);
};

/// The results of a thread with their notes. Terms must come in the order of k.
template <class Arith>
struct NotingAccumulator {
  using T = typename Arith::Value;
  using Group = typename NotingBlock<T>::Group;
  NotedResults<Arith> results;
  std::uint32_t group = 0;

  /// Begins with C.
  __device__ __forceinline__ explicit NotingAccumulator(const Product<T>& product) {
    constexpr int width = Vector<T>::width;
    const ResultPlaces<T, NotingBlock<T>> places(product);
    results.clear_notes();
#pragma unroll
    for (int u = 0; u < Group::rows; ++u)
#pragma unroll
      for (int v = 0; v < Group::columns; v += width) {
        const auto vector = *reinterpret_cast<const Vector<T>*>(product.c + places.row(u) + places.column(v));
#pragma unroll
        for (int x = 0; x < width; ++x) results.value[u][v + x] = vector.value[x];
      }
  }

  template <int Terms, int AStride, int BStride>
  __device__ __forceinline__ void add_by_k(const T* a, const T* b, int thread_row, int thread_column) {
    typename NotedResults<Arith>::Values after;
    results.template add_group<Terms, AStride, BStride>(results.value, after, a, b, thread_row, thread_column, group++);
#pragma unroll
    for (int u = 0; u < Group::rows; ++u)
#pragma unroll
      for (int v = 0; v < Group::columns; ++v) results.value[u][v] = after[u][v];
  }
};

/// The product with notes, which have the shape of C: ~0 where C is not improved.
template <class Arith, class Block = NotingBlock<typename Arith::Value>>
__global__ void __launch_bounds__(Block::threads, Block::blocks)
    multiply_tiles_noting(const __grid_constant__ Product<typename Arith::Value> product, std::uint32_t* notes) {
  NotingAccumulator<Arith> sum(product);
  sum_product<NotingShape<typename Arith::Value>::terms, Arith, Block>(product, sum, [&](int u, int v, std::size_t at) {
    product.c[at] = sum.results.value[u][v];
    notes[at] = sum.results.note(u, v);
  });
}

inline constexpr unsigned search_threads = 256;

/// Notes become argmin: the first k of the noted terms that gives the result. Here A is m x p and B, transposed, n x p,
/// so that these terms are contiguous. A block takes `cuda_searched_columns` columns of a row. A warp takes 32 results,
/// and a group of its lanes the terms of one after the other: 16 bytes of both operands a lane.
template <class Arith, class T = typename Arith::Value>
__global__ void __launch_bounds__(search_threads)
    find_first(const __grid_constant__ Product<T> product, std::uint32_t* notes) {
  constexpr unsigned width = Vector<T>::width, group = NotingShape<T>::terms / width, warp = 32;
  const unsigned lane = threadIdx.x % warp, place = lane % group;
  const T* a = product.a + blockIdx.z * product.a_step + blockIdx.x * product.p + place * width;
  const T* b = product.b + blockIdx.z * product.b_step + place * width;
  const std::size_t row = (blockIdx.z * product.m + blockIdx.x) * product.n;
  const std::size_t end = min(product.n, (blockIdx.y + 1) * std::size_t{cuda_searched_columns});
  for (std::size_t j = blockIdx.y * cuda_searched_columns + threadIdx.x / warp * warp; j < end; j += search_threads) {
    const T result = product.c[row + j + lane];
    const std::uint32_t note = notes[row + j + lane];
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
    notes[row + j + lane] = first;
  }
}

}  // namespace warpfold::minplus::device
