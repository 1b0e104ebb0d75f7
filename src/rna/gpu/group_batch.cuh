#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rna/backends.hpp"
#include "rna/gpu/batch_work.cuh"
#include "rna/gpu/device_lists.cuh"
#include "rna/gpu/group_foldings.cuh"
#include "rna/tuning.hpp"
#include "run/cuda.hpp"
#include "run/running_solve.hpp"

/// The host's part of folding sequences in groups (group_foldings.cuh). Two groups are at work: what comes after the
/// tables of one runs beside the tables of the other.
namespace warpfold::rna::cuda {

using warpfold::cuda::Buffer;
using warpfold::cuda::check;
using warpfold::cuda::check_launch;
using warpfold::cuda::DeviceScope;
using warpfold::cuda::Memory;
using warpfold::cuda::Stream;

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
    listed_ =
        Buffer<interval::device::ListedLoop<Energy>>{std::span<const interval::device::ListedLoop<Energy>>(listed)};
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
  [[nodiscard]] SpecialHairpinView special() const { return {special_there_.data(), special_.bits}; }

 private:
  DeviceLists<LoopEnergyView> on_device_;
  Buffer<PairLists> lists_;
  SpecialHairpins special_;
  Buffer<SpecialHairpin> special_there_;
  Buffer<interval::device::ListedLoop<Energy>> listed_;
  StencilLoops<G> loops_{};
};

/// Where the parts of a group's memory begin.
class MemoryLayout {
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
  std::size_t ready, counters, queue;  ///< cleared before a solve
  std::size_t bases, letters;          ///< from the first one of the group

  static constexpr std::size_t exterior_counters = 2, queue_counters = 3;
  [[nodiscard]] std::size_t tasks() const { return tiles * (tiles + 1) / 2; }
  [[nodiscard]] std::size_t queue_size() const { return 2 * points; }

  /// The bytes for so many points, at most.
  static std::size_t bytes(std::size_t points) {
    MemoryLayout layout, cleared;
    MemberPlaces().add(points, layout, cleared, 0);
    const std::size_t tasks = tiles::tiles_in_table(interval::tile_count(points, side));
    return layout.bytes() + cleared.bytes() + sizeof(GroupMember<lone_pairs>) + 2 * points + 4096 +
           tasks * (sizeof(GroupTask) + side * side * sizeof(Energy) / tiles_of_block);
  }
  void add(std::size_t of_points, MemoryLayout& layout, MemoryLayout& cleared, std::size_t first_base) {
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

/// Memory for one group at a time. What is short goes before the tiles of another group.
class GroupMemory {
 public:
  explicit GroupMemory(std::size_t group_bytes, std::size_t max_bases, std::size_t max_sequences, std::size_t max_tasks)
      : all(group_bytes), staged(Memory::Place::pinned, host_bytes(max_bases, max_sequences, max_tasks)) {}

  static std::size_t host_bytes(std::size_t max_bases, std::size_t max_sequences, std::size_t max_tasks) {
    return 2 * max_bases + max_sequences * (sizeof(GroupMember<false>) + 2 * sizeof(Energy)) +
           max_tasks * sizeof(GroupTask) + 4096;
  }

  Buffer<std::byte> all;
  Memory staged;
  Stream tiles;
  Stream urgent = Stream::urgent();
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
    send();
    const auto longest = static_cast<unsigned>(longest_points_);
    const auto count = static_cast<unsigned>(sequences_.size());
    const auto* const members = at<const Member>(members_);
    list_small_hairpins<lone_pairs>
        <<<dim3((4 * longest + 255) / 256, count), 256, 0, stream>>>(members, energies_.special());
    check_launch("list hairpins");
    memory_.urgent.synchronize();
    SolveMonitor monitor(options, operations);
    const warpfold::cuda::RunningSolve solve{at<unsigned>(ticket_), tasks_.size(), at<unsigned>(ticket_) + 1, 1};
    warpfold::cuda::run(memory_.tiles, operations, monitor, [&] {
      fill();
      return solve;
    });
    const auto tiles = static_cast<unsigned>(interval::tile_count(longest_points_, side));
    add_exteriors<lone_pairs><<<dim3(tiles, count), dim3(side, exterior_groups), 0, stream>>>(members);
    check_launch("start the exterior loops");
    open_exteriors<lone_pairs><<<count, 32, 0, stream>>>(members);
    check_launch("find the pairs of exterior loops");
    walk_group<lone_pairs>
        <<<dim3(longest / 64 + 1, count), interval::device::walk_threads, 0, stream>>>(members, energies_.loops());
    check_launch("start the search for structures");
    check(cudaMemcpyAsync(memory_.staged.data(), memory_.all.data() + results_, result_bytes_, cudaMemcpyDeviceToHost,
                          stream),
          "return structures");
    memory_.urgent.synchronize();
    return take(foldings);
  }

 private:
  template <class T>
  [[nodiscard]] T* at(std::size_t place) const {
    return reinterpret_cast<T*>(memory_.all.data() + place);
  }
  /// Places all parts: the results, what the host sends, what is cleared, and the rest.
  void place() {
    std::size_t bases = 0, max_tiles = 0;
    for (const std::uint32_t t : sequences_) {
      const std::size_t points = batch_.sequences[t].size() + 1;
      bases += points;
      longest_points_ = std::max(longest_points_, points);
      max_tiles = std::max(max_tiles, interval::tile_count(points, side));
    }
    MemoryLayout layout, cleared;
    const std::size_t count = sequences_.size();
    misfit_ = layout.add<unsigned long long>(1);
    failed_ = layout.add<unsigned>(count);
    least_energies_ = layout.add<Energy>(count);
    all_letters_ = layout.add<char>(bases);
    result_bytes_ = layout.bytes();
    members_ = layout.add<Member>(count);
    all_bases_ = layout.add<Base>(bases);
    places_.resize(count);
    MemoryLayout own;
    std::size_t first = 0;
    for (std::size_t t = 0; t < count; ++t) {
      const std::size_t points = batch_.sequences[sequences_[t]].size() + 1;
      places_[t].add(points, own, cleared, first);
      first += points;
    }
    list_tasks(max_tiles);
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
  void list_tasks(std::size_t max_tiles) {
    for (std::size_t d = 0; d < max_tiles; ++d) {
      for (std::size_t t = 0; t < places_.size(); ++t) {
        for (std::size_t i = 0; i + d < places_[t].tiles; ++i) {
          tasks_.push_back(
              {static_cast<unsigned>(t), static_cast<unsigned short>(i), static_cast<unsigned short>(i + d)});
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
    const G grammar{
        {UnconstrainedEnergyView(energies)}, energies_.lists(), {rims, rims + own.tiles * (side + 1) * carried_rim}};
    const Stop stop{at<unsigned>(ticket_) + 1, 1};
    return {Rules{grammar,
                  static_cast<unsigned>(points),
                  table_size,
                  at<Energy>(sums_),
                  nullptr,
                  {},
                  at<unsigned long long>(misfit_),
                  stop},
            {.n = static_cast<unsigned>(points),
             .tiles = static_cast<unsigned>(own.tiles),
             .first_weight = 0,
             .table = tables,
             .ready = front + 1,
             .closed = front + 1 + own.tasks(),
             .front = front},
            energies,
            {tables + G::helix * table_size, static_cast<unsigned>(points),
             of_own(own.least, static_cast<Energy*>(nullptr)),
             of_own(own.last_pair, static_cast<EnergyAndBase*>(nullptr)), counters, counters + 1},
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
    check(cudaMemsetAsync(at<std::byte>(failed_), 0, sequences_.size() * sizeof(unsigned), stream),
          "clear its counters");
    check(cudaMemsetAsync(at<std::byte>(all_letters_), '.', result_bytes_ - all_letters_, stream), "clear structures");
  }
  void fill() {
    const auto kernel = fill_group<lone_pairs>;
    const int depth = tiles::device::depth_of_kernel<Energy, tiles::device::by_capability>(kernel);
    const auto shared = static_cast<std::size_t>(Rules::shared_bytes(depth, warpfold::cuda::capability_of(kernel)));
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
      : batch_(batch),
        context_(context),
        lists_(lists),
        energies_(energies),
        room_(std::min(warpfold::cuda::free_bytes(DeviceScope::current()) / 5 * 2,
                       context.options.max_device_memory / group_workers)) {}

  /// Takes those of the sequences that groups fold. Returns the others.
  std::vector<std::uint32_t> take(std::span<const std::uint32_t> sequences) {
    std::vector<std::uint32_t> others;
    FoldRequest request = batch_.request;
    request.constraint.clear();
    if (sequences.size() < 2 ||
        !closes_rows<RowGrammar<lone_pairs>>(energies_, lists_, request,
                                             warpfold::cuda::capability_of(fill_group<lone_pairs>))) {
      return {sequences.begin(), sequences.end()};
    }
    for (const std::uint32_t t : sequences) {
      const std::size_t size = batch_.sequences[t].size();
      const bool fits = size >= 2 && size <= max_group_bases && batch_.constraint_of(t).empty() &&
                        MemberPlaces<lone_pairs>::bytes(size + 1) + spare_bytes <= room_;
      (fits ? own_ : others).push_back(t);
    }
    std::ranges::stable_sort(own_, std::greater<>(), [&](std::uint32_t t) { return batch_.sequences[t].size(); });
    cut();
    return others;
  }
  /// Folds them. Returns those that have a value too large, or all if the host has too little memory.
  std::vector<std::uint32_t> fold(std::vector<Folding>& foldings, SolveMonitor& monitor) {
    if (groups_.empty()) return {};
    const std::size_t workers = std::min(group_workers, groups_.size());
    const std::size_t host_bytes = workers * GroupMemory::host_bytes(max_points_, max_sequences_, max_tasks_);
    if (host_bytes > context_.budget.left()) return own_;
    const Budget::Reservation taken = context_.budget.reserve(host_bytes);
    context_.take_device_memory(workers * group_bytes_);
    const GroupEnergies<lone_pairs> shared(energies_, lists_);
    Work work(foldings, monitor, shared, groups_.size());
    work.run_by(workers, [&](int thread) { run(work, thread); });
    return work.refused();
  }

 private:
  static constexpr std::size_t spare_bytes = 1 << 20;

  using Work = BatchWork<GroupEnergies<lone_pairs>>;

  /// Folds groups until none is left.
  void run(Work& work, int thread) const {
    std::optional<GroupMemory> memory;
    Options own = context_.options;
    own.progress = nullptr;
    for (std::size_t at = work.take(); at < groups_.size(); at = work.take()) {
      if (!memory) memory.emplace(group_bytes_, max_points_, max_sequences_, max_tasks_);
      const double operations = batch_.operations_of(groups_[at]);
      const bool fits =
          Group<lone_pairs>(batch_, groups_[at], work.shared, *memory).run(own, operations, work.foldings);
      if (!fits) work.refuse(groups_[at]);
      work.finish(fits ? operations : 0, thread);
    }
  }

  /// Cuts them into groups of about the same work.
  void cut() {
    const double of_group = std::min(batch_.operations_of(own_) / 4, group_operations);
    const std::span<const std::uint32_t> sequences(own_);
    for (std::size_t first = 0; first < sequences.size();) {
      std::size_t end = first, bytes = spare_bytes, points = 0, tasks = 0;
      for (double operations = 0; end < sequences.size() && end - first < max_group_size; ++end) {
        const std::size_t of_one = batch_.sequences[sequences[end]].size() + 1;
        const std::size_t more = MemberPlaces<lone_pairs>::bytes(of_one);
        if (end > first && (operations >= of_group || bytes + more > room_)) break;
        operations += batch_.operations_of(sequences[end]);
        bytes += more;
        points += of_one;
        tasks += tiles::tiles_in_table(interval::tile_count(of_one, side));
      }
      groups_.push_back(sequences.subspan(first, end - first));
      group_bytes_ = std::max(group_bytes_, bytes);
      max_points_ = std::max(max_points_, points);
      max_sequences_ = std::max(max_sequences_, end - first);
      max_tasks_ = std::max(max_tasks_, tasks);
      first = end;
    }
  }

  const FoldBatch& batch_;
  Context& context_;
  const PairLists& lists_;
  const LoopEnergies& energies_;
  std::size_t room_;  ///< the most bytes of a group
  std::vector<std::uint32_t> own_;
  std::vector<std::span<const std::uint32_t>> groups_;
  std::size_t group_bytes_ = 0, max_points_ = 0, max_sequences_ = 0, max_tasks_ = 0;
};

}  // namespace warpfold::rna::cuda
