#include <chrono>
#include <vector>

#include "rna/ensemble_backends.hpp"
#include "rna/gpu/device_lists.cuh"
#include "rna/gpu/exterior_sums.cuh"
#include "rna/gpu/outside_tiles.cuh"
#include "rna/gpu/sum_tiles.cuh"
#include "warpfold/interval/grammar.cuh"
#include "warpfold/interval/marginals.cuh"

/// The sums of a sequence's structures on a GPU: the grammar's tables, and of energies and of pair probabilities all
/// else, too. Samples and windows come from the host, which gets the tables.
namespace warpfold::rna::cuda {

namespace {

using interval::cuda::DeviceGrammarTables;
using warpfold::cuda::Buffer;
using warpfold::cuda::check;
using warpfold::cuda::Stream;

template <bool lone_pairs>
using DeviceSums = SumGrammar<lone_pairs, LoopWeightView>;
static_assert(interval::device::SumArea<DeviceSums<false>>::is_shared(90) &&
                  interval::device::OutsideArea<DeviceSums<false>>::is_shared(90),
              "what a block needs is in shared memory");

/// The same for tiles that are closed row by row: without a constraint, and without energies of pairs and stacks.
template <bool lone_pairs>
struct RowSums : DeviceSums<lone_pairs> {
  const SumLists* lists;
  LineWeights lines;

  static constexpr int closing_bytes = SumPlaces::bytes;
  template <class Report, class Seen>
  __device__ __forceinline__ void close(const interval::device::OpenSumTile& tile, double* shared, int thread,
                                        const Report& report, Seen* seen) const {
    static_assert(SumPlaces::threads == interval::device::SumRules<RowSums>::threads);
    close_sums(SumTile<RowSums, interval::device::OpenSumTile>(*this, tile, shared), thread, report, seen);
  }

  static constexpr int outside_bytes = OutsidePlaces::bytes, outside_threads = OutsidePlaces::threads;
  template <class Tile>
  __device__ __forceinline__ double close_outside(const Tile& tile, double* shared, int thread) const {
    return close_outside_rows(OutsideTile<RowSums, Tile>(*this, tile, shared), thread);
  }
};

/// Whether tiles can be closed row by row.
template <class G>
bool closes_rows(const LoopWeights& weights) {
  using Rules = interval::device::SumRules<G>;
  const LoopLists& lists = weights.energies().lists();
  const int capability = warpfold::cuda::capability_of(tiles::device::fill_tables<Rules>);
  return !lists.constraint.places && !lists.constraint.forced && !lists.stack_energies && !lists.pair_energies &&
         have_accepted_weights(weights) &&
         std::max(Rules::shared_bytes(0, capability), G::outside_bytes) + 2048 <=
             warpfold::cuda::shared_bytes_of_block(capability);
}

/// The weights of the first bases up to each point, or of the bases from each point on.
template <bool is_back, class G>
Buffer<Scaled> exterior_sums(const DeviceGrammarTables<G>& tables, const LoopWeightView& weights) {
  const std::size_t points = tables.points();
  Buffer<Scaled> finished(points);
  const Buffer<unsigned> counters(2);
  const Stream stream;
  const ExteriorSumLists lists{tables.data() + G::helix * tables.size_of_table(),
                               tables.exponents(),
                               static_cast<unsigned>(points),
                               finished.data(),
                               counters.data(),
                               counters.data() + 1};
  check(cudaMemsetAsync(counters.data(), 0, counters.bytes(), stream.get()), "clear its counters");
  warpfold::cuda::reserve_shared(add_exterior_sums<is_back>, sizeof(ExteriorPairs));
  add_exterior_sums<is_back><<<static_cast<unsigned>(interval::tile_count(points, side)), dim3(side, exterior_groups),
                               sizeof(ExteriorPairs), stream.get()>>>(weights, lists);
  warpfold::cuda::check_launch("start the exterior loop");
  stream.synchronize();
  return finished;
}

Scaled sent(const Scaled* at) {
  Scaled sum;
  check(cudaMemcpy(&sum, at, sizeof sum, cudaMemcpyDeviceToHost), "send a sum");
  return sum;
}

/// The derivative of ln Z by the weight of a pair in the exterior loop (ExteriorSums::seed).
template <unsigned helix>
struct ExteriorSeed {
  LoopWeightView weights;
  const Scaled *before, *after;
  Scaled whole;

  [[nodiscard]] constexpr Scaled operator()(unsigned table, unsigned i, unsigned j) const {
    if (table != helix || weights.kind(i, j - 1) == pair_kinds) return {};
    return before[i] * Scaled(weights.exterior(i, j - 1)) * after[j] / whole;
  }
};
template <class G>
using PairsFromOutside = interval::cuda::detail::OutsideSolve<G, ExteriorSeed<G::helix>>;

/// The pairs of a sequence by their probabilities (list_pairs on the host), by blocks for the bases of a tile's rows, a
/// thread each.
struct ListedPairs {
  const double* marginals;  ///< of (i,j): the probability of the pair of bases i and j-1
  unsigned bases;
  double threshold;
  unsigned* counts;    ///< of each base the pairs with bases after it
  double* unpaired;    ///< of each base
  unsigned* partners;  ///< of each base its partner with more than one half, or itself

  [[nodiscard]] __device__ double probability(unsigned i, unsigned j) const {
    return marginals[tiles::entry_offset(i, j + 1, side)];
  }
  [[nodiscard]] __device__ bool is_listed(double found) const { return found != 0 && found >= threshold; }
};

/// Calls visit(j, probability) for the thread's base and all j after it, in their order. `tile`: of the block.
template <class Visit>
__device__ void each_pair_after(const ListedPairs& lists, double (&tile)[side][side + 1], const Visit& visit) {
  const unsigned own = threadIdx.x, i = blockIdx.x * side + own, tiles_there = lists.bases / side;
  for (unsigned tile_j = blockIdx.x; tile_j <= tiles_there; ++tile_j) {
    const double* const from = lists.marginals + tiles::tile_offset(blockIdx.x, tile_j, side);
    __syncthreads();
#pragma unroll 8
    for (unsigned row = 0; row < side; ++row) tile[row][own] = from[row * side + own];
    __syncthreads();
    for (unsigned column = 0; column < side; ++column) {
      const unsigned point = tile_j * side + column;
      if (point > i + 1 && point <= lists.bases && i < lists.bases) visit(point - 1, tile[own][column]);
    }
  }
}

/// What each base loses to its pairs, in the order of the pairs, and the number of pairs to list.
__global__ void __launch_bounds__(side) look_at_pairs(const ListedPairs lists) {
  __shared__ double tile[side][side + 1];
  const unsigned base = blockIdx.x * side + threadIdx.x;
  double unpaired = 1;
  unsigned partner = base, count = 0;
  if (base < lists.bases) {
#pragma unroll 8
    for (unsigned i = 0; i < base; ++i) {
      const double found = lists.probability(i, base);
      unpaired -= found;
      partner = found > 0.5 ? i : partner;
    }
  }
  each_pair_after(lists, tile, [&](unsigned j, double found) {
    unpaired -= found;
    partner = found > 0.5 ? j : partner;
    count += lists.is_listed(found);
  });
  if (base >= lists.bases) return;
  lists.counts[base] = count;
  lists.unpaired[base] = max(0.0, unpaired);
  lists.partners[base] = partner;
}

/// Lists the pairs of each base from its `counts` on.
__global__ void __launch_bounds__(side) list_each_pair(const ListedPairs lists, PairProbability* pairs) {
  __shared__ double tile[side][side + 1];
  const unsigned base = blockIdx.x * side + threadIdx.x;
  unsigned next = base < lists.bases ? lists.counts[base] : 0;
  each_pair_after(lists, tile, [&](unsigned j, double found) {
    if (lists.is_listed(found)) pairs[next++] = {base, j, found};
  });
}

/// `room`: memory of the device for all pairs.
Ensemble listed_pairs(const double* marginals, std::size_t bases, double threshold, void* room) {
  const Buffer<unsigned> counts(bases), partners(bases);
  const Buffer<double> unpaired(bases);
  const Stream stream;
  const ListedPairs lists{marginals,      static_cast<unsigned>(bases), threshold, counts.data(), unpaired.data(),
                          partners.data()};
  const auto blocks = static_cast<unsigned>(interval::tile_count(bases, side));
  look_at_pairs<<<blocks, side, 0, stream.get()>>>(lists);
  warpfold::cuda::check_launch("look at the pairs");
  std::vector<unsigned> first = on_host(counts.data(), bases, stream);
  unsigned total = 0;
  for (unsigned& count : first) total += std::exchange(count, total);
  check(cudaMemcpyAsync(counts.data(), first.data(), counts.bytes(), cudaMemcpyHostToDevice, stream.get()),
        "receive a list");
  auto* const pairs = static_cast<PairProbability*>(room);
  list_each_pair<<<blocks, side, 0, stream.get()>>>(lists, pairs);
  warpfold::cuda::check_launch("list the pairs");
  Ensemble found;
  found.pairs = on_host(pairs, total, stream);
  found.unpaired = on_host(unpaired.data(), bases, stream);
  found.centroid.assign(bases, '.');
  const std::vector<unsigned> partner = on_host(partners.data(), bases, stream);
  for (std::size_t base = 0; base < bases; ++base) {
    if (partner[base] != base) found.centroid[base] = partner[base] > base ? '(' : ')';
  }
  return found;
}

/// Solves the grammar and calls visit(grammar on the device, its tables, the weights there).
template <bool lone_pairs, class Visit>
auto with_tables(const LoopWeights& weights, std::size_t points, std::size_t max_blocks, Context& context,
                 const Visit& visit) {
  using Rows = RowSums<lone_pairs>;
  const warpfold::cuda::DeviceScope scope(context.options.device.index);
  const DeviceLists<LoopWeightView> on_device(weights);
  const auto solve = [&]<class G>(const G& grammar) {
    const auto tables = interval::cuda::detail::solve_grammar_tiled<G>({grammar, points, max_blocks}, context);
    return visit(grammar, tables, on_device.view());
  };
  if (!closes_rows<Rows>(weights)) return solve(DeviceSums<lone_pairs>{on_device.view()});
  const Buffer<SumLists> lists_there{std::span<const SumLists>(sum_lists_of(weights).get(), 1)};
  return solve(Rows{{on_device.view()}, lists_there.data(), line_weights_of(weights)});
}

}  // namespace

template <bool lone_pairs>
interval::GrammarTables<SumGrammar<lone_pairs>> sum_tables(const LoopWeights& weights, std::size_t points,
                                                           std::size_t max_blocks, Context& context) {
  return with_tables<lone_pairs>(weights, points, max_blocks, context,
                                 [&]<class G>(const G&, const DeviceGrammarTables<G>& there, const LoopWeightView&) {
                                   interval::GrammarTables<SumGrammar<lone_pairs>> tables(points);
                                   for (unsigned t = 0; t < interval::table_count<G>; ++t) {
                                     there.copy_table(t, tables.table(t).tile(0, 0), context.options);
                                   }
                                   there.copy_exponents(tables.exponents());
                                   return tables;
                                 });
}

template <bool lone_pairs>
Scaled sum_of_all(const LoopWeights& weights, std::size_t points, std::size_t max_blocks, Context& context) {
  return with_tables<lone_pairs>(
      weights, points, max_blocks, context,
      [&]<class G>(const G&, const DeviceGrammarTables<G>& there, const LoopWeightView& on_device) {
        return sent(exterior_sums<false>(there, on_device).data() + points - 1);
      });
}

template <bool lone_pairs>
PairSums pair_sums(const LoopWeights& weights, std::size_t points, std::size_t max_blocks, std::size_t reach,
                   double threshold, Context& context) {
  return with_tables<lone_pairs>(
      weights, points, max_blocks, context,
      [&]<class G>(const G& grammar, const DeviceGrammarTables<G>& there, const LoopWeightView& on_device) {
        const auto start = std::chrono::steady_clock::now();
        const Buffer<Scaled> before = exterior_sums<false>(there, on_device);
        PairSums found{sent(before.data() + points - 1), {}};
        if (found.whole.is_zero()) reject_constraint();
        const Buffer<Scaled> after = exterior_sums<true>(there, on_device);
        std::vector<unsigned> pairs(1, G::paired);
        if (G::helix != G::paired) pairs.push_back(G::helix);
        PairsFromOutside<G> solve(grammar, there, {&pairs, 1}, {on_device, before.data(), after.data(), found.whole},
                                  reach);
        const double operations = 2 * interval::detail::GrammarSolver<SumGrammar<lone_pairs>>::operations(points);
        SolveMonitor monitor(context.options, operations);
        solve.run(monitor, operations);
        static_assert(sizeof(PairProbability) <= interval::table_count<G> * sizeof(double));
        found.pairs =
            listed_pairs(solve.result_data(0), points - 1, threshold, there.data());  // no one reads the tables now
        context.report.solve_seconds += seconds_since(start);
        return found;
      });
}

template <bool lone_pairs>
std::size_t bytes_of_pair_sums(std::size_t points, std::size_t reach) {
  return PairsFromOutside<DeviceSums<lone_pairs>>::bytes(points, 1, reach) +
         points * (2 * sizeof(Scaled) + 2 * sizeof(unsigned) + sizeof(double));
}

template <bool lone_pairs>
std::size_t bytes_of_sum_tables(std::size_t points, double kt) {
  return interval::cuda::detail::SumSolve<DeviceSums<lone_pairs>>::bytes(points) + bytes_of_energies(points) +
         LoopWeights::bytes(points, kt) + sizeof(SumLists) + points * sizeof(Scaled) + 2 * sizeof(unsigned);
}

template interval::GrammarTables<SumGrammar<false>> sum_tables<false>(const LoopWeights&, std::size_t, std::size_t,
                                                                      Context&);
template interval::GrammarTables<SumGrammar<true>> sum_tables<true>(const LoopWeights&, std::size_t, std::size_t,
                                                                    Context&);
template Scaled sum_of_all<false>(const LoopWeights&, std::size_t, std::size_t, Context&);
template Scaled sum_of_all<true>(const LoopWeights&, std::size_t, std::size_t, Context&);
template PairSums pair_sums<false>(const LoopWeights&, std::size_t, std::size_t, std::size_t, double, Context&);
template PairSums pair_sums<true>(const LoopWeights&, std::size_t, std::size_t, std::size_t, double, Context&);
template std::size_t bytes_of_pair_sums<false>(std::size_t, std::size_t);
template std::size_t bytes_of_pair_sums<true>(std::size_t, std::size_t);
template std::size_t bytes_of_sum_tables<false>(std::size_t, double);
template std::size_t bytes_of_sum_tables<true>(std::size_t, double);

}  // namespace warpfold::rna::cuda
