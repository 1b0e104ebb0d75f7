#pragma once

#include <cstddef>

#include "rna/gpu/device_folding.cuh"
#include "rna/gpu/short_lists.hpp"

/// Foldings of several sequences by the tiles of all of them in one launch (docs/explanation/kernels/grammar.md,
/// "Batches of foldings").
namespace warpfold::rna::cuda {

using interval::device::GrammarRules;
using interval::device::StencilLoops;
using interval::device::WalkQueue;
using tiles::device::Stop;

/// A sequence of a group, with all that its kernels need.
template <bool lone_pairs>
struct GroupMember {
  using Rules = GrammarRules<RowGrammar<lone_pairs>>;

  Rules rules;
  tiles::device::Job<Energy> job;
  LoopEnergyView energies;
  ExteriorLists exterior;
  WalkQueue queue;
  Energy *small_hairpins, *energy;
  char* letters;

  [[nodiscard]] __device__ __forceinline__ unsigned bases() const { return job.n - 1; }
};

/// A tile of a sequence. Tiles go by diagonals, those of one diagonal of all sequences together, so that few wait.
struct GroupTask {
  unsigned member;
  unsigned short i, j;
};

/// Copies an object to the block's shared memory.
template <class T>
__device__ __forceinline__ const T& copy_to_shared(const T& from, unsigned thread, unsigned threads) {
  __shared__ alignas(16) unsigned bytes[(sizeof(T) + 3) / 4];
  const auto* const words = reinterpret_cast<const unsigned*>(&from);
  __syncthreads();
  for (unsigned t = thread; t < sizeof(T) / 4; t += threads) bytes[t] = words[t];
  __syncthreads();
  return *reinterpret_cast<const T*>(bytes);
}

/// The energies of hairpins that are listed as a whole.
template <bool lone_pairs>
__global__ void list_small_hairpins(const GroupMember<lone_pairs>* members, const SpecialHairpinView special) {
  const GroupMember<lone_pairs>& own = members[blockIdx.y];
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x, i = t / 4, size = 3 + t % 4, j = i + size + 1;
  if (i >= own.bases()) return;
  const LoopLists& lists = own.energies.lists();
  Energy energy = no_loop;
  const std::size_t kind = j < own.bases() ? pair_kind(lists.bases[i], lists.bases[j]) : pair_kinds;
  if (kind < pair_kinds) {
    energy = small_hairpin(*lists.numbers, lists.hairpin_initiation, special, i, j, kind,
                           [&](unsigned x) { return lists.bases[x]; });
  }
  own.small_hairpins[LoopEnergyView::small_hairpin_place(i, size)] = energy;
}

/// The tiles that a block makes before it ends. Kernels of other streams may begin in its place.
inline constexpr int tiles_of_block = 8;

/// Fills the tables of a group: a block takes the next tiles. The number of blocks: one for each tiles_of_block tiles.
template <bool lone_pairs, int Depth = tiles::device::by_capability>
__global__ void __launch_bounds__(
    interval::device::block_threads* static_cast<int>(GroupMember<lone_pairs>::Rules::teams), 1)
    fill_group(const GroupMember<lone_pairs>* members, const GroupTask* tasks, unsigned count, unsigned* ticket,
               const Stop stop) {
  using namespace tiles::device;
  using Rules = typename GroupMember<lone_pairs>::Rules;
  constexpr int depth = depth_of<Energy, Depth>;
  __shared__ unsigned next;
  const Sharing<Energy> sharing{};
#pragma unroll 1
  for (int turn = 0; turn < tiles_of_block; ++turn) {
    __syncthreads();
    if (is_first_thread<Rules>()) {
      next = stop.is_asked() ? ~0U : OwnCounter(*ticket).fetch_add(1, ::cuda::memory_order_relaxed);
    }
    __syncthreads();
    if (next >= count) return;
    const GroupTask own = tasks[next];
    const GroupMember<lone_pairs>& member = members[own.member];
    const Rules& rules =
        copy_to_shared(member.rules, interval::device::thread_of_block(),
                       static_cast<unsigned>(interval::device::ClosingArea<RowGrammar<lone_pairs>>::threads));
    const Task<Rules, depth> task{rules, sharing, member.job, {own.i, own.j}};
    run_task(task);
    publish(task, true);
  }
}

/// The exterior loops of a group: blockIdx.y is the sequence.
template <bool lone_pairs>
__global__ void __launch_bounds__(side* exterior_groups) add_exteriors(const GroupMember<lone_pairs>* members) {
  const GroupMember<lone_pairs>& own = members[blockIdx.y];
  const LoopEnergyView& energies =
      copy_to_shared(own.energies, threadIdx.y * side + threadIdx.x, side * exterior_groups);
  add_exterior_tile(energies, own.exterior);
}

/// Finds the pairs of the exterior loops of a group: one warp a sequence.
template <bool lone_pairs>
__global__ void __launch_bounds__(32) open_exteriors(const GroupMember<lone_pairs>* members) {
  constexpr unsigned all_lanes = 0xffffffffU;
  const GroupMember<lone_pairs>& own = members[blockIdx.x];
  const int lane = static_cast<int>(threadIdx.x);
  unsigned opened = 0;
  for (int j = static_cast<int>(own.bases()); j > 0;) {
    const int t = j - lane;
    const bool pairs = t > 0 && own.exterior.least[t] != own.exterior.least[t - 1];
    const unsigned those = __ballot_sync(all_lanes, pairs);
    if (those == 0) {
      j -= 32;
      continue;
    }
    j -= __ffs(static_cast<int>(those)) - 1;
    const auto i = static_cast<unsigned>(own.exterior.last_pair[j] & 0xffffffff);
    if (lane == 0) {
      own.queue.open[opened] = WalkQueue::encode(RowGrammar<lone_pairs>::helix, i, static_cast<unsigned>(j));
    }
    ++opened;
    j = static_cast<int>(i);
  }
  if (lane > 0) return;
  *own.queue.added = *own.queue.unfinished = opened;
  *own.energy = own.exterior.least[own.bases()];
}

/// Follows the structures of a group: blockIdx.y is the sequence.
template <bool lone_pairs>
__global__ void __launch_bounds__(interval::device::walk_threads)
    walk_group(const GroupMember<lone_pairs>* members,
               const __grid_constant__ StencilLoops<RowGrammar<lone_pairs>> loops) {
  using G = RowGrammar<lone_pairs>;
  const GroupMember<lone_pairs>& own = members[blockIdx.y];
  const G& grammar = copy_to_shared(own.rules.grammar, threadIdx.x, interval::device::walk_threads);
  const WalkQueue queue = own.queue;
  const MarkPairs<G> marks{own.letters};
  interval::device::Walker<G> walker(grammar, loops, own.job.table, own.rules.table_size, queue);
  const bool is_first = threadIdx.x % 32 == 0;
  for (;;) {
    const unsigned long long code = __shfl_sync(interval::device::all_lanes, is_first ? queue.take() : 0, 0);
    if (code == 0) return;
    walker.run(code, marks);
    if (is_first) queue.finish();
  }
}

}  // namespace warpfold::rna::cuda
