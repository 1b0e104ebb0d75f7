#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "run/cuda.hpp"
#include "tiles/gpu/arithmetic.cuh"
#include "tiles/shapes.hpp"
#include "tiles/tuning.hpp"

/// Chunks of terms, in which products of 64 x 64 tiles come: how they get to shared memory, and how a group of threads
/// goes through the terms of a chunk there.
namespace warpfold::tiles::device {

/// A kernel's default number of terms in a chunk: that of tuning.hpp. Tests choose others.
inline constexpr int by_capability = 0;
template <class T, int Depth>
inline constexpr int depth_of = Depth == by_capability ? chunk_depth(sizeof(T), this_capability) : Depth;

/// The terms in a chunk of a kernel that was compiled with `Depth`, for the host.
template <class T, int Depth, class Kernel>
int depth_of_kernel(Kernel kernel) {
  return Depth == by_capability ? chunk_depth(sizeof(T), warpfold::cuda::capability_of(kernel)) : Depth;
}

inline constexpr unsigned all_lanes = 0xffffffffU;

/// Reads threadIdx.x anew, so that nothing derived from it occupies registers during the products.
__device__ __forceinline__ int thread_anew() {
  int thread;
  asm volatile("mov.u32 %0, %%tid.x;" : "=r"(thread));
  return thread;
}

/// Starts the copy of 16 bytes from device to shared memory, without the L1 cache.
__device__ __forceinline__ void copy_vector(void* shared, const void* global) {
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(shared));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(global) : "memory");
}
__device__ __forceinline__ void copy_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int Pending>
__device__ __forceinline__ void copy_wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(Pending) : "memory");
}

/// How the threads of a block share the copy of Rows x Columns values. Each thread has a first vector. Its others are a
/// fixed number of rows further down, at distances that the compiler knows.
template <int Rows, int Columns, int Threads, class T>
struct BlockCopy {
  static constexpr int width = Vector<T>::width, row_vectors = Columns / width, rows_at_once = Threads / row_vectors;
  static_assert(Threads % row_vectors == 0 && Rows % rows_at_once == 0);
  static __device__ __forceinline__ unsigned row() { return threadIdx.x / row_vectors; }
  static __device__ __forceinline__ unsigned column() { return threadIdx.x % row_vectors * width; }

  /// Starts the copy. Both pointers point to this thread's first vector.
  template <int SharedStride>
  static __device__ __forceinline__ void start(T* shared, const T* global, std::size_t global_stride) {
#pragma unroll
    for (int row = 0; row < Rows; row += rows_at_once) {
      copy_vector(shared + row * SharedStride, global + row * global_stride);
    }
  }
};

/// The place of value x of a thread in a line of a tile that `Threads` threads share, vector by vector.
template <class T, int Threads>
__device__ __forceinline__ int place_in_line(int thread, int x) {
  constexpr int width = Vector<T>::width;
  return (x / width * Threads + thread) * width + x % width;
}
/// The column in the tile of a thread's column v.
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
/// with stride AStride; b: Terms rows; both in shared memory. For each two terms, `rows` + 2 * 8/width loads serve rows
/// * 8 * 2 terms.
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

/// The same, but loads the next pair's operands while a pair is added, which takes more registers. f32 gains 7 %,
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

/// The same if a is stored by k, as b is, in Terms rows: fewer loads, (rows + 8)/width a term.
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

/// Calls visit(u, v, a, b) for every term, and loads the next term's operands meanwhile.
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

}  // namespace warpfold::tiles::device
