#pragma once

#include <algorithm>

#include "tiles/gpu/chunks.cuh"
#include "tiles/layout.hpp"

/// Products of tiles of doubles by one or two teams of 128 threads. Each sum is a chain of fused multiplications and
/// additions by ascending k, as on the CPU (tiles::SumOperations).
namespace warpfold::interval::device {

/// Whether a GPU's matrix units add the chains. Those of an H100 had the bits of such a chain in all of
/// 8 million sums of 16 terms of any sign and of magnitudes up to 2^200 times each other. Other GPUs are not tested,
/// and add by their other units.
inline constexpr bool adds_by_matrix_units = tiles::device::this_capability == 90;

/// The 64 x `columns` sums of a tile or of a part of it. A warp has 32 x 32, 16 x 32 or 16 x 16 of them, a thread two
/// rows and two columns of each 16 x 8.
template <int columns, int teams = 1>
class FusedSums {
 public:
  /// The strides in shared memory of operands whose chunks have `depth` terms. Half a warp reads 16 banks.
  static constexpr int a_stride(int depth) { return depth + 4; }
  static constexpr int b_stride = columns + 4;

  /// Calls visit(sum, row, column) for the thread's sums.
  template <class Visit>
  __device__ __forceinline__ void each(Visit&& visit) {
    const Place at;
#pragma unroll
    for (int m = 0; m < tall; ++m) {
#pragma unroll
      for (int n = 0; n < wide; ++n) {
#pragma unroll
        for (int x = 0; x < 4; ++x) {
          visit(sum_[m][n][x], at.row + 16 * m + x / 2 * 8 + at.group, at.column + 8 * n + 2 * at.member + x % 2);
        }
      }
    }
  }
  __device__ __forceinline__ void clear() {
    each([](double& sum, int, int) { sum = 0; });
  }
  /// Adds the products of the chunks a and b. of_a(value) and of_b(value) scale them.
  template <int depth, class OfA, class OfB>
  __device__ __forceinline__ void add(const double* a, const double* b, const OfA& of_a, const OfB& of_b) {
    const Place at;
#pragma unroll
    for (int k = 0; k < depth; k += 8) {
      if constexpr (adds_by_matrix_units) {
        add_by_units(a + (at.row + at.group) * a_stride(depth) + k + at.member, a_stride(depth),
                     b + (k + at.member) * b_stride + at.column + at.group, of_a, of_b);
      } else {
        for (int x = k; x < k + 8; ++x) {
          each([&](double& sum, int row, int column) {
            sum = fma(of_a(a[row * a_stride(depth) + x]), of_b(b[x * b_stride + column]), sum);
          });
        }
      }
    }
  }

 private:
  static constexpr int warp_columns = std::min(columns, 32), across = columns / warp_columns,
                       warp_rows = tiles::device::tile_side * across / (teams * tiles::device::warps);
  static constexpr int tall = warp_rows / 16, wide = warp_columns / 8;

  /// The first row and column of a warp, and a thread's place in it: eight groups of four.
  struct Place {
    int row, column, group, member;
    __device__ __forceinline__ Place() {
      const auto thread = static_cast<unsigned>(tiles::device::thread_anew());
      const unsigned warp = thread / 32 + (teams > 1 ? threadIdx.y * tiles::device::warps : 0);
      row = static_cast<int>(warp / across) * warp_rows;
      column = static_cast<int>(warp % across) * warp_columns;
      group = static_cast<int>(thread % 32 / 4);
      member = static_cast<int>(thread % 4);
    }
  };

  /// Eight terms. a: the thread's first value in its first row; b: in its first column.
  template <class OfA, class OfB>
  __device__ __forceinline__ void add_by_units(const double* a, int stride, const double* b, const OfA& of_a,
                                               const OfB& of_b) {
    double left[tall][4], right[wide][2];
#pragma unroll
    for (int m = 0; m < tall; ++m) {
#pragma unroll
      for (int x = 0; x < 4; ++x) left[m][x] = of_a(a[(16 * m + x % 2 * 8) * stride + x / 2 * 4]);
    }
#pragma unroll
    for (int n = 0; n < wide; ++n) {
#pragma unroll
      for (int x = 0; x < 2; ++x) right[n][x] = of_b(b[4 * x * b_stride + 8 * n]);
    }
#pragma unroll
    for (int m = 0; m < tall; ++m) {
#pragma unroll
      for (int n = 0; n < wide; ++n) {
        double(&sum)[4] = sum_[m][n];
        asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
            : "+d"(sum[0]), "+d"(sum[1]), "+d"(sum[2]), "+d"(sum[3])
            : "d"(left[m][0]), "d"(left[m][1]), "d"(left[m][2]), "d"(left[m][3]), "d"(right[n][0]), "d"(right[n][1]));
      }
    }
  }

  double sum_[tall][wide][4];
};

}  // namespace warpfold::interval::device
