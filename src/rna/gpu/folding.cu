#include <algorithm>
#include <array>
#include <chrono>
#include <type_traits>
#include <vector>

#include "rna/backends.hpp"
#include "rna/gpu/device_folding.cuh"
#include "rna/gpu/device_lists.cuh"
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
using warpfold::cuda::Stream;

__global__ void __launch_bounds__(side* exterior_groups)
    add_exterior(const __grid_constant__ LoopEnergyView energies, const ExteriorLists lists) {
  add_exterior_tile(energies, lists);
}

/// The least energy, and the pairs of the exterior loop as intervals.
struct ExteriorLoop {
  Energy energy;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
};

/// The bytes of the exterior loop's lists.
std::size_t exterior_bytes(std::size_t points) { return points * (sizeof(Energy) + sizeof(EnergyAndBase)); }

ExteriorLoop exterior_loop(const LoopEnergies& energies, const DeviceLists<LoopEnergyView>& on_device,
                           const Energy* helix, std::size_t points, const Stream& stream) {
  const Buffer<Energy> least(points);
  const Buffer<EnergyAndBase> last_pair(points);
  const Buffer<unsigned> counters(2);
  const auto tiles = static_cast<unsigned>(interval::tile_count(points, side));
  const ExteriorLists lists{
      helix, static_cast<unsigned>(points), least.data(), last_pair.data(), counters.data(), counters.data() + 1};
  check(cudaMemsetAsync(counters.data(), 0, counters.bytes(), stream.get()), "clear its counters");
  add_exterior<<<tiles, dim3(side, exterior_groups), 0, stream.get()>>>(on_device.view(), lists);
  check_launch("start the exterior loop");
  const std::vector<Energy> all = on_host(least.data(), points, stream);
  const std::vector<EnergyAndBase> ends = on_host(last_pair.data(), points, stream);
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

/// A walk adds one interval for each split of a multiloop, and there are fewer of these than bases.
std::size_t walk_bytes(std::size_t points) {
  constexpr std::size_t loops = summed_kinds * (max_loop + 1) * (max_loop + 2) / 2;
  return 2 * points * sizeof(unsigned long long) + points + loops * sizeof(ListedLoop<Energy>);
}

/// The structure inside the pairs of the exterior loop.
template <class G>
std::string structure_of(const G& there, const LoopEnergies& energies,
                         const interval::cuda::DeviceGrammarTables<G>& tables, const ExteriorLoop& exterior,
                         const Stream& stream) {
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
  interval::device::walk<<<static_cast<unsigned>(warps * 32 / threads + 1), threads, 0, stream.get()>>>(
      there, loops, tables.data(), tables.size_of_table(), walk_queue, MarkPairs<G>{structure.data()});
  check_launch("start the search for the structure");
  if (on_host(counters.data(), counters.size(), stream).back() != 0)
    throw Error(ErrorKind::internal, "no loop has the energy of its pair");
  const std::vector<char> letters = on_host(structure.data(), bases, stream);
  return {letters.begin(), letters.end()};
}

/// Solves a grammar on the device for the structure of a sequence.
template <class G>
Folding fold_by(const G& there, const LoopEnergies& energies, const DeviceLists<LoopEnergyView>& on_device,
                const FoldProblem& problem, Context& context) {
  const std::size_t points = problem.points;
  const auto tables =
      interval::cuda::detail::solve_grammar_tiled<G>({there, points, problem.max_blocks(points)}, context);
  const auto start = std::chrono::steady_clock::now();  // of the exterior loop and the structure
  const Energy* helix = tables.data() + G::helix * tables.size_of_table();
  const Stream stream;
  const ExteriorLoop exterior = exterior_loop(energies, on_device, helix, points, stream);
  Folding folding{exterior.energy, structure_of(there, energies, tables, exterior, stream)};
  context.report.traceback_seconds = seconds_since(start);
  return folding;
}

template <bool lone_pairs>
Folding fold_on_device(const LoopEnergies& energies, const FoldProblem& problem, Context& context) {
  using Rows = RowGrammar<lone_pairs>;
  using Free = DeviceGrammar<lone_pairs, UnconstrainedEnergyView>;
  const warpfold::cuda::DeviceScope scope(context.options.device.index);
  const DeviceLists<LoopEnergyView> on_device(energies);
  const UnconstrainedEnergyView free(on_device.view());
  const auto solve = [&](const auto& grammar) { return fold_by(grammar, energies, on_device, problem, context); };
  if (!problem.request.constraint.empty()) return solve(DeviceGrammar<lone_pairs>{on_device.view()});
  const PairLists lists = pair_lists_of(energies);
  const int capability =
      warpfold::cuda::capability_of(tiles::device::fill_tables<interval::device::GrammarRules<Rows>>);
  if (!closes_rows<Rows>(energies, lists, problem.request, capability)) return solve(Free{free});
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
