#pragma once

#include "rna/exterior_sums.hpp"
#include "warpfold/tiles/tile_table.hpp"

/// The exterior loop (ExteriorSums) on the device.
namespace warpfold::rna::cuda {

inline constexpr unsigned side = tiles::tile_side;

/// Of each point the sum over the pairs that begin, or end, in tiles that are done, in the host's order of additions.
struct ExteriorSumLists {
  const double* helix;  ///< the table
  const std::int32_t* exponents;
  unsigned points;
  ScaledTotal* totals;
  Scaled* finished;
};

/// The intervals between the points of two tiles that pair, for half of the points of the first one: what a block reads
/// before it adds.
struct ExteriorPairs {
  static constexpr unsigned rows = side / 2;
  double fraction[rows][side], weight[rows][side];  ///< fractions of 0 do not pair
  int exponent[rows][side];

  /// By all threads of a block, four for each point.
  template <class Interval>
  __device__ __forceinline__ void read(const ExteriorSumLists& lists, const LoopWeightView& weights,
                                       const Interval& interval) {
#pragma unroll 4
    for (unsigned row = threadIdx.y; row < rows; row += 4) {
      const auto [i, j] = interval(row);
      const bool pairs = i < j && j < lists.points && weights.kind(i, j - 1) != pair_kinds;
      const double stored = pairs ? lists.helix[tiles::entry_offset(i, j, side)] : 0;
      const Scaled value(stored, stored == 0 ? 0 : lists.exponents[tiles::tile_number(i / side, j / side)]);
      fraction[row][threadIdx.x] = value.fraction();
      exponent[row][threadIdx.x] = static_cast<int>(value.exponent());
      weight[row][threadIdx.x] = stored == 0 ? 0 : weights.exterior(i, j - 1);
    }
  }
  /// Adds the pair of a row and the thread's point.
  __device__ __forceinline__ void add_to(ScaledTotal& total, unsigned row, const Scaled& rest) const {
    const unsigned column = threadIdx.x;
    if (fraction[row][column] == 0) return;
    total.add(rest.fraction() * fraction[row][column] * weight[row][column], rest.exponent() + exponent[row][column]);
  }
};

/// Finishes `side` points of the exterior loop, and adds the pairs between them and the points after them, or before
/// them if `is_back`. Block b does this for the points of the b-th tile from there. All blocks finish the points.
template <bool is_back>
__global__ void __launch_bounds__(4 * side)
    add_exterior_sums(const __grid_constant__ LoopWeightView weights, const ExteriorSumLists lists, unsigned tile) {
  __shared__ ExteriorPairs pairs;
  __shared__ alignas(16) unsigned char bytes[side * sizeof(Scaled)];  // a shared object has no constructor
  Scaled* const finished = reinterpret_cast<Scaled*>(bytes);
  const unsigned place = threadIdx.x, other_tile = is_back ? tile - blockIdx.x : tile + blockIdx.x;
  const auto point = [](unsigned of_tile, unsigned at) { return of_tile * side + (is_back ? side - 1 - at : at); };
  const unsigned own = point(tile, place), other = point(other_tile, place);
  const auto read = [&](unsigned half, unsigned to) {
    __syncthreads();
    pairs.read(lists, weights, [&](unsigned row) {
      const unsigned from = point(tile, half * ExteriorPairs::rows + row);
      return is_back ? std::pair(to, from) : std::pair(from, to);
    });
    __syncthreads();
  };
  const auto has_free_base = [&](unsigned to) {  // before the point, or after it
    const bool exists = is_back ? to + 1 < lists.points : to > 0 && to < lists.points;
    return exists && (is_back ? weights.is_free(to, to + 1) : weights.is_free(to - 1, to));
  };
  ScaledTotal total = own < lists.points ? lists.totals[own] : ScaledTotal();
  const bool is_first = own == (is_back ? lists.points - 1 : 0), own_is_free = has_free_base(own);
  for (unsigned at = 0; at < side; ++at) {
    if (at % ExteriorPairs::rows == 0) read(at / ExteriorPairs::rows, own);
    if (threadIdx.y == 0 && at == place) finished[at] = is_first ? Scaled(1) : total.total();
    __syncthreads();
    if (threadIdx.y > 0 || at >= place || own >= lists.points || point(tile, at) >= lists.points) continue;
    if (at + 1 == place && own_is_free) total.add(finished[at]);
    pairs.add_to(total, at % ExteriorPairs::rows, finished[at]);
  }
  if (blockIdx.x == 0) {
    if (threadIdx.y == 0 && own < lists.points) lists.finished[own] = finished[place];
    return;  // other blocks may yet read the totals
  }
  if (threadIdx.y == 0 && other < lists.points) total = lists.totals[other];
  const bool other_is_free = blockIdx.x == 1 && place == 0 && has_free_base(other);
  for (unsigned at = 0; at < side; ++at) {
    if (at % ExteriorPairs::rows == 0) read(at / ExteriorPairs::rows, other);
    if (threadIdx.y > 0 || other >= lists.points || point(tile, at) >= lists.points) continue;
    if (at + 1 == side && other_is_free) total.add(finished[at]);
    pairs.add_to(total, at % ExteriorPairs::rows, finished[at]);
  }
  if (threadIdx.y == 0 && other < lists.points) lists.totals[other] = total;
}

}  // namespace warpfold::rna::cuda
