#pragma once

#include "interval/triangulation/kernels.cuh"

/// Polygons of at most 64 vertices: a warp each, with the whole table in its registers.
namespace warpfold::interval::device {

inline constexpr unsigned small_vertices = tile_side;

/// The columns u and u + 32 of the table, where u is the lane: value(k,u) for k < 32, value(k,u+32) for k < 64. Entries
/// not right of the diagonal stay infinite.
template <class T>
struct LaneColumns {
  static constexpr int group = 8;  ///< steps that are skipped or done together
  T left[32], right[64];

  __device__ __forceinline__ LaneColumns() {
#pragma unroll
    for (T& value : left) value = infinity<T>;
#pragma unroll
    for (T& value : right) value = infinity<T>;
  }

  /// Registers have no index at run time. Branches find the row's group, selection its place there.
  template <int Size>
  static __device__ __forceinline__ void set(T (&column)[Size], unsigned row, T value) {
#pragma unroll
    for (int first = 0; first < Size; first += group) {
      if (row / group != first / group) continue;
#pragma unroll
      for (int k = first; k < first + group; ++k) column[k] = row == k ? value : column[k];
    }
  }
};

/// A lane's two weights of a row, or its two best sums.
template <class T>
struct LanePair {
  T left, right;
};

/// Fills the table of one polygon from its last row to its first. In row i, the lane that has column k finishes
/// value(i,k), for k = i+1, i+2, .. A shuffle gives it to all lanes, and each improves its own columns by value(i,k) +
/// value(k,j). Weights are read, and values written, a row at a time.
///
/// No shared memory and no barriers. For n = 64, 2,016 sequential steps of a shuffle, two additions and a minimum.
template <class Rules>
__device__ __forceinline__ void solve_in_registers(const Rules& rules, const Job<typename Rules::Value>& job) {
  using T = typename Rules::Value;
  const unsigned lane = threadIdx.x, n = job.n;
  LaneColumns<T> table;
  const auto column = [&](unsigned i, unsigned j) { return min(max(j, i + 1), n - 1); };
  const auto read = [&](unsigned i) -> LanePair<T> {  // waits for nothing
    return {rules.source(job, i, column(i, lane)), rules.source(job, i, column(i, lane + 32))};
  };
  const auto weight = [&](unsigned i, unsigned j, T value) { return Rules::weight_of(n, i, j, [&] { return value; }); };
  const auto close = [&](T best, T weight) { return rules.close(n, 0, 0, best, weight); };
  const unsigned last = n - 2;
  LanePair<T> present = read(last), next = read(last - 1);
  for (unsigned i = last;; --i) {
    const LanePair<T> after = read(i < 2 ? 0 : i - 2);
    const LanePair<T> weights{weight(i, lane, present.left), weight(i, lane + 32, present.right)};
    LanePair<T> best{lane == i + 1 ? T{0} : infinity<T>, lane + 32 == i + 1 ? T{0} : infinity<T>};
#pragma unroll
    for (unsigned first = 0; first < 32; first += LaneColumns<T>::group) {
      if (first + LaneColumns<T>::group - 1 <= i || first >= n - 1) continue;
#pragma unroll
      for (unsigned k = first; k < first + LaneColumns<T>::group; ++k) {
        const T value = __shfl_sync(all_lanes, close(best.left, weights.left), k);
        best.left = least(best.left, value + table.left[k]);
        best.right = least(best.right, value + table.right[k]);
      }
    }
#pragma unroll
    for (unsigned first = 32; first < 64; first += LaneColumns<T>::group) {
      if (first + LaneColumns<T>::group - 1 <= i || first >= n - 1) continue;
#pragma unroll
      for (unsigned k = first; k < first + LaneColumns<T>::group; ++k) {
        const T value = __shfl_sync(all_lanes, close(best.right, weights.right), k - 32);
        best.right = least(best.right, value + table.right[k]);
      }
    }
    const LanePair<T> row{close(best.left, weights.left), close(best.right, weights.right)};
    T* out = job.table + i * tile_side + lane;
    out[0] = row.left;
    out[32] = row.right;
    if (i == 0) return;
    LaneColumns<T>::set(table.left, i, row.left);
    LaneColumns<T>::set(table.right, i, row.right);
    present = next;
    next = after;
  }
}

/// The polygons `small` of a plan, a block of one warp each.
template <class Rules>
__global__ void __launch_bounds__(32, sizeof(typename Rules::Value) == 4 ? 16 : 8)
    solve_small(const __grid_constant__ Solve<Rules> solve, const unsigned* small) {
  if (solve.stop.is_asked()) return;
  solve_in_registers(solve.rules, solve.jobs[small[blockIdx.x]]);
}

}  // namespace warpfold::interval::device
