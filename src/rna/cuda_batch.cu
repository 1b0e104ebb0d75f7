#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rna/backends.hpp"
#include "rna/device_lists.cuh"
#include "rna/group_foldings.cuh"
#include "rna/short_foldings.cuh"
#include "rna/tuning.hpp"
#include "run/cuda.hpp"
#include "run/running_solve.hpp"
#include "warpfold/run/batch.hpp"
#include "warpfold/run/clock.hpp"
#include "warpfold/run/devices.hpp"
#include "warpfold/run/team.hpp"

/// Batches of foldings on a GPU. Short sequences are folded by a block each (short_foldings.cuh): threads of the host
/// pack chunks of them, and unpack the structures of others, while the GPU folds. All other sequences are folded one
/// after the other.
namespace warpfold::rna::cuda {

namespace {

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

/// The most bases of the classes of short sequences. Those of a class are in launches together.
constexpr std::array<std::size_t, 6> class_sizes = {50, 74, 100, 136, 184, 232};

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
    const char* const chosen = std::getenv("WARPS");
    const int warps = chosen ? std::atoi(chosen) : 7;
    if (bases <= 128) {
      if (warps == 4) return of<lone_pairs, 128, 4, 3>(bases);
      if (warps == 5) return of<lone_pairs, 128, 5, 3>(bases);
      return of<lone_pairs, 128, 7, 3>(bases);
    }
    if (warps == 4) return of<lone_pairs, 256, 8, 1>(bases);
    return of<lone_pairs, 256, 11, 1>(bases);
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
    all.special = special_there_.data();
    all.special_bits = special_.bits;
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
  ShortSlot(std::size_t most_bases, std::size_t most_sequences, std::size_t table_bytes)
      : input_(most_bases, most_sequences),
        output_(most_bases, most_sequences),
        staged_(Memory::Place::pinned, input_.bytes + output_.bytes),
        there_(input_.bytes + output_.bytes),
        tables_(table_bytes) {}

  static std::size_t device_bytes(std::size_t most_bases, std::size_t most_sequences, std::size_t table_bytes) {
    return host_bytes(most_bases, most_sequences) + table_bytes;
  }
  static std::size_t host_bytes(std::size_t most_bases, std::size_t most_sequences) {
    return Input(most_bases, most_sequences).bytes + Output(most_bases, most_sequences).bytes;
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
    all_bases_ = at;
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
  void wait() const { stream_.synchronize(); }
  [[nodiscard]] const ShortChunk& chunk() const { return chunk_; }

 private:
  static std::size_t aligned(std::size_t bytes) { return (bytes + 255) / 256 * 256; }
  /// Where each sequence begins, then all bases.
  struct Input {
    std::size_t bases, bytes;
    Input(std::size_t most_bases, std::size_t most_sequences)
        : bases(aligned((most_sequences + 1) * sizeof(unsigned))), bytes(bases + aligned(most_bases)) {}
  };
  /// The energies, then all structures.
  struct Output {
    std::size_t structures, bytes;
    Output(std::size_t most_bases, std::size_t most_sequences)
        : structures(aligned(most_sequences * sizeof(Energy))), bytes(structures + aligned(most_bases)) {}
  };

  Input input_;
  Output output_;
  Memory staged_;
  Buffer<std::byte> there_, tables_;
  ShortChunk chunk_{};
  std::size_t all_bases_ = 0;
  Stream stream_;
};

/// Whether a block can fold short sequences by these energies.
bool fits_short(const LoopEnergies& energies, const PairLists& lists) {
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
    const bool fits = fits_short(energies_, lists_) && batch_.request.stack_energies.empty();
    for (std::size_t t = 0; t < batch_.sequences.size(); ++t) {
      const std::size_t size = batch_.sequences[t].size();
      const auto at = static_cast<std::size_t>(std::ranges::lower_bound(class_sizes, size) - class_sizes.begin());
      static const std::size_t most = std::getenv("SHORT_MOST") ? std::atoi(std::getenv("SHORT_MOST")) : 1000;
      if (!fits || size > most || at == class_sizes.size() || !batch_.constraint_of(t).empty()) {
        others.push_back(static_cast<std::uint32_t>(t));
        continue;
      }
      ShortClass& own = classes_[at];
      own.sequences.push_back(static_cast<std::uint32_t>(t));
      own.longest = std::max(own.longest, size);
    }
    return others;
  }

  /// Folds them. Returns those that have a value too large. `done(operations)`: progress, from any thread.
  std::vector<std::uint32_t> fold(std::vector<Folding>& foldings, SolveMonitor& monitor) {
    prepare();
    if (chunks_.empty()) return {};
    const std::size_t workers = std::min<std::size_t>(
        {static_cast<std::size_t>(thread_count(context_.options.threads)), max_workers, chunks_.size()});
    context_.take_device_memory(2 * workers * slot_device_bytes());
    const Budget::Reservation taken = context_.budget.reserve(2 * workers * ShortSlot::host_bytes(most_bases_, most_sequences_));
    const ShortEnergies shared(energies_, static_cast<unsigned>(longest_));
    std::vector<std::uint32_t> refused;
    std::mutex mutex;
    std::atomic<std::size_t> next = 0;
    std::atomic<double> done = 0;
    const auto begin = std::chrono::steady_clock::now();
    std::array<double, 16> waited{}, packed{}, unpacked{};
    const int device = DeviceScope::current();
    context_.report.threads = parallel(static_cast<int>(workers), [&](int thread) {
      const DeviceScope scope(device);
      std::array<std::optional<ShortSlot>, 2> slots;
      const auto finish = [&](ShortSlot& slot) {
        const auto t0 = std::chrono::steady_clock::now();
        slot.wait();
        waited[thread] += seconds_since(t0);
        const auto t1 = std::chrono::steady_clock::now();
        struct End { std::chrono::steady_clock::time_point t; double& d; ~End() { d += seconds_since(t); } } end{t1, unpacked[thread]};
        slot.finish(foldings, [&](std::uint32_t at) {
          const std::lock_guard lock(mutex);
          refused.push_back(at);
        });
        for (const std::uint32_t at : slot.chunk().sequences) done += batch_.operations_of(at);
        monitor.check();
        if (thread == 0) monitor.advance(done.exchange(0));
      };
      ShortSlot* before = nullptr;
      for (std::size_t turn = 0;; turn = 1 - turn) {
        const std::size_t at = next++;
        if (at >= chunks_.size()) break;
        if (!slots[turn]) slots[turn].emplace(most_bases_, most_sequences_, table_bytes_);
        const ShortChunk& chunk = chunks_[at];
        const ShortClass& of = classes_[chunk.of_class];
        const auto t0 = std::chrono::steady_clock::now();
        slots[turn]->start(batch_, chunk, of,
                           shared.arguments(of.lists, static_cast<unsigned>(of.longest), of.kernel.stride));
        packed[thread] += seconds_since(t0);
        if (before) finish(*before);
        before = &*slots[turn];
      }
      if (before) finish(*before);
    });
    monitor.advance(done);
    if (std::getenv("BATCH_TRACE")) {
      for (const auto& one : classes_) if (one.longest) fprintf(stderr, "class %zu: %zu sequences, blocks %zu, shared %zu, of_chunk %zu\n", one.longest, one.sequences.size(), one.blocks, one.kernel.shared_bytes, one.of_chunk);
      for (std::size_t t = 0; t < workers; ++t) fprintf(stderr, "worker %zu: pack %.2f wait %.2f unpack %.2f ms\n", t, 1e3 * packed[t], 1e3 * waited[t], 1e3 * unpacked[t]);
      fprintf(stderr, "all %.2f ms, chunks %zu\n", 1e3 * seconds_since(begin), chunks_.size());
    }
    return refused;
  }

 private:
  const std::size_t max_workers = std::getenv("WORKERS") ? std::atoi(std::getenv("WORKERS")) : 6;
  static constexpr double operations_of_chunk = 2e10;

  [[nodiscard]] std::size_t slot_device_bytes() const {
    return ShortSlot::device_bytes(most_bases_, most_sequences_, table_bytes_);
  }
  /// Cuts the classes into chunks.
  void prepare() {
    double all = 0;
    for (const ShortClass& one : classes_) all += operations_of(one) * static_cast<double>(one.sequences.size());
    const double of_chunk = std::clamp(all / (2 * max_workers), operations_of_chunk / 20, operations_of_chunk);
    for (std::size_t t = 0; t < classes_.size(); ++t) {
      ShortClass& one = classes_[t];
      if (one.sequences.empty()) continue;
      const auto bases = static_cast<unsigned>(std::max<std::size_t>(one.longest, 1));
      one.longest = bases;
      one.kernel = batch_.request.lone_pairs ? ShortKernel::of<true>(bases) : ShortKernel::of<false>(bases);
      one.lists = ShortEnergies::lists_for(energies_, lists_, one.kernel.stride);
      one.blocks = one.kernel.blocks();
      one.of_chunk = std::clamp<std::size_t>(static_cast<std::size_t>(of_chunk / operations_of(one)), 1, 1U << 16);
      const std::span<const std::uint32_t> sequences(one.sequences);
      for (std::size_t first = 0; first < sequences.size(); first += one.of_chunk) {
        const auto those = sequences.subspan(first, std::min(one.of_chunk, sequences.size() - first));
        chunks_.push_back({t, those});
        most_sequences_ = std::max(most_sequences_, those.size());
        most_bases_ = std::max(most_bases_, those.size() * one.longest);
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
  std::array<ShortClass, class_sizes.size()> classes_;
  std::vector<ShortChunk> chunks_;
  std::size_t longest_ = 0, most_bases_ = 0, most_sequences_ = 0, table_bytes_ = 0;
};

/// What all groups of a batch have in common, on the device.
template <bool lone_pairs>
class GroupEnergies {
 public:
  using G = RowGrammar<lone_pairs>;

  GroupEnergies(const LoopEnergies& energies, const PairLists& lists)
      : on_device_(energies),
        lists_(std::span(&lists, 1)),
        special_(energies.numbers()),
        special_there_(std::span<const SpecialHairpin>(special_.places)) {
    auto [loops, listed] = StencilLoops<G>::of(FoldingGrammar<lone_pairs>{energies});
    listed_ = Buffer<interval::device::ListedLoop<Energy>>{std::span<const interval::device::ListedLoop<Energy>>(listed)};
    loops.loops = listed_.data();
    loops_ = loops;
  }

  [[nodiscard]] LoopEnergyView view(const Base* bases, const Energy* small_hairpins, std::size_t size) const {
    LoopLists lists = on_device_.view().lists();
    lists.bases = bases;
    lists.small_hairpins = small_hairpins;
    return {on_device_.view(), lists, size};
  }
  [[nodiscard]] const PairLists* lists() const { return lists_.data(); }
  [[nodiscard]] const StencilLoops<G>& loops() const { return loops_; }
  [[nodiscard]] const SpecialHairpin* special() const { return special_there_.data(); }
  [[nodiscard]] unsigned special_bits() const { return special_.bits; }

 private:
  DeviceLists<LoopEnergyView> on_device_;
  Buffer<PairLists> lists_;
  SpecialHairpins special_;
  Buffer<SpecialHairpin> special_there_;
  Buffer<interval::device::ListedLoop<Energy>> listed_;
  StencilLoops<G> loops_{};
};

/// Where the parts of a group's memory begin.
class Layout {
 public:
  /// Returns the place of `count` values of T.
  template <class T>
  std::size_t add(std::size_t count) {
    bytes_ = (bytes_ + 255) / 256 * 256;
    return std::exchange(bytes_, bytes_ + count * sizeof(T));
  }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_ = 0;
};

/// The parts of a sequence in its group's memory.
template <bool lone_pairs>
struct MemberPlaces {
  static constexpr std::size_t tables_of = RowGrammar<lone_pairs>::tables;

  std::size_t points, tiles, tables, rims, small_hairpins, least, last_pair;
  std::size_t ready, counters, queue;       ///< cleared before a solve
  std::size_t bases, letters;               ///< from the first one of the group

  static constexpr std::size_t exterior_counters = 2, queue_counters = 3;
  [[nodiscard]] std::size_t tasks() const { return tiles * (tiles + 1) / 2; }
  [[nodiscard]] std::size_t queue_size() const { return 2 * points; }

  /// The bytes for so many points, at most.
  static std::size_t bytes(std::size_t points) {
    Layout layout, cleared;
    MemberPlaces().add(points, layout, cleared, 0);
    const std::size_t tasks = tiles::tiles_in_table(interval::tile_count(points, side));
    return layout.bytes() + cleared.bytes() + sizeof(GroupMember<lone_pairs>) + 2 * points + 4096 +
           tasks * (sizeof(GroupTask) + side * side * sizeof(Energy) / tiles_of_block);
  }
  void add(std::size_t of_points, Layout& layout, Layout& cleared, std::size_t first_base) {
    points = of_points;
    tiles = interval::tile_count(points, side);
    tables = layout.add<Energy>(tables_of * interval::table_size(points, side));
    rims = layout.add<Energy>(rim_size(points));
    small_hairpins = layout.add<Energy>(4 * points);
    least = layout.add<Energy>(points);
    last_pair = layout.add<EnergyAndBase>(points);
    ready = cleared.add<unsigned>(1 + tasks() + tiles);
    counters = cleared.add<unsigned>(exterior_counters + queue_counters);
    queue = cleared.add<unsigned long long>(queue_size());
    bases = letters = first_base;
  }
};

/// A stream whose blocks go before those of other streams.
class UrgentStream {
 public:
  UrgentStream() {
    int least = 0, greatest = 0;
    check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "tell its priorities");
    check(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, greatest), "create a stream");
  }
  ~UrgentStream() {
    cudaStreamSynchronize(stream_);
    cudaStreamDestroy(stream_);
  }
  UrgentStream(const UrgentStream&) = delete;
  UrgentStream& operator=(const UrgentStream&) = delete;

  [[nodiscard]] cudaStream_t get() const { return stream_; }
  void synchronize() const { check(cudaStreamSynchronize(stream_), "finish its work"); }

 private:
  cudaStream_t stream_ = nullptr;
};

/// Memory for one group at a time. What is short goes before the tiles of another group.
class GroupMemory {
 public:
  explicit GroupMemory(std::size_t most_bytes, std::size_t most_bases, std::size_t most_sequences,
                       std::size_t most_tasks)
      : all(most_bytes),
        staged(Memory::Place::pinned,
               2 * most_bases + most_sequences * (sizeof(GroupMember<false>) + 2 * sizeof(Energy)) +
                   most_tasks * sizeof(GroupTask) + 4096) {}

  Buffer<std::byte> all;
  Memory staged;
  Stream tiles;
  UrgentStream urgent;
};

/// Folds a group of sequences.
template <bool lone_pairs>
class Group {
 public:
  using Member = GroupMember<lone_pairs>;
  using Rules = typename Member::Rules;
  using G = RowGrammar<lone_pairs>;
  using Places = MemberPlaces<lone_pairs>;

  Group(const FoldBatch& batch, std::span<const std::uint32_t> sequences, const GroupEnergies<lone_pairs>& energies,
        GroupMemory& memory)
      : batch_(batch), sequences_(sequences), energies_(energies), memory_(memory) {
    place();
  }

  /// Returns false if a value is too large.
  [[nodiscard]] bool run(const Options& options, double operations, std::vector<Folding>& foldings) {
    const cudaStream_t stream = memory_.urgent.get();
    const auto begun = std::chrono::steady_clock::now();
    send();
    const auto longest = static_cast<unsigned>(longest_points_);
    const auto count = static_cast<unsigned>(sequences_.size());
    const auto* const members = at<const Member>(members_);
    list_small_hairpins<lone_pairs>
        <<<dim3((4 * longest + 255) / 256, count), 256, 0, stream>>>(members, energies_.special(), energies_.special_bits());
    check_launch("list hairpins");
    memory_.urgent.synchronize();
    SolveMonitor monitor(options, operations);
    const warpfold::cuda::RunningSolve solve{at<unsigned>(ticket_), tasks_.size(), at<unsigned>(ticket_) + 1, 1};
    warpfold::cuda::run(memory_.tiles, operations, monitor, [&] {
      fill();
      return solve;
    });
    if (std::getenv("BATCH_TRACE")) fprintf(stderr, "group of %zu, tasks %zu, filled after %.2f ms\n", sequences_.size(), tasks_.size(), 1e3 * seconds_since(begun));
    const auto after_tables = std::chrono::steady_clock::now();
    const auto tiles = static_cast<unsigned>(interval::tile_count(longest_points_, side));
    add_exteriors<lone_pairs><<<dim3(tiles, count), dim3(side, exterior_groups), 0, stream>>>(members);
    check_launch("start the exterior loops");
    open_exteriors<lone_pairs><<<count, 32, 0, stream>>>(members);
    check_launch("find the pairs of exterior loops");
    walk_group<lone_pairs><<<dim3(longest / 64 + 1, count), interval::device::walk_threads, 0, stream>>>(
        members, energies_.loops());
    check_launch("start the search for structures");
    check(cudaMemcpyAsync(memory_.staged.data(), memory_.all.data() + results_, result_bytes_, cudaMemcpyDeviceToHost,
                          stream),
          "return structures");
    memory_.urgent.synchronize();
    if (std::getenv("BATCH_TRACE")) fprintf(stderr, "structures %.2f ms\n", 1e3 * seconds_since(after_tables));
    return take(foldings);
  }

 private:
  template <class T>
  [[nodiscard]] T* at(std::size_t place) const {
    return reinterpret_cast<T*>(memory_.all.data() + place);
  }
  /// Places all parts: the results, what the host sends, what is cleared, and the rest.
  void place() {
    std::size_t bases = 0, most_tiles = 0;
    for (const std::uint32_t t : sequences_) {
      const std::size_t points = batch_.sequences[t].size() + 1;
      bases += points;
      longest_points_ = std::max(longest_points_, points);
      most_tiles = std::max(most_tiles, interval::tile_count(points, side));
    }
    Layout layout, cleared;
    const std::size_t count = sequences_.size();
    misfit_ = layout.add<unsigned long long>(1);
    failed_ = layout.add<unsigned>(count);
    least_energies_ = layout.add<Energy>(count);
    all_letters_ = layout.add<char>(bases);
    result_bytes_ = layout.bytes();
    members_ = layout.add<Member>(count);
    all_bases_ = layout.add<Base>(bases);
    places_.resize(count);
    Layout own;
    std::size_t first = 0;
    for (std::size_t t = 0; t < count; ++t) {
      const std::size_t points = batch_.sequences[sequences_[t]].size() + 1;
      places_[t].add(points, own, cleared, first);
      first += points;
    }
    list_tasks(most_tiles);
    task_list_ = layout.add<GroupTask>(tasks_.size());
    sent_end_ = layout.bytes();
    ticket_ = cleared.add<unsigned>(2);
    cleared_bytes_ = cleared.bytes();
    cleared_ = layout.add<std::byte>(cleared_bytes_);
    ticket_ += cleared_;
    sums_ = layout.add<Energy>(blocks() * side * side);
    own_ = layout.add<std::byte>(own.bytes());
    if (layout.bytes() > memory_.all.size()) {
      throw Error(ErrorKind::internal, "a group of foldings is larger than its memory");
    }
  }
  [[nodiscard]] std::size_t blocks() const { return (tasks_.size() + tiles_of_block - 1) / tiles_of_block; }
  void list_tasks(std::size_t most_tiles) {
    for (std::size_t d = 0; d < most_tiles; ++d) {
      for (std::size_t t = 0; t < places_.size(); ++t) {
        for (std::size_t i = 0; i + d < places_[t].tiles; ++i) {
          tasks_.push_back({static_cast<unsigned>(t), static_cast<unsigned short>(i), static_cast<unsigned short>(i + d)});
        }
      }
    }
  }
  [[nodiscard]] Member member(std::size_t t) const {
    const Places& own = places_[t];
    const std::size_t points = own.points;
    const auto of_own = [&]<class T>(std::size_t place, T*) { return at<T>(own_ + place); };
    Energy* const tables = of_own(own.tables, static_cast<Energy*>(nullptr));
    Energy* const rims = of_own(own.rims, static_cast<Energy*>(nullptr));
    Energy* const hairpins = of_own(own.small_hairpins, static_cast<Energy*>(nullptr));
    const Base* const bases = at<const Base>(all_bases_ + own.bases);
    unsigned* const front = at<unsigned>(cleared_ + own.ready);
    unsigned* const counters = at<unsigned>(cleared_ + own.counters);
    const LoopEnergyView energies = energies_.view(bases, hairpins, points - 1);
    const std::size_t table_size = interval::table_size(points, side);
    const G grammar{{UnconstrainedEnergyView(energies)},
                    energies_.lists(),
                    {rims, rims + own.tiles * (side + 1) * carried_rim}};
    const Stop stop{at<unsigned>(ticket_) + 1, 1};
    return {Rules{grammar, static_cast<unsigned>(points), table_size, at<Energy>(sums_), nullptr, {},
                  at<unsigned long long>(misfit_), stop},
            {.n = static_cast<unsigned>(points),
             .tiles = static_cast<unsigned>(own.tiles),
             .first_weight = 0,
             .table = tables,
             .ready = front + 1,
             .closed = front + 1 + own.tasks(),
             .front = front},
            energies,
            {tables + G::helix * table_size, static_cast<unsigned>(points),
             of_own(own.least, static_cast<Energy*>(nullptr)), of_own(own.last_pair, static_cast<EnergyAndBase*>(nullptr)),
             counters, counters + 1},
            {at<unsigned long long>(cleared_ + own.queue), static_cast<unsigned>(own.queue_size()), counters + 2,
             counters + 3, counters + 4, at<unsigned>(failed_) + t},
            hairpins,
            at<Energy>(least_energies_) + t,
            at<char>(all_letters_ + own.letters)};
  }
  /// Sends the sequences, and clears what has to be.
  void send() {
    const cudaStream_t stream = memory_.urgent.get();
    std::byte* const staged = memory_.staged.data();
    auto* const members = reinterpret_cast<Member*>(staged);
    for (std::size_t t = 0; t < places_.size(); ++t) {
      const Member one = member(t);
      std::memcpy(static_cast<void*>(members + t), static_cast<const void*>(&one), sizeof one);
      const std::vector<Base>& bases = batch_.sequences[sequences_[t]].bases();
      std::memcpy(staged + (all_bases_ - members_) + places_[t].bases, bases.data(), bases.size());
    }
    std::memcpy(staged + (task_list_ - members_), tasks_.data(), tasks_.size() * sizeof(GroupTask));
    check(cudaMemcpyAsync(memory_.all.data() + members_, staged, sent_end_ - members_, cudaMemcpyHostToDevice, stream),
          "receive sequences");
    check(cudaMemsetAsync(memory_.all.data() + cleared_, 0, cleared_bytes_, stream), "clear its counters");
    check(cudaMemsetAsync(at<std::byte>(misfit_), 0xff, sizeof(unsigned long long), stream), "clear its counters");
    check(cudaMemsetAsync(at<std::byte>(failed_), 0, sequences_.size() * sizeof(unsigned), stream), "clear its counters");
    check(cudaMemsetAsync(at<std::byte>(all_letters_), '.', result_bytes_ - all_letters_, stream), "clear structures");
  }
  void fill() {
    const auto kernel = fill_group<lone_pairs>;
    const int depth = tiles::device::depth_of_kernel<Energy, tiles::device::by_capability>(kernel);
    const auto shared =
        static_cast<std::size_t>(Rules::shared_bytes(depth, warpfold::cuda::capability_of(kernel)));
    warpfold::cuda::reserve_shared(kernel, shared);
    kernel<<<static_cast<unsigned>(blocks()), dim3(interval::device::block_threads, Rules::teams), shared,
             memory_.tiles.get()>>>(at<const Member>(members_), at<const GroupTask>(task_list_),
                                     static_cast<unsigned>(tasks_.size()), at<unsigned>(ticket_),
                                     Stop{at<unsigned>(ticket_) + 1, 1});
    check_launch("start to fold sequences");
  }
  [[nodiscard]] bool take(std::vector<Folding>& foldings) const {
    const std::byte* const results = memory_.staged.data();
    unsigned long long misfit = 0;
    std::memcpy(&misfit, results + (misfit_ - results_), sizeof misfit);
    const auto* const failed = reinterpret_cast<const unsigned*>(results + (failed_ - results_));
    const auto* const energies = reinterpret_cast<const Energy*>(results + (least_energies_ - results_));
    const auto* const letters = reinterpret_cast<const char*>(results + (all_letters_ - results_));
    if (misfit != interval::device::GrammarMisfit::none) return false;
    if (std::any_of(failed, failed + sequences_.size(), [](unsigned one) { return one != 0; })) return false;
    for (std::size_t t = 0; t < sequences_.size(); ++t) {
      foldings[sequences_[t]] = {energies[t], std::string(letters + places_[t].letters, places_[t].points - 1)};
    }
    return true;
  }

  const FoldBatch& batch_;
  std::span<const std::uint32_t> sequences_;
  const GroupEnergies<lone_pairs>& energies_;
  GroupMemory& memory_;
  std::vector<Places> places_;
  std::vector<GroupTask> tasks_;
  std::size_t longest_points_ = 0, misfit_ = 0, failed_ = 0, least_energies_ = 0, all_letters_ = 0, result_bytes_ = 0,
              members_ = 0, all_bases_ = 0, task_list_ = 0, sent_end_ = 0, ticket_ = 0, cleared_ = 0,
              cleared_bytes_ = 0, sums_ = 0, own_ = 0;
  static constexpr std::size_t results_ = 0;
};

/// The sequences of a batch that are folded in groups.
template <bool lone_pairs>
class GroupBatch {
 public:
  GroupBatch(const FoldBatch& batch, const LoopEnergies& energies, const PairLists& lists, Context& context)
      : batch_(batch), context_(context), lists_(lists), energies_(energies) {}

  /// Takes those of the sequences that groups fold. Returns the others.
  std::vector<std::uint32_t> take(std::span<const std::uint32_t> sequences) {
    std::vector<std::uint32_t> others;
    FoldRequest request = batch_.request;
    request.constraint.clear();
    if (sequences.size() < 2 || !closes_rows<RowGrammar<lone_pairs>>(energies_, lists_, request)) {
      return {sequences.begin(), sequences.end()};
    }
    for (const std::uint32_t t : sequences) {
      const std::size_t size = batch_.sequences[t].size();
      const bool fits = size >= 2 && size <= most_bases && batch_.constraint_of(t).empty();
      (fits ? own_ : others).push_back(t);
    }
    std::ranges::stable_sort(own_, std::greater<>(), [&](std::uint32_t t) { return batch_.sequences[t].size(); });
    cut();
    return others;
  }
  /// Folds them. Returns those that have a value too large.
  std::vector<std::uint32_t> fold(std::vector<Folding>& foldings, SolveMonitor& monitor) {
    std::vector<std::uint32_t> refused;
    if (groups_.empty()) return refused;
    const std::size_t workers = std::min<std::size_t>(max_workers, groups_.size());
    context_.take_device_memory(workers * most_bytes_);
    const GroupEnergies<lone_pairs> shared(energies_, lists_);
    Options own = context_.options;
    own.progress = nullptr;
    std::mutex mutex;
    std::atomic<std::size_t> next = 0;
    std::atomic<double> done = 0;
    const int device = DeviceScope::current();
    parallel(static_cast<int>(workers), [&](int thread) {
      const DeviceScope scope(device);
      std::optional<GroupMemory> memory;
      for (std::size_t at = next++; at < groups_.size(); at = next++) {
        if (!memory) memory.emplace(most_bytes_, most_points_, most_sequences_, most_tasks_);
        double operations = 0;
        for (const std::uint32_t t : groups_[at]) operations += batch_.operations_of(t);
        if (!Group<lone_pairs>(batch_, groups_[at], shared, *memory).run(own, operations, foldings)) {
          const std::lock_guard lock(mutex);
          refused.insert(refused.end(), groups_[at].begin(), groups_[at].end());
        }
        done += operations;
        monitor.check();
        if (thread == 0) monitor.advance(done.exchange(0));
      }
    });
    monitor.advance(done);
    return refused;
  }

  static constexpr std::size_t most_bases = 12'000;

 private:
  static constexpr std::size_t max_workers = 2;
  static constexpr double operations_of_group = 8e11;

  /// Cuts them into groups of about the same work.
  void cut() {
    double all = 0;
    for (const std::uint32_t t : own_) all += batch_.operations_of(t);
    const double of_group = std::min(all / 4, operations_of_group);
    const std::size_t room = warpfold::cuda::free_bytes(DeviceScope::current()) / 10 * 4;
    const std::span<const std::uint32_t> sequences(own_);
    for (std::size_t first = 0; first < sequences.size();) {
      std::size_t end = first, bytes = 0, points = 0, tasks = 0;
      for (double operations = 0; end < sequences.size(); ++end) {
        const std::size_t of_one = batch_.sequences[sequences[end]].size() + 1;
        const std::size_t more = MemberPlaces<lone_pairs>::bytes(of_one);
        if (end > first && (operations >= of_group || bytes + more > std::min(room, context_.options.max_device_memory / max_workers) || end - first >= 60'000)) break;
        operations += batch_.operations_of(sequences[end]);
        bytes += more;
        points += of_one;
        tasks += tiles::tiles_in_table(interval::tile_count(of_one, side));
      }
      groups_.push_back(sequences.subspan(first, end - first));
      most_bytes_ = std::max(most_bytes_, bytes + (1 << 20));
      most_points_ = std::max(most_points_, points);
      most_sequences_ = std::max(most_sequences_, end - first);
      most_tasks_ = std::max(most_tasks_, tasks);
      first = end;
    }
  }

  const FoldBatch& batch_;
  Context& context_;
  const PairLists& lists_;
  const LoopEnergies& energies_;
  std::vector<std::uint32_t> own_;
  std::vector<std::span<const std::uint32_t>> groups_;
  std::size_t most_bytes_ = 0, most_points_ = 0, most_sequences_ = 0, most_tasks_ = 0;
};

/// Folds sequences one after the other.
void fold_others(const FoldBatch& batch, std::span<const std::uint32_t> those, std::vector<Folding>& foldings,
                 SolveMonitor& monitor, Context& context) {
  Options each = context.options;
  each.progress = nullptr;
  each.device.kind = Device::Kind::cuda;
  for (const std::uint32_t t : those) {
    monitor.check();
    try {
      auto one = rna::fold(batch.sequences[t], batch.parameters, each, batch.request_of(t));
      foldings[t] = std::move(one.solution);
      context.report.peak_device_bytes = std::max(context.report.peak_device_bytes, one.report.peak_device_bytes);
    } catch (const Error& error) {
      if (!warpfold::detail::tell_of_failure(context.options, t, error)) throw;
    }
    monitor.advance(batch.operations_of(t));
  }
}

template <bool lone_pairs>
std::vector<Folding> fold_batch_of(const FoldBatch& batch, const LoopEnergies& energies, Context& context) {
  std::vector<Folding> foldings(batch.sequences.size());
  SolveMonitor monitor(context.options, batch.operations());
  const PairLists lists = pair_lists_of(energies);
  ShortBatch shorts(batch, energies, lists, context);
  const std::vector<std::uint32_t> longer = shorts.take();
  GroupBatch<lone_pairs> groups(batch, energies, lists, context);
  std::vector<std::uint32_t> others = groups.take(longer);
  for (const auto& refused : {shorts.fold(foldings, monitor), groups.fold(foldings, monitor)}) {
    others.insert(others.end(), refused.begin(), refused.end());
  }
  std::ranges::sort(others);
  fold_others(batch, others, foldings, monitor, context);
  return foldings;
}

/// As many bases as the longest sequence that is not folded alone.
Sequence longest_of(const FoldBatch& batch) {
  std::size_t longest = class_sizes.back();
  for (const Sequence& sequence : batch.sequences) longest = std::max(longest, sequence.size());
  return Sequence(std::string(std::min(longest, GroupBatch<true>::most_bases), 'A'));
}

}  // namespace

std::vector<Folding> fold_batch(const FoldBatch& batch, Context& context) {
  const DeviceScope scope(context.options.device.index);
  FoldRequest common = batch.request;
  common.constraint.clear();
  common.stack_energies.clear();
  const Sequence longest = longest_of(batch);
  const LoopEnergies energies(longest, batch.parameters, common);
  return batch.request.lone_pairs ? fold_batch_of<true>(batch, energies, context)
                                  : fold_batch_of<false>(batch, energies, context);
}

}  // namespace warpfold::rna::cuda
