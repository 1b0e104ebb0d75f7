#pragma once

#include <algorithm>
#include <cstddef>

#include "interval/user/grammar_tiles.cuh"
#include "interval/user/grammar_walk.cuh"
#include "rna/folding_grammar.hpp"
#include "rna/gpu/exterior_blocks.cuh"
#include "rna/gpu/folding_tiles.cuh"
#include "run/cuda.hpp"
#include "warpfold/interval/grammar.cuh"

/// What foldings on a GPU are made of: the grammars, the exterior loop, and the marks of a structure.
namespace warpfold::rna::cuda {

/// `Energies`: LoopEnergyView or UnconstrainedEnergyView.
template <bool lone_pairs, class Energies = LoopEnergyView>
using DeviceGrammar = FoldingGrammar<lone_pairs, Energies>;

/// A folding whose tiles are closed row by row: without a constraint, and without energies of pairs and stacks.
template <bool lone_pairs>
struct RowGrammar : DeviceGrammar<lone_pairs, UnconstrainedEnergyView> {
  using Tile = interval::device::OpenTile<Energy>;

  const PairLists* lists;
  CarriedRims rims;

  /// With fewer branches: there are no energies of pairs and of stacks.
  template <class Add>
  __device__ __forceinline__ void sparse_terms(std::size_t i, std::size_t j, Add& add) const {
    __builtin_assume(this->energies.lists().pair_energies == nullptr);
    __builtin_assume(this->energies.lists().stack_energies == nullptr);
    DeviceGrammar<lone_pairs, UnconstrainedEnergyView>::sparse_terms(i, j, add);
  }

  static constexpr int closing_bytes = ClosingPlaces<lone_pairs>::bytes;
  template <class Report>
  __device__ __forceinline__ void close(const Tile& tile, Energy* shared, int thread, const Report& report) const {
    using Closing = FoldingClosing<RowGrammar, Tile, Report>;
    static_assert(Closing::threads == interval::device::ClosingArea<RowGrammar>::threads);
    Closing(*this, tile, shared, thread, report).run();
  }
};

/// An energy with the first base of the last pair, as one number: the lower energy is less, then the smaller base.
using EnergyAndBase = unsigned long long;

__host__ __device__ constexpr EnergyAndBase with_base(Energy energy, unsigned base) {
  return EnergyAndBase{static_cast<unsigned>(energy) ^ 0x80000000U} << 32 | base;
}
__host__ __device__ constexpr Energy energy_of(EnergyAndBase both) {
  return static_cast<Energy>(static_cast<unsigned>(both >> 32) ^ 0x80000000U);
}

/// The exterior loop (exterior.hpp) on the device: least[j] of the first j bases, and of those that end with a pair the
/// best, last_pair[j].
struct ExteriorLists {
  const Energy* helix;  ///< the table
  unsigned points;
  Energy* least;
  EnergyAndBase* last_pair;
  unsigned *taken, *finished;  ///< tiles of points

  /// What the pair of bases i and j-1 adds, with all inside it; no_loop if there is none.
  [[nodiscard]] __device__ __forceinline__ Energy pair(const LoopEnergyView& energies, unsigned i, unsigned j) const {
    if (i >= j || j >= points) return no_loop;
    const Energy inside = helix[tiles::entry_offset(i, j, side)], adds = energies.exterior(i, j - 1);
    return inside >= no_loop ? no_loop : inside + adds;
  }
  /// What those of bases first, first + 1 .. with base j-1 add.
  template <unsigned count>
  __device__ __forceinline__ void read(const LoopEnergyView& energies, unsigned first, unsigned j,
                                       Energy (&pairs)[count]) const {
#pragma unroll
    for (unsigned r = 0; r < count; ++r) pairs[r] = pair(energies, first + r, j);
  }
  /// The better one of `best` and the pair (i,j) with what it adds, after the first i bases.
  [[nodiscard]] static __device__ EnergyAndBase better(EnergyAndBase best, Energy before, Energy pair, unsigned i) {
    return pair < no_loop && before < no_loop ? min(best, with_base(before + pair, i)) : best;
  }
};

/// Finishes `side` points of the exterior loop after the other. A block takes the next tile of points, and adds the
/// pairs that begin in the tiles before it as soon as these are finished.
__device__ __forceinline__ void add_exterior_tile(const LoopEnergyView& energies, const ExteriorLists& lists) {
  constexpr unsigned rows = side / exterior_groups;
  __shared__ unsigned tile;
  __shared__ Energy pairs[side][side];
  __shared__ EnergyAndBase parts[exterior_groups][side];
  const unsigned column = threadIdx.x, group = threadIdx.y;
  if (column == 0 && group == 0) tile = TileCounter(*lists.taken).fetch_add(1, ::cuda::memory_order_relaxed);
  __syncthreads();
  if (tile * side >= lists.points) return;
  const unsigned j = tile * side + column;
  EnergyAndBase best = with_base(no_loop, 0);
  Energy pair[rows];
  lists.read(energies, tile * side + group * rows, j, pair);
#pragma unroll
  for (unsigned r = 0; r < rows; ++r) pairs[group * rows + r][column] = pair[r];
  lists.read(energies, group * rows, j, pair);
  for (unsigned before = 0; before < tile; ++before) {
    const unsigned first = before * side + group * rows;
    Energy next[rows];
    lists.read(energies, first + side, j, next);
    if (column % 32 == 0) wait_for_tile(*lists.finished, before);
    __syncwarp();
#pragma unroll
    for (unsigned r = 0; r < rows; ++r) {
      best = ExteriorLists::better(best, __ldcg(lists.least + first + r), pair[r], first + r);
      pair[r] = next[r];
    }
  }
  parts[group][column] = best;
  __syncthreads();
  if (group > 0 || column >= 32) return;
  // One warp finishes the points, two in each lane.
  EnergyAndBase of_lane[2];
  unsigned free[2];
#pragma unroll
  for (unsigned half = 0; half < 2; ++half) {
    const unsigned c = half * 32 + column, point = tile * side + c;
    of_lane[half] = parts[0][c];
    for (unsigned g = 1; g < exterior_groups; ++g) of_lane[half] = min(of_lane[half], parts[g][c]);
    free[half] = __ballot_sync(~0U, point > 0 && point < lists.points && energies.is_free(point - 1, point));
  }
  Energy least = tile == 0 ? 0 : __ldcg(lists.least + tile * side - 1), of_points[2];
#pragma unroll
  for (unsigned half = 0; half < 2; ++half) {
#pragma unroll 4
    for (unsigned r = 0; r < 32; ++r) {
      const unsigned row = half * 32 + r, i = tile * side + row;
      const Energy paired = __shfl_sync(~0U, energy_of(of_lane[half]), r);
      least = i == 0 ? 0 : min(paired, (free[half] >> r & 1) != 0 ? least : no_loop);
      if (column == r) of_points[half] = least;
#pragma unroll
      for (unsigned later = 0; later < 2; ++later) {
        of_lane[later] = ExteriorLists::better(of_lane[later], least, pairs[row][later * 32 + column], i);
      }
    }
  }
#pragma unroll
  for (unsigned half = 0; half < 2; ++half) {
    const unsigned point = tile * side + half * 32 + column;
    if (point >= lists.points) continue;
    lists.least[point] = of_points[half];
    lists.last_pair[point] = of_lane[half];
  }
  __syncwarp();
  __threadfence();
  if (column == 0) TileCounter(*lists.finished).store(tile + 1, ::cuda::memory_order_release);
}

/// Marks the pairs among the intervals that a walk visits.
template <class G>
struct MarkPairs {
  char* structure;

  __device__ void operator()(unsigned table, unsigned i, unsigned j) const {
    if (table != G::paired && table != G::helix) return;
    structure[i] = '(';
    structure[j - 1] = ')';
  }
};

/// Where tiles leave sums for others.
inline std::size_t rim_size(std::size_t points) {
  return interval::tile_count(points, side) * (2 * side + 1) * carried_rim;
}

/// Whether tiles can be closed row by row by a kernel for this capability.
template <class G>
bool closes_rows(const LoopEnergies& energies, const PairLists& lists, const FoldRequest& request, int capability) {
  using Rules = interval::device::GrammarRules<G>;
  return request.constraint.empty() && request.stack_energies.empty() &&
         Rules::shared_bytes(0, capability) + 1024 <= warpfold::cuda::shared_bytes_of_block(capability) &&
         have_limits(energies, lists.by_size);
}

}  // namespace warpfold::rna::cuda
