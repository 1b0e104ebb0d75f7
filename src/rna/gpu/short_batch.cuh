#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "rna/backends.hpp"
#include "rna/gpu/batch_work.cuh"
#include "rna/gpu/short_foldings.cuh"
#include "rna/tuning.hpp"
#include "run/cuda.hpp"

/// The host's part of folding short sequences (short_foldings.cuh): threads pack chunks of them, and unpack the
/// structures of others, while the GPU folds.
namespace warpfold::rna::cuda {

using warpfold::cuda::Buffer;
using warpfold::cuda::check;
using warpfold::cuda::check_launch;
using warpfold::cuda::DeviceScope;
using warpfold::cuda::Memory;
using warpfold::cuda::Stream;

template <bool lone_pairs, int columns, int fill_warps, int blocks>
__global__ void __launch_bounds__(short_threads<fill_warps>, blocks)
    fold_short(const __grid_constant__ ShortFoldings all) {
  extern __shared__ __align__(16) unsigned char shared[];
  fold_short_sequences<lone_pairs, columns, fill_warps>(all, reinterpret_cast<Energy*>(shared));
}

/// The kernel for sequences up to some length.
struct ShortKernel {
  void (*run)(ShortFoldings);
  int threads;
  unsigned stride;
  std::size_t shared_bytes, bytes_of_block;

  template <bool lone_pairs, int columns, int fill_warps, int blocks>
  static ShortKernel of(unsigned bases) {
    using Places = ShortPlaces<lone_pairs, columns>;
    const unsigned stride = Places::stride(bases);
    return {fold_short<lone_pairs, columns, fill_warps, blocks>, short_threads<fill_warps>, stride,
            Places::bytes(bases, stride), ShortTables<lone_pairs>::of_block(bases) * sizeof(Energy)};
  }
  template <bool lone_pairs>
  static ShortKernel of(unsigned bases) {
    return bases <= 128 ? of<lone_pairs, 128, 5, 3>(bases) : of<lone_pairs, 256, 11, 1>(bases);
  }
  [[nodiscard]] std::size_t blocks() const { return warpfold::cuda::resident_blocks(run, threads, shared_bytes); }
};

/// What all short sequences of a batch have in common, on the device.
class ShortEnergies {
 public:
  ShortEnergies(const LoopEnergies& energies, unsigned bases)
      : max_span_(static_cast<unsigned>(std::min<std::size_t>(energies.max_span(), 1U << 20))),
        special_(energies.numbers()),
        numbers_(std::span(static_cast<const LoopTables*>(&energies.numbers()), 1)),
        initiation_(std::span(energies.lists().hairpin_initiation, std::max(bases, 7U))),
        special_there_(std::span<const SpecialHairpin>(special_.places)) {}

  /// Lists what depends on the stride of windows.
  [[nodiscard]] static Buffer<ShortLists> lists_for(const LoopEnergies& energies, const PairLists& pairs,
                                                    unsigned stride) {
    const ShortLists lists = short_lists_of(energies, pairs, stride);
    return Buffer<ShortLists>(std::span(&lists, 1));
  }
  [[nodiscard]] ShortFoldings arguments(const Buffer<ShortLists>& lists, unsigned bases, unsigned stride) const {
    ShortFoldings all{};
    all.numbers = numbers_.data();
    all.lists = lists.data();
    all.hairpin_initiation = initiation_.data();
    all.special = {special_there_.data(), special_.bits};
    all.max_span = max_span_;
    all.bases_of_longest = bases;
    all.stride = stride;
    return all;
  }

 private:
  unsigned max_span_;
  SpecialHairpins special_;
  Buffer<LoopTables> numbers_;
  Buffer<Energy> initiation_;
  Buffer<SpecialHairpin> special_there_;
};

/// Sequences of a class that are folded by one launch.
struct ShortChunk {
  std::size_t of_class;
  std::span<const std::uint32_t> sequences;  ///< their positions
};

/// One class: its sequences, and how they are folded.
struct ShortClass {
  std::vector<std::uint32_t> sequences;
  std::size_t longest = 0;
  ShortKernel kernel{};
  Buffer<ShortLists> lists;
  std::size_t blocks = 0, of_chunk = 0;
};

/// Memory of the host and of the device for one chunk at a time.
class ShortSlot {
 public:
  ShortSlot(std::size_t max_bases, std::size_t max_sequences, std::size_t table_bytes)
      : input_(max_bases, max_sequences),
        output_(max_bases, max_sequences),
        staged_(Memory::Place::pinned, input_.bytes + output_.bytes),
        there_(input_.bytes + output_.bytes),
        tables_(table_bytes) {}

  static std::size_t device_bytes(std::size_t max_bases, std::size_t max_sequences, std::size_t table_bytes) {
    return host_bytes(max_bases, max_sequences) + table_bytes;
  }
  static std::size_t host_bytes(std::size_t max_bases, std::size_t max_sequences) {
    return Input(max_bases, max_sequences).bytes + Output(max_bases, max_sequences).bytes;
  }

  /// Packs the bases and starts to fold.
  void start(const FoldBatch& batch, const ShortChunk& chunk, const ShortClass& of, ShortFoldings all) {
    chunk_ = chunk;
    auto* const first = reinterpret_cast<unsigned*>(staged_.data());
    std::byte* const bases = staged_.data() + input_.bases;
    unsigned at = 0;
    for (std::size_t t = 0; t < chunk.sequences.size(); ++t) {
      const std::vector<Base>& own = batch.sequences[chunk.sequences[t]].bases();
      first[t] = at;
      if (!own.empty()) std::memcpy(bases + at, own.data(), own.size());
      at += static_cast<unsigned>(own.size());
    }
    first[chunk.sequences.size()] = at;
    std::byte* const to = there_.data();
    check(cudaMemcpyAsync(to, staged_.data(), input_.bases + at, cudaMemcpyHostToDevice, stream_.get()),
          "receive sequences");
    all.first = reinterpret_cast<const unsigned*>(to);
    all.bases = reinterpret_cast<const Base*>(to + input_.bases);
    all.count = static_cast<unsigned>(chunk.sequences.size());
    all.tables = reinterpret_cast<Energy*>(tables_.data());
    all.energies = reinterpret_cast<Energy*>(to + input_.bytes);
    all.structures = reinterpret_cast<char*>(to + input_.bytes + output_.structures);
    const auto blocks = static_cast<unsigned>(std::min(of.blocks, chunk.sequences.size()));
    of.kernel.run<<<blocks, static_cast<unsigned>(of.kernel.threads), of.kernel.shared_bytes, stream_.get()>>>(all);
    check_launch("start to fold sequences");
    check(cudaMemcpyAsync(staged_.data() + input_.bytes, to + input_.bytes, output_.structures + at,
                          cudaMemcpyDeviceToHost, stream_.get()),
          "return structures");
  }
  /// Waits for the foldings. Calls refused(position) for each sequence that has none.
  template <class Refused>
  void finish(std::vector<Folding>& foldings, const Refused& refused) {
    stream_.synchronize();
    const auto* const first = reinterpret_cast<const unsigned*>(staged_.data());
    const auto* const energies = reinterpret_cast<const Energy*>(staged_.data() + input_.bytes);
    const auto* const structures = reinterpret_cast<const char*>(staged_.data() + input_.bytes + output_.structures);
    for (std::size_t t = 0; t < chunk_.sequences.size(); ++t) {
      if (energies[t] == ShortFoldings::refused) {
        refused(chunk_.sequences[t]);
        continue;
      }
      Folding& folding = foldings[chunk_.sequences[t]];
      folding.energy = energies[t];
      folding.structure.assign(structures + first[t], first[t + 1] - first[t]);
    }
  }
  [[nodiscard]] const ShortChunk& chunk() const { return chunk_; }

 private:
  static std::size_t aligned(std::size_t bytes) { return (bytes + 255) / 256 * 256; }
  /// Where each sequence begins, then all bases.
  struct Input {
    std::size_t bases, bytes;
    Input(std::size_t max_bases, std::size_t max_sequences)
        : bases(aligned((max_sequences + 1) * sizeof(unsigned))), bytes(bases + aligned(max_bases)) {}
  };
  /// The energies, then all structures.
  struct Output {
    std::size_t structures, bytes;
    Output(std::size_t max_bases, std::size_t max_sequences)
        : structures(aligned(max_sequences * sizeof(Energy))), bytes(structures + aligned(max_bases)) {}
  };

  Input input_;
  Output output_;
  Memory staged_;
  Buffer<std::byte> there_, tables_;
  ShortChunk chunk_{};
  Stream stream_;
};

/// Whether a block can fold short sequences by these energies.
inline bool fits_short(const LoopEnergies& energies, const PairLists& lists) {
  constexpr Energy largest = interval::detail::Stored<MinPlus<Energy>>::largest;
  return have_limits(energies, lists.by_size) && std::abs(lists.by_size.multi_base) <= largest / 512;
}

/// The short sequences of a batch.
class ShortBatch {
 public:
  ShortBatch(const FoldBatch& batch, const LoopEnergies& energies, const PairLists& lists, Context& context)
      : batch_(batch), context_(context), energies_(energies), lists_(lists) {}

  /// Takes the sequences that are short, and have no constraint. Returns the others.
  std::vector<std::uint32_t> take() {
    std::vector<std::uint32_t> others;
    const std::size_t longest = longest_that_fits();
    for (std::size_t t = 0; t < batch_.sequences.size(); ++t) {
      const std::size_t size = batch_.sequences[t].size();
      if (size > longest || !batch_.constraint_of(t).empty()) {
        others.push_back(static_cast<std::uint32_t>(t));
        continue;
      }
      ShortClass& own =
          classes_[static_cast<std::size_t>(std::ranges::lower_bound(short_sizes, size) - short_sizes.begin())];
      own.sequences.push_back(static_cast<std::uint32_t>(t));
      own.longest = std::max(own.longest, size);
    }
    return others;
  }

  /// Folds them. Returns those that have a value too large, or all if there is too little memory.
  std::vector<std::uint32_t> fold(std::vector<Folding>& foldings, SolveMonitor& monitor) {
    prepare();
    if (chunks_.empty()) return {};
    const std::size_t workers = workers_that_fit();
    if (workers == 0) return all();
    context_.take_device_memory(2 * workers * slot_device_bytes());
    const Budget::Reservation taken = context_.budget.reserve(2 * workers * slot_host_bytes());
    const ShortEnergies shared(energies_, static_cast<unsigned>(longest_));
    Work work(foldings, monitor, shared, chunks_.size());
    context_.report.threads = work.run_by(workers, [&](int thread) { run(work, thread); });
    return work.refused();
  }

 private:
  using Work = BatchWork<ShortEnergies>;

  /// Folds chunks, and unpacks the chunk before while the GPU folds.
  void run(Work& work, int thread) const {
    std::array<std::optional<ShortSlot>, 2> slots;
    ShortSlot* before = nullptr;
    for (std::size_t turn = 0, at = work.take(); at < chunks_.size(); turn = 1 - turn, at = work.take()) {
      if (!slots[turn]) slots[turn].emplace(max_bases_, max_sequences_, table_bytes_);
      const ShortClass& of = classes_[chunks_[at].of_class];
      slots[turn]->start(batch_, chunks_[at], of,
                         work.shared.arguments(of.lists, static_cast<unsigned>(of.longest), of.kernel.stride));
      if (before) finish(work, *before, thread);
      before = &*slots[turn];
    }
    if (before) finish(work, *before, thread);
  }
  void finish(Work& work, ShortSlot& slot, int thread) const {
    double operations = batch_.operations_of(slot.chunk().sequences);
    slot.finish(work.foldings, [&](std::uint32_t at) {
      operations -= batch_.operations_of(at);
      work.refuse({&at, 1});
    });
    work.finish(operations, thread);
  }

  /// The most bases for which the energies and the GPU's shared memory suffice.
  [[nodiscard]] std::size_t longest_that_fits() const {
    if (!fits_short(energies_, lists_) || !batch_.request.stack_energies.empty()) return 0;
    std::size_t longest = 0;
    for (const std::size_t size : short_sizes) {
      if (kernel_for(size).shared_bytes <= warpfold::cuda::max_shared_bytes()) longest = size;
    }
    return longest;
  }
  [[nodiscard]] ShortKernel kernel_for(std::size_t size) const {
    const auto bases = static_cast<unsigned>(size);
    return batch_.request.lone_pairs ? ShortKernel::of<true>(bases) : ShortKernel::of<false>(bases);
  }
  /// The threads for whose chunks there is memory. Each has two slots.
  [[nodiscard]] std::size_t workers_that_fit() const {
    const std::size_t room =
        std::min(warpfold::cuda::free_bytes(DeviceScope::current()), context_.options.max_device_memory);
    const std::size_t fit =
        std::min(room / (2 * slot_device_bytes()), context_.budget.left() / (2 * slot_host_bytes()));
    return std::min<std::size_t>(
        {static_cast<std::size_t>(thread_count(context_.options.threads)), short_workers, chunks_.size(), fit});
  }
  [[nodiscard]] std::vector<std::uint32_t> all() const {
    std::vector<std::uint32_t> sequences;
    for (const ShortClass& one : classes_)
      sequences.insert(sequences.end(), one.sequences.begin(), one.sequences.end());
    return sequences;
  }
  [[nodiscard]] std::size_t slot_host_bytes() const { return ShortSlot::host_bytes(max_bases_, max_sequences_); }
  [[nodiscard]] std::size_t slot_device_bytes() const {
    return ShortSlot::device_bytes(max_bases_, max_sequences_, table_bytes_);
  }
  /// Cuts the classes into chunks.
  void prepare() {
    double all = 0;
    for (const ShortClass& one : classes_) all += operations_of(one) * static_cast<double>(one.sequences.size());
    const double of_chunk =
        std::clamp(all / static_cast<double>(2 * short_workers), short_operations / 20, short_operations);
    for (std::size_t t = 0; t < classes_.size(); ++t) {
      ShortClass& one = classes_[t];
      if (one.sequences.empty()) continue;
      one.longest = std::max<std::size_t>(one.longest, 1);
      one.kernel = kernel_for(one.longest);
      one.lists = ShortEnergies::lists_for(energies_, lists_, one.kernel.stride);
      one.blocks = one.kernel.blocks();
      one.of_chunk = std::clamp<std::size_t>(static_cast<std::size_t>(of_chunk / operations_of(one)), 1, 1U << 16);
      const std::span<const std::uint32_t> sequences(one.sequences);
      for (std::size_t first = 0; first < sequences.size(); first += one.of_chunk) {
        const auto those = sequences.subspan(first, std::min(one.of_chunk, sequences.size() - first));
        chunks_.push_back({t, those});
        max_sequences_ = std::max(max_sequences_, those.size());
        max_bases_ = std::max(max_bases_, those.size() * one.longest);
      }
      longest_ = std::max(longest_, one.longest);
      table_bytes_ = std::max(table_bytes_, one.blocks * one.kernel.bytes_of_block);
    }
  }
  [[nodiscard]] double operations_of(const ShortClass& one) const {
    const auto n = static_cast<double>(std::max<std::size_t>(one.longest, 20));
    return n * n * (n / 6 + 248);
  }

  const FoldBatch& batch_;
  Context& context_;
  const LoopEnergies& energies_;
  const PairLists& lists_;
  std::array<ShortClass, short_sizes.size()> classes_;
  std::vector<ShortChunk> chunks_;
  std::size_t longest_ = 0, max_bases_ = 0, max_sequences_ = 0, table_bytes_ = 0;
};

}  // namespace warpfold::rna::cuda
