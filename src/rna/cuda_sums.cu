#include <vector>

#include "rna/device_lists.cuh"
#include "rna/ensemble_backends.hpp"
#include "rna/exterior_sums.hpp"
#include "warpfold/interval/grammar.cuh"

/// The sums of a sequence's structures on a GPU: the grammar's tables, and of energies alone the exterior loop, too.
/// The host computes all else from copied tables.
namespace warpfold::rna::cuda {

namespace {

using interval::cuda::DeviceGrammarTables;
using warpfold::cuda::Buffer;
using warpfold::cuda::check;

constexpr unsigned side = tiles::tile_side;

template <bool lone_pairs>
using DeviceSums = SumGrammar<lone_pairs, LoopWeightView>;

/// The exterior loop (ExteriorSums) on the device, with its order of additions: of each j the sum over the pairs that
/// begin in tiles that are done.
struct ExteriorSumLists {
  const double* helix;  ///< the table
  const std::int32_t* exponents;
  unsigned points;
  ScaledTotal* totals;

  /// The stored weight of the pair of bases i and j-1; 0 if there is none.
  [[nodiscard]] __device__ double stored(const LoopWeightView& weights, unsigned i, unsigned j) const {
    if (i >= j || j >= points || weights.kind(i, j - 1) == pair_kinds) return 0;
    return helix[tiles::entry_offset(i, j, side)];
  }
  /// Adds what ends with base j-1 and has the first i bases before it.
  __device__ void add(ScaledTotal& total, const LoopWeightView& weights, const Scaled& before, double stored,
                      unsigned i, unsigned j) const {
    if (i + 1 == j && weights.is_free(i, j)) total.add(before);
    if (stored == 0) return;
    total.add(before, Scaled(stored, exponents[tiles::tile_number(i / side, j / side)]), weights.exterior(i, j - 1));
  }
};

/// Finishes `side` points of the exterior loop, and adds the pairs that begin there to those after them. Block b does
/// this for the points of the b-th tile from there, a thread each. All blocks finish the points.
__global__ void __launch_bounds__(side)
    add_exterior_sums(const __grid_constant__ LoopWeightView weights, const ExteriorSumLists lists, unsigned tile) {
  __shared__ double pairs[side][side];
  __shared__ alignas(16) unsigned char bytes[side * sizeof(Scaled)];  // a shared object has no constructor
  Scaled* const before = reinterpret_cast<Scaled*>(bytes);
  const unsigned column = threadIdx.x, first = tile * side, j = first + column, later = j + blockIdx.x * side;
  for (unsigned row = 0; row < side; ++row) pairs[row][column] = lists.stored(weights, first + row, j);
  ScaledTotal total = j < lists.points ? lists.totals[j] : ScaledTotal();
  for (unsigned row = 0; row < side; ++row) {
    if (row == column) before[row] = j == 0 ? Scaled(1) : total.total();
    __syncthreads();
    if (row < column && j < lists.points) lists.add(total, weights, before[row], pairs[row][column], first + row, j);
  }
  if (blockIdx.x == 0) {
    if (j < lists.points) lists.totals[j] = total;
    return;
  }
  if (later >= lists.points) return;
  total = lists.totals[later];
  for (unsigned row = 0; row < side; ++row) {
    const unsigned i = first + row;
    lists.add(total, weights, before[row], lists.stored(weights, i, later), i, later);
  }
  lists.totals[later] = total;
}

/// Solves the grammar and calls visit(its tables, the weights on the device).
template <bool lone_pairs, class Visit>
auto with_tables(const LoopWeights& weights, std::size_t points, Context& context, const Visit& visit) {
  using G = DeviceSums<lone_pairs>;
  const warpfold::cuda::DeviceScope scope(context.options.device.index);
  const DeviceLists<LoopWeightView> on_device(weights);
  return visit(interval::cuda::detail::solve_grammar_tiled<G>({G{on_device.view()}, points}, context),
               on_device.view());
}

}  // namespace

template <bool lone_pairs>
interval::GrammarTables<SumGrammar<lone_pairs>> sum_tables(const LoopWeights& weights, std::size_t points,
                                                           Context& context) {
  using G = DeviceSums<lone_pairs>;
  return with_tables<lone_pairs>(weights, points, context,
                                 [&](const DeviceGrammarTables<G>& there, const LoopWeightView&) {
                                   interval::GrammarTables<SumGrammar<lone_pairs>> tables(points);
                                   for (unsigned t = 0; t < interval::table_count<G>; ++t) {
                                     there.copy_table(t, tables.table(t).tile(0, 0), context.options);
                                   }
                                   there.copy_exponents(tables.exponents());
                                   return tables;
                                 });
}

template <bool lone_pairs>
Scaled sum_of_all(const LoopWeights& weights, std::size_t points, Context& context) {
  using G = DeviceSums<lone_pairs>;
  return with_tables<lone_pairs>(
      weights, points, context, [&](const DeviceGrammarTables<G>& there, const LoopWeightView& on_device) {
        const Buffer<ScaledTotal> totals{std::span<const ScaledTotal>(std::vector<ScaledTotal>(points))};
        const ExteriorSumLists lists{there.data() + G::helix * there.size_of_table(), there.exponents(),
                                     static_cast<unsigned>(points), totals.data()};
        const auto tiles = static_cast<unsigned>(interval::tile_count(points, side));
        for (unsigned tile = 0; tile < tiles; ++tile) {
          add_exterior_sums<<<tiles - tile, side>>>(on_device, lists, tile);
        }
        warpfold::cuda::check_launch("start the exterior loop");
        ScaledTotal last;
        check(cudaMemcpy(&last, totals.data() + points - 1, sizeof last, cudaMemcpyDeviceToHost), "send a sum");
        return last.total();
      });
}

template <bool lone_pairs>
std::size_t bytes_of_sum_tables(std::size_t points, double kt) {
  return interval::cuda::detail::SumSolve<DeviceSums<lone_pairs>>::bytes(points) + bytes_of_energies(points) +
         LoopWeights::bytes(points, kt) + points * sizeof(ScaledTotal);
}

template interval::GrammarTables<SumGrammar<false>> sum_tables<false>(const LoopWeights&, std::size_t, Context&);
template interval::GrammarTables<SumGrammar<true>> sum_tables<true>(const LoopWeights&, std::size_t, Context&);
template Scaled sum_of_all<false>(const LoopWeights&, std::size_t, Context&);
template Scaled sum_of_all<true>(const LoopWeights&, std::size_t, Context&);
template std::size_t bytes_of_sum_tables<false>(std::size_t, double);
template std::size_t bytes_of_sum_tables<true>(std::size_t, double);

}  // namespace warpfold::rna::cuda
