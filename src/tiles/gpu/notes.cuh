#pragma once

#include "tiles/gpu/arithmetic.cuh"
#include "tiles/gpu/chunks.cuh"

/// Products that note which terms made a result better, for nearly the time of a product that does not.
namespace warpfold::tiles::device {

/// The results of a thread, and for each the last group of terms in which it became better
/// (docs/explanation/kernels/paths.md). Groups must come in the order of k.
///
/// A group's number takes half a register, as the bits of a normal number of half precision. So the FMA units write it
/// while those that compare and choose are busy.
template <class Arith>
struct NotedResults {
  using T = typename Arith::Value;
  using Shape = NotedShape<T>;
  using Values = T[Shape::rows][Shape::columns];
  static constexpr std::uint32_t never = ~0U;
  Values value;

  __device__ __forceinline__ void clear_notes() {
#pragma unroll
    for (int u = 0; u < Shape::rows; ++u)
#pragma unroll
      for (int v = 0; v < Shape::columns; v += 2) notes_[u][v / 2] = 0;
  }
  /// The last group in which result (u,v) became better, or never.
  [[nodiscard]] __device__ __forceinline__ std::uint32_t note(int u, int v) const {
    const std::uint32_t bits = notes_[u][v / 2] >> (v % 2 * 16) & 0xFFFF;
    return bits == 0 ? never : bits - first_bits;
  }

  /// Applies a group of `Terms` terms. a, b: the first of them, both by k, in shared memory. The results after these
  /// terms are in `after`, so that the caller need not copy them.
  template <int Terms, int AStride, int BStride>
  __device__ __forceinline__ void add_group(const Values& before, Values& after, const T* a, const T* b, int thread_row,
                                            int thread_column, std::uint32_t group) {
#pragma unroll
    for (int k = 0; k < Terms; k += 2) {
      T left[2][Shape::rows], right[2][Shape::columns];
#pragma unroll
      for (int x = 0; x < 2; ++x) {
        load_part<Shape::thread_rows>(left[x], a + (k + x) * AStride, thread_row);
        load_part<Shape::thread_columns>(right[x], b + (k + x) * BStride, thread_column);
      }
#pragma unroll
      for (int u = 0; u < Shape::rows; ++u)
#pragma unroll
        for (int v = 0; v < Shape::columns; ++v) {
          after[u][v] =
              Arith::accumulate((k == 0 ? before : after)[u][v], left[0][u], right[0][v], left[1][u], right[1][v]);
        }
    }
#pragma unroll
    for (int u = 0; u < Shape::rows; ++u)
#pragma unroll
      for (int v = 0; v < Shape::columns; ++v) {
        if (Arith::better(after[u][v], before[u][v])) set_note(u, v, first_bits + group);
      }
  }

 private:
  static constexpr std::uint32_t first_bits = 0x0400, infinite = 0x7C00, one = 0x3C00;
  static_assert(first_bits + max_noted_groups <= infinite);

  /// One half becomes 0 times itself plus the bits, the other one 1 times itself plus 0.
  __device__ __forceinline__ void set_note(int u, int v, std::uint32_t bits) {
    const std::uint32_t keep = v % 2 ? one : one << 16, put = v % 2 ? bits << 16 : bits;
    asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(notes_[u][v / 2]) : "r"(notes_[u][v / 2]), "r"(keep), "r"(put));
  }

  std::uint32_t notes_[Shape::rows][Shape::columns / 2];
};

}  // namespace warpfold::tiles::device
