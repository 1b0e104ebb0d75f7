#pragma once

#include "rna/exterior_sums.hpp"
#include "rna/gpu/exterior_blocks.cuh"

/// The exterior loop (ExteriorSums) on the device.
namespace warpfold::rna::cuda {

/// The exterior loop's lists.
struct ExteriorSumLists {
  const double* helix;  ///< the table
  const std::int32_t* exponents;
  unsigned points;
  Scaled* sums;                ///< of each point
  unsigned *taken, *finished;  ///< tiles of points, in the order in which they are finished
};

/// The intervals between the points of two tiles, by the points of the tile that is finished first and by the others.
struct ExteriorPairs {
  double fraction[side][side], weight[side][side];  ///< fractions of 0 do not pair
  int exponent[side][side];
  double sum_fraction[side];  ///< of the points of the tile that is finished first
  int sum_exponent[side];
  double exterior[625];  ///< what a pair with bases on both sides adds, by its bases and then by these

  /// By all threads of a block.
  __device__ __forceinline__ void list(const LoopWeightView& weights) {
    for (unsigned at = threadIdx.y * side + threadIdx.x; at < 625; at += side * exterior_groups) {
      exterior[at] = weights.of(weights.energies().lists().ends[at].exterior);
    }
  }
};

/// What a thread reads of them.
struct ExteriorColumn {
  static constexpr unsigned rows = side / exterior_groups;
  double stored[rows], weight[rows];
  int exponent;  ///< of the tile

  /// `interval(row)`: its points. Intervals that do not pair have a value of 0.
  template <class Interval>
  __device__ __forceinline__ void read(const ExteriorSumLists& lists, const LoopWeightView& weights,
                                       const ExteriorPairs& pairs, const Interval& interval) {
    const auto [any_i, any_j] = interval(0);
    const unsigned last = lists.points - 1, tiles_there = last / side;
    exponent = any_i / side <= any_j / side && any_j / side <= tiles_there
                   ? lists.exponents[tiles::tile_number(any_i / side, any_j / side)]
                   : 0;
    const Base* const bases = weights.energies().lists().bases;
    bool has_ends = false;
#pragma unroll
    for (unsigned r = 0; r < rows; ++r) {
      const auto [i, j] = interval(threadIdx.y * rows + r);
      const bool exists = i < j && j <= last, is_end = exists && (i == 0 || j == last);
      const bool is_inner = exists && !is_end;
      const double value = lists.helix[exists ? tiles::entry_offset(i, j, side) : 0];
      const unsigned from = is_inner ? i : 1, to = is_inner ? j : 1;
      const unsigned place = ((bases[from] * 5U + bases[to - 1]) * 5 + bases[from - 1]) * 5 + bases[to];
      stored[r] = exists ? value : 0;
      weight[r] = pairs.exterior[place];
      has_ends |= is_end;
    }
    if (!has_ends) return;
#pragma unroll
    for (unsigned r = 0; r < rows; ++r) {
      const auto [i, j] = interval(threadIdx.y * rows + r);
      if (stored[r] != 0 && (i == 0 || j == last)) weight[r] = weights.exterior(i, j - 1);
    }
  }
  __device__ __forceinline__ void write(ExteriorPairs& pairs) const {
#pragma unroll
    for (unsigned r = 0; r < rows; ++r) {
      const Scaled value(stored[r], stored[r] == 0 ? 0 : exponent);
      const unsigned row = threadIdx.y * rows + r;
      pairs.fraction[row][threadIdx.x] = value.fraction();
      pairs.exponent[row][threadIdx.x] = static_cast<int>(value.exponent());
      pairs.weight[row][threadIdx.x] = weight[r];
    }
  }
};

/// A ScaledTotal, which takes several terms at one time: its exponent is that of the largest. What is lost beside that
/// changes no bit.
class ExteriorTotal {
 public:
  ExteriorTotal() = default;
  __device__ ExteriorTotal(double sum, int exponent) : sum_(sum), exponent_(exponent) {}

  __device__ __forceinline__ void write(double& sum, int& exponent) const {
    sum = sum_;
    exponent = exponent_;
  }
  template <int count>
  __device__ __forceinline__ void add(const double (&values)[count], const int (&exponents)[count]) {
    int top = exponent_;
    bool has_any = sum_ != 0;
#pragma unroll
    for (int x = 0; x < count; ++x) {
      if (values[x] == 0) continue;
      top = has_any ? max(top, exponents[x]) : exponents[x];
      has_any = true;
    }
    sum_ *= two_to(exponent_ - top);
    exponent_ = top;
#pragma unroll
    for (int x = 0; x < count; ++x) sum_ += values[x] == 0 ? 0 : values[x] * two_to(exponents[x] - top);
  }
  /// Makes it a fraction of 0, or 0.5 to 1, with its exponent.
  __device__ __forceinline__ void normalize(double& fraction, int& exponent) const {
    const int high = __double2hiint(sum_);
    fraction = __hiloint2double((high & 0xfffff) | 1022 << 20, __double2loint(sum_));
    exponent = exponent_ + (high >> 20) - 1022;
    if (sum_ == 0) fraction = exponent = 0;
  }

 private:
  /// 2^exponent, exponent <= 1023, or 0.
  static __device__ __forceinline__ double two_to(int exponent) {
    return exponent < -1022 ? 0 : __hiloint2double((min(exponent, 0) + 1023) << 20, 0);
  }

  double sum_ = 0;
  int exponent_ = 0;
};

/// Computes the exterior loop. A block takes the next tile of points, and adds the pairs with points of the tiles
/// before it as soon as these are finished. Then one warp finishes the points, two in each lane. Shared memory:
/// ExteriorPairs, 82 KB.
template <bool is_back>
__global__ void __launch_bounds__(side* exterior_groups)
    add_exterior_sums(const __grid_constant__ LoopWeightView weights, const ExteriorSumLists lists) {
  extern __shared__ double places[];
  ExteriorPairs& pairs = *reinterpret_cast<ExteriorPairs*>(places);
  __shared__ unsigned taken;
  const unsigned place = threadIdx.x, along = (lists.points + side - 1) / side;
  if (place == 0 && threadIdx.y == 0) {
    taken = TileCounter(*lists.taken).fetch_add(1, ::cuda::memory_order_relaxed);
  }
  __syncthreads();
  const unsigned number = taken;
  const auto point = [&](unsigned of_tile, unsigned at) {
    return is_back ? (along - 1 - of_tile) * side + side - 1 - at : of_tile * side + at;
  };
  const unsigned own = point(number, place);
  const auto has_free_base = [&](unsigned to) {  // before the point, or after it
    const bool exists = is_back ? to + 1 < lists.points : to > 0 && to < lists.points;
    return exists && (is_back ? weights.is_free(to, to + 1) : weights.is_free(to - 1, to));
  };
  const auto pairs_with = [&](unsigned of_tile) {
    return [&, of_tile](unsigned row) {
      const unsigned from = point(of_tile, row);
      return is_back ? std::pair(own, from) : std::pair(from, own);
    };
  };
  ExteriorTotal total;
  ExteriorColumn column;
  pairs.list(weights);
  __syncthreads();
  column.read(lists, weights, pairs, pairs_with(0));
  for (unsigned before = 0; before < number; ++before) {
    column.write(pairs);
    column.read(lists, weights, pairs, pairs_with(before + 1));
    if (threadIdx.y == 0) {
      if (place % 32 == 0) wait_for_tile(*lists.finished, before);
      __syncwarp();
      const unsigned from = point(before, place);
      if (from < lists.points) {
        pairs.sum_fraction[place] = __ldcg(&reinterpret_cast<const double2*>(lists.sums + from)->x);
        pairs.sum_exponent[place] = static_cast<int>(__ldcg(reinterpret_cast<const long long*>(lists.sums + from) + 1));
      } else {
        pairs.sum_fraction[place] = 0;
        pairs.sum_exponent[place] = 0;
      }
    }
    __syncthreads();
    if (threadIdx.y == 0 && own < lists.points) {
      constexpr unsigned some = 8;
#pragma unroll 1
      for (unsigned first = 0; first < side; first += some) {
        double values[some];
        int exponents[some];
#pragma unroll
        for (unsigned x = 0; x < some; ++x) {
          const unsigned row = first + x;
          values[x] = pairs.sum_fraction[row] * pairs.fraction[row][place] * pairs.weight[row][place];
          exponents[x] = pairs.sum_exponent[row] + pairs.exponent[row][place];
        }
        total.add(values, exponents);
      }
      if (before + 1 == number && place == 0 && has_free_base(own)) {
        total.add<1>({pairs.sum_fraction[side - 1]}, {pairs.sum_exponent[side - 1]});
      }
    }
    __syncthreads();
  }
  column.write(pairs);
  if (threadIdx.y == 0) total.write(pairs.sum_fraction[place], pairs.sum_exponent[place]);
  __syncthreads();
  if (threadIdx.y > 0 || place >= 32) return;
  ExteriorTotal of_lane[2];
  double fraction_of[2] = {};
  int exponent_of[2] = {};
  unsigned free[2];
#pragma unroll
  for (unsigned half = 0; half < 2; ++half) {
    of_lane[half] = ExteriorTotal(pairs.sum_fraction[half * 32 + place], pairs.sum_exponent[half * 32 + place]);
    free[half] = __ballot_sync(~0U, has_free_base(point(number, half * 32 + place)));
  }
  constexpr unsigned some = 4;  // points that no pair has both of
#pragma unroll
  for (unsigned half = 0; half < 2; ++half) {
#pragma unroll 1
    for (unsigned first = 0; first < 32; first += some) {
      double fractions[some];
      int exponents[some];
#pragma unroll
      for (unsigned x = 0; x < some; ++x) {
        const unsigned r = first + x, row = half * 32 + r, from = point(number, row);
        fractions[x] = 0.5;
        exponents[x] = 1;
        if (from != (is_back ? lists.points - 1 : 0)) of_lane[half].normalize(fractions[x], exponents[x]);
        if (place == r) {
          fraction_of[half] = fractions[x];
          exponent_of[half] = exponents[x];
        }
        fractions[x] = __shfl_sync(~0U, fractions[x], r);
        exponents[x] = __shfl_sync(~0U, exponents[x], r);
        if (from >= lists.points) fractions[x] = 0;
#pragma unroll
        for (unsigned later = half; later < 2; ++later) {
          const bool is_next = later * 32 + place == row + 1 && (free[later] >> place & 1) != 0;
          of_lane[later].add<1>({is_next ? fractions[x] : 0}, {exponents[x]});
        }
      }
#pragma unroll
      for (unsigned later = half; later < 2; ++later) {
        const unsigned to = later * 32 + place;
        double values[some];
        int of_values[some];
#pragma unroll
        for (unsigned x = 0; x < some; ++x) {
          const unsigned row = half * 32 + first + x;
          const double paired = to > row ? pairs.fraction[row][to] : 0;
          values[x] = fractions[x] * paired * pairs.weight[row][to];
          of_values[x] = exponents[x] + pairs.exponent[row][to];
        }
        of_lane[later].add(values, of_values);
      }
    }
  }
#pragma unroll
  for (unsigned half = 0; half < 2; ++half) {
    const unsigned from = point(number, half * 32 + place);
    if (from < lists.points) lists.sums[from] = Scaled(fraction_of[half], exponent_of[half]);
  }
  __syncwarp();
  __threadfence();
  if (place == 0) TileCounter(*lists.finished).store(number + 1, ::cuda::memory_order_release);
}

}  // namespace warpfold::rna::cuda
