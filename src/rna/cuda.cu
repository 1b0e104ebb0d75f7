#include <algorithm>
#include <array>
#include <chrono>
#include <type_traits>
#include <vector>

#include "interval/user/grammar_walk.cuh"
#include "rna/backends.hpp"
#include "rna/device_lists.cuh"
#include "rna/folding_grammar.hpp"
#include "rna/folding_tiles.cuh"
#include "warpfold/interval/grammar.cuh"
#include "warpfold/run/clock.hpp"

/// The least energy of a sequence and its structure on a GPU.
namespace warpfold::rna::cuda {

namespace {

using interval::cuda::detail::GrammarSolve;
using interval::device::ListedLoop;
using interval::device::StencilLoops;
using interval::device::WalkQueue;
using warpfold::cuda::Buffer;
using warpfold::cuda::check;
using warpfold::cuda::check_launch;

constexpr unsigned side = tiles::tile_side;

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
  using Counter = ::cuda::atomic_ref<unsigned, ::cuda::thread_scope_device>;

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
  /// Waits until a tile of points is finished.
  __device__ void wait_for(unsigned tile) const {
    while (Counter(*finished).load(::cuda::memory_order_acquire) <= tile) __nanosleep(20);
  }
  /// The better one of `best` and the pair (i,j) with what it adds, after the first i bases.
  [[nodiscard]] static __device__ EnergyAndBase better(EnergyAndBase best, Energy before, Energy pair, unsigned i) {
    return pair < no_loop && before < no_loop ? min(best, with_base(before + pair, i)) : best;
  }
};

inline constexpr unsigned exterior_groups = 4;  ///< of rows of a tile: a thread has a column, and the rows of a group

/// Finishes `side` points of the exterior loop after the other. A block takes the next tile of points, and adds the
/// pairs that begin in the tiles before it as soon as these are finished.
__global__ void __launch_bounds__(side* exterior_groups)
    add_exterior(const __grid_constant__ LoopEnergyView energies, const ExteriorLists lists) {
  constexpr unsigned rows = side / exterior_groups;
  __shared__ unsigned tile;
  __shared__ Energy pairs[side][side];
  __shared__ EnergyAndBase parts[exterior_groups][side];
  const unsigned column = threadIdx.x, group = threadIdx.y;
  if (column == 0 && group == 0) tile = ExteriorLists::Counter(*lists.taken).fetch_add(1, ::cuda::memory_order_relaxed);
  __syncthreads();
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
    if (column % 32 == 0) lists.wait_for(before);
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
  if (column == 0) ExteriorLists::Counter(*lists.finished).store(tile + 1, ::cuda::memory_order_release);
}

/// The least energy, and the pairs of the exterior loop as intervals.
struct ExteriorLoop {
  Energy energy;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
};

template <class T>
std::vector<T> on_host(const Buffer<T>& list) {
  std::vector<T> values(list.size());
  check(cudaMemcpy(values.data(), list.data(), list.bytes(), cudaMemcpyDeviceToHost), "send a list");
  return values;
}

/// The bytes of the exterior loop's lists.
std::size_t exterior_bytes(std::size_t points) { return points * (sizeof(Energy) + sizeof(EnergyAndBase)); }

ExteriorLoop exterior_loop(const LoopEnergies& energies, const DeviceLists<LoopEnergyView>& on_device,
                           const Energy* helix, std::size_t points) {
  const Buffer<Energy> least(points);
  const Buffer<EnergyAndBase> last_pair(points);
  const Buffer<unsigned> counters(2);
  const auto tiles = static_cast<unsigned>(interval::tile_count(points, side));
  const ExteriorLists lists{
      helix, static_cast<unsigned>(points), least.data(), last_pair.data(), counters.data(), counters.data() + 1};
  check(cudaMemsetAsync(counters.data(), 0, counters.bytes(), nullptr), "clear its counters");
  add_exterior<<<tiles, dim3(side, exterior_groups)>>>(on_device.view(), lists);
  check_launch("start the exterior loop");
  const std::vector<Energy> all = on_host(least);
  const std::vector<EnergyAndBase> ends = on_host(last_pair);
  ExteriorLoop loop{all.back(), {}};
  if (loop.energy >= no_loop) throw Error(ErrorKind::infeasible, "no structure satisfies the constraint");
  for (std::size_t j = points - 1; j > 0;) {
    if (energies.is_free(j - 1, j) && all[j] == all[j - 1]) {
      --j;
      continue;
    }
    const std::size_t i = ends[j] & 0xffffffff;
    loop.pairs.emplace_back(i, j);
    j = i;
  }
  return loop;
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

/// A walk adds one interval for each split of a multiloop, and there are fewer of these than bases.
std::size_t walk_bytes(std::size_t points) {
  constexpr std::size_t loops = summed_kinds * (max_loop + 1) * (max_loop + 2) / 2;
  return 2 * points * sizeof(unsigned long long) + points + loops * sizeof(ListedLoop<Energy>);
}

/// The structure inside the pairs of the exterior loop.
template <class G>
std::string structure_of(const G& there, const LoopEnergies& energies,
                         const interval::cuda::DeviceGrammarTables<G>& tables, const ExteriorLoop& exterior) {
  const std::size_t bases = tables.points() - 1;
  std::vector<unsigned long long> open(exterior.pairs.size() + bases);
  auto entry = open.begin();
  for (const auto& [i, j] : exterior.pairs) {
    *entry++ = WalkQueue::encode(G::helix, static_cast<unsigned>(i), static_cast<unsigned>(j));
  }
  const auto pairs = static_cast<unsigned>(exterior.pairs.size());
  auto [loops, listed] = StencilLoops<G>::of(FoldingGrammar<G::helix == G::paired>{energies});
  const Buffer<ListedLoop<Energy>> loops_there{std::span<const ListedLoop<Energy>>(listed)};
  loops.loops = loops_there.data();
  const Buffer<unsigned long long> queue{std::span<const unsigned long long>(open)};
  const Buffer<unsigned> counters{std::span<const unsigned>(std::array{0U, pairs, pairs, 0U})};
  const Buffer<char> structure{std::span<const char>(std::string(bases, '.'))};
  const WalkQueue walk_queue{queue.data(),        static_cast<unsigned>(open.size()),
                             counters.data(),     counters.data() + 1,
                             counters.data() + 2, counters.data() + 3};
  const auto warps = std::min<std::size_t>(bases / 16 + 1, 2048);
  constexpr unsigned threads = interval::device::walk_threads;
  interval::device::walk<<<static_cast<unsigned>(warps * 32 / threads + 1), threads>>>(
      there, loops, tables.data(), tables.size_of_table(), walk_queue, MarkPairs<G>{structure.data()});
  check_launch("start the search for the structure");
  if (on_host(counters).back() != 0) throw Error(ErrorKind::internal, "no loop has the energy of its pair");
  const std::vector<char> letters = on_host(structure);
  return {letters.begin(), letters.end()};
}

/// Solves a grammar on the device for the structure of a sequence.
template <class G>
Folding fold_by(const G& there, const LoopEnergies& energies, const DeviceLists<LoopEnergyView>& on_device,
                std::size_t points, Context& context) {
  const auto tables = interval::cuda::detail::solve_grammar_tiled<G>({there, points}, context);
  const auto start = std::chrono::steady_clock::now();  // of the exterior loop and the structure
  const Energy* helix = tables.data() + G::helix * tables.size_of_table();
  const ExteriorLoop exterior = exterior_loop(energies, on_device, helix, points);
  Folding folding{exterior.energy, structure_of(there, energies, tables, exterior)};
  context.report.traceback_seconds = seconds_since(start);
  return folding;
}

/// Where tiles leave sums for others.
std::size_t rim_size(std::size_t points) { return interval::tile_count(points, side) * (2 * side + 1) * carried_rim; }

/// Whether tiles can be closed row by row.
template <class G>
bool closes_rows(const LoopEnergies& energies, const PairLists& lists, const FoldRequest& request) {
  using Rules = interval::device::GrammarRules<G>;
  const int capability = warpfold::cuda::capability_of(tiles::device::fill_tables<Rules>);
  return request.constraint.empty() && request.stack_energies.empty() &&
         Rules::shared_bytes(0, capability) + 1024 <= warpfold::cuda::shared_bytes_of_block(capability) &&
         have_limits(energies, lists.by_size);
}

template <bool lone_pairs>
Folding fold_on_device(const LoopEnergies& energies, const FoldProblem& problem, Context& context) {
  using Rows = RowGrammar<lone_pairs>;
  using Free = DeviceGrammar<lone_pairs, UnconstrainedEnergyView>;
  const warpfold::cuda::DeviceScope scope(context.options.device.index);
  const DeviceLists<LoopEnergyView> on_device(energies);
  const UnconstrainedEnergyView free(on_device.view());
  const auto solve = [&](const auto& grammar) {
    return fold_by(grammar, energies, on_device, problem.points, context);
  };
  if (!problem.request.constraint.empty()) return solve(DeviceGrammar<lone_pairs>{on_device.view()});
  const PairLists lists = pair_lists_of(energies);
  if (!closes_rows<Rows>(energies, lists, problem.request)) return solve(Free{free});
  const Buffer<PairLists> lists_there{std::span(&lists, 1)};
  const Buffer<Energy> rims(rim_size(problem.points));
  Energy* const of_rows = rims.data() + interval::tile_count(problem.points, side) * (side + 1) * carried_rim;
  return solve(Rows{{free}, lists_there.data(), {rims.data(), of_rows}});
}

}  // namespace

std::size_t device_bytes(const FoldProblem& problem, const Options&) {
  const std::size_t of_tables = problem.request.lone_pairs ? GrammarSolve<DeviceGrammar<true>>::bytes(problem.points)
                                                           : GrammarSolve<DeviceGrammar<false>>::bytes(problem.points);
  return of_tables + sizeof(PairLists) + rim_size(problem.points) * sizeof(Energy) + bytes_of_energies(problem.points) +
         exterior_bytes(problem.points) + walk_bytes(problem.points);
}

std::size_t host_bytes(const FoldProblem& problem, const Options&) {
  return exterior_bytes(problem.points) + walk_bytes(problem.points);
}

Folding fold(const FoldProblem& problem, Context& context) {
  const Sequence sequence(std::string_view(problem.sequence.letters()).substr(0, problem.points - 1));
  if (sequence.size() < 2) return fold_by_reference(problem, context);
  context.take_device_memory(device_bytes(problem, context.options));
  const Budget::Reservation taken = context.budget.reserve(host_bytes(problem, context.options));
  const LoopEnergies energies = problem.energies_of(sequence);
  return problem.request.lone_pairs ? fold_on_device<true>(energies, problem, context)
                                    : fold_on_device<false>(energies, problem, context);
}

}  // namespace warpfold::rna::cuda
