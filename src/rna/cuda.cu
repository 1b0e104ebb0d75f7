#include <algorithm>
#include <array>
#include <chrono>
#include <type_traits>
#include <vector>

#include "interval/user/grammar_walk.cuh"
#include "rna/backends.hpp"
#include "rna/device_lists.cuh"
#include "rna/folding_grammar.hpp"
#include "warpfold/interval/grammar.cuh"
#include "warpfold/run/clock.hpp"

/// The least energy of a sequence and its structure on a GPU.
namespace warpfold::rna::cuda {

namespace {

using interval::cuda::detail::GrammarSolve;
using interval::device::WalkQueue;
using warpfold::cuda::Buffer;
using warpfold::cuda::check;
using warpfold::cuda::check_launch;

constexpr unsigned side = tiles::tile_side;

/// `Energies`: LoopEnergyView or UnconstrainedEnergyView.
template <bool lone_pairs, class Energies = LoopEnergyView>
using DeviceGrammar = FoldingGrammar<lone_pairs, Energies>;

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
  EnergyAndBase* so_far;  ///< the same from pairs that begin in tiles that are done

  /// What the pair of bases i and j-1 adds, with all inside it; no_loop if there is none.
  [[nodiscard]] __device__ Energy pair(const LoopEnergyView& energies, unsigned i, unsigned j) const {
    if (i >= j || j >= points) return no_loop;
    const Energy inside = helix[tiles::entry_offset(i, j, side)];
    return inside >= no_loop ? no_loop : inside + energies.exterior(i, j - 1);
  }
};

/// Finishes `side` points of the exterior loop, and adds the pairs that begin there to those after them. Block b does
/// this for the points of the b-th tile from there, a thread each. All blocks finish the points; block 0 writes them.
__global__ void __launch_bounds__(side)
    add_exterior(const __grid_constant__ LoopEnergyView energies, const ExteriorLists lists, unsigned tile) {
  __shared__ Energy least[side + 1], pairs[side][side];
  const unsigned column = threadIdx.x, first = tile * side, j = first + column;
  for (unsigned row = 0; row < side; ++row) pairs[row][column] = lists.pair(energies, first + row, j);
  EnergyAndBase best = j < lists.points ? lists.so_far[j] : with_base(no_loop, 0);
  if (column == 0) least[0] = first == 0 ? 0 : lists.least[first - 1];
  for (unsigned row = 0; row < side; ++row) {
    __syncthreads();
    if (row == column) {
      const bool is_free = j > 0 && j < lists.points && energies.is_free(j - 1, j);
      least[1 + row] = j == 0 ? 0 : min(energy_of(best), is_free ? least[row] : no_loop);
    }
    __syncthreads();
    const Energy pair = row < column ? pairs[row][column] : no_loop;
    if (pair < no_loop && least[1 + row] < no_loop) best = min(best, with_base(least[1 + row] + pair, first + row));
  }
  if (blockIdx.x == 0) {
    if (j >= lists.points) return;
    lists.least[j] = least[1 + column];
    lists.last_pair[j] = best;
    return;
  }
  const unsigned later = j + blockIdx.x * side;
  if (later >= lists.points) return;
  best = lists.so_far[later];
  for (unsigned row = 0; row < side; ++row) {
    const Energy pair = lists.pair(energies, first + row, later);
    if (pair < no_loop && least[1 + row] < no_loop) best = min(best, with_base(least[1 + row] + pair, first + row));
  }
  lists.so_far[later] = best;
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
std::size_t exterior_bytes(std::size_t points) { return points * (sizeof(Energy) + 2 * sizeof(EnergyAndBase)); }

ExteriorLoop exterior_loop(const LoopEnergies& energies, const DeviceLists<LoopEnergyView>& on_device,
                           const Energy* helix, std::size_t points) {
  const Buffer<Energy> least(points);
  const Buffer<EnergyAndBase> last_pair(points);
  const Buffer<EnergyAndBase> so_far{std::span<const EnergyAndBase>(std::vector(points, with_base(no_loop, 0)))};
  const auto tiles = static_cast<unsigned>(interval::tile_count(points, side));
  const ExteriorLists lists{helix, static_cast<unsigned>(points), least.data(), last_pair.data(), so_far.data()};
  for (unsigned tile = 0; tile < tiles; ++tile) {
    add_exterior<<<tiles - tile, side>>>(on_device.view(), lists, tile);
  }
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
std::size_t walk_bytes(std::size_t points) { return 2 * points * sizeof(unsigned long long) + points; }

/// The structure inside the pairs of the exterior loop.
template <class G>
std::string structure_of(const G& there, const interval::cuda::DeviceGrammarTables<G>& tables,
                         const ExteriorLoop& exterior) {
  const std::size_t bases = tables.points() - 1;
  std::vector<unsigned long long> open(exterior.pairs.size() + bases);
  auto entry = open.begin();
  for (const auto& [i, j] : exterior.pairs) {
    *entry++ = WalkQueue::encode(G::helix, static_cast<unsigned>(i), static_cast<unsigned>(j));
  }
  const auto pairs = static_cast<unsigned>(exterior.pairs.size());
  const Buffer<unsigned long long> queue{std::span<const unsigned long long>(open)};
  const Buffer<unsigned> counters{std::span<const unsigned>(std::array{0U, pairs, pairs, 0U})};
  const Buffer<char> structure{std::span<const char>(std::string(bases, '.'))};
  const WalkQueue walk_queue{queue.data(),        static_cast<unsigned>(open.size()),
                             counters.data(),     counters.data() + 1,
                             counters.data() + 2, counters.data() + 3};
  const auto warps = std::min<std::size_t>(bases / 16 + 1, 2048);
  constexpr unsigned threads = interval::device::walk_threads;
  interval::device::walk<<<static_cast<unsigned>(warps * 32 / threads + 1), threads>>>(
      there, tables.data(), tables.size_of_table(), walk_queue, MarkPairs<G>{structure.data()});
  check_launch("start the search for the structure");
  if (on_host(counters).back() != 0) throw Error(ErrorKind::internal, "no loop has the energy of its pair");
  const std::vector<char> letters = on_host(structure);
  return {letters.begin(), letters.end()};
}

template <class G>
Folding fold_by(const LoopEnergies& energies, std::size_t points, Context& context) {
  const warpfold::cuda::DeviceScope scope(context.options.device.index);
  const DeviceLists<LoopEnergyView> on_device(energies);
  const G there{decltype(G::energies)(on_device.view())};
  const auto tables = interval::cuda::detail::solve_grammar_tiled<G>({there, points}, context);
  const auto start = std::chrono::steady_clock::now();  // of the exterior loop and the structure
  const Energy* helix = tables.data() + G::helix * tables.size_of_table();
  const ExteriorLoop exterior = exterior_loop(energies, on_device, helix, points);
  Folding folding{exterior.energy, structure_of(there, tables, exterior)};
  context.report.traceback_seconds = seconds_since(start);
  return folding;
}

/// Calls visit with the grammar's type, as a constant.
template <class Visit>
auto with_grammar(const FoldProblem& problem, const Visit& visit) {
  if (problem.request.lone_pairs) return visit(std::true_type());
  return visit(std::false_type());
}

}  // namespace

std::size_t device_bytes(const FoldProblem& problem, const Options&) {
  const std::size_t of_tables = with_grammar(
      problem, [&](auto lone_pairs) { return GrammarSolve<DeviceGrammar<lone_pairs()>>::bytes(problem.points); });
  return of_tables + bytes_of_energies(problem.points) + exterior_bytes(problem.points) + walk_bytes(problem.points);
}

std::size_t host_bytes(const FoldProblem& problem, const Options&) {
  return exterior_bytes(problem.points) + walk_bytes(problem.points);
}

Folding fold(const FoldProblem& problem, Context& context) {
  const Sequence sequence(std::string_view(problem.sequence.letters()).substr(0, problem.points - 1));
  if (sequence.size() < 2) return fold_by_reference(problem, context);
  context.take_device_memory(device_bytes(problem, context.options));
  const Budget::Reservation taken = context.budget.reserve(host_bytes(problem, context.options));
  const LoopEnergies energies(sequence, problem.parameters, problem.request_for(sequence.size()));
  return with_grammar(problem, [&](auto lone_pairs) {
    if (problem.request.constraint.empty()) {
      return fold_by<DeviceGrammar<lone_pairs(), UnconstrainedEnergyView>>(energies, problem.points, context);
    }
    return fold_by<DeviceGrammar<lone_pairs()>>(energies, problem.points, context);
  });
}

}  // namespace warpfold::rna::cuda
