#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "run/cuda.hpp"
#include "run/running_solve.hpp"
#include "tiles/exchange/table_places.hpp"
#include "tiles/gpu/block.cuh"
#include "tiles/gpu/table_handle.hpp"

namespace warpfold::tiles::device {

/// The device memory for filling tables besides the tables themselves, for one solve after another. It is on the
/// current device and on each of the others that help, which also hold a copy of the tables or a share of one.
template <class T>
class Workspace {
 public:
  /// `values`: the tables on the current device. `others` help if there are tasks. Raises Error{device} if the devices
  /// cannot access each other's memory.
  Workspace(const TablePlaces& places, T* values, std::span<const int> others = {})
      : tasks_(places.end.first_task),
        tiles_(places.tables.front().tiles),
        job_count_(static_cast<unsigned>(places.tables.size())),
        first_ticket_(places.first_ticket),
        shares_(places.shares),
        first_(places),
        stop_(std::span<const unsigned>(&solves_, 1)) {
    if (tasks_ > 0 && !others.empty()) add_others(others, places);
    list_jobs(places, values);
  }

  /// The bytes on each of `gpus` GPUs. All but the first also hold a copy of the tables, or a share.
  static std::size_t bytes(const TablePlaces& places, std::size_t gpus = 1) {
    const std::size_t tables = places.tables.size();
    return gpus * tables * sizeof(Job<T>) + (places.end.first_counter + tables + 2) * sizeof(unsigned) +
           gpus * sizeof(T*);
  }

  /// Clears the counters. Call it before each solve.
  void clear(cudaStream_t stream) {
    ++solves_;
    if (made_.size() > 0) return;  // `connect` has
    let_others_follow(stream);
    each_gpu(stream, [](const GpuMemory& part, cudaStream_t own) {
      warpfold::cuda::check(cudaMemsetAsync(part.counters.data(), 0, part.counters.bytes(), own), "clear its counters");
    });
    wait_for_others(stream);
    let_others_follow(stream);  // no tile is announced before all counters are cleared
  }
  /// Call it before each solve in which tiles of the only table come from elsewhere, as `ready` says (Job::ready). They
  /// may arrive as soon as it returns. Finished tiles are noted, and written to the tables of `peers`, which fill their
  /// own parts. With several GPUs there are no peers.
  void connect(std::span<const unsigned> ready, std::span<const TableCopy> peers) {
    using warpfold::cuda::check;
    const bool comes =
        std::any_of(ready.begin(), ready.end(), [](unsigned said) { return (said & comes_from_elsewhere) != 0; });
    made_ = Buffer<unsigned>(1 + tasks_);
    list_peers(peers);
    check(cudaMemsetAsync(made_.data(), 0, made_.bytes(), nullptr), "clear its counters");
    each_gpu(nullptr, [&](const GpuMemory& part, cudaStream_t own) {
      check(cudaMemsetAsync(part.counters.data(), 0, part.counters.bytes(), own), "clear its counters");
      check(cudaMemcpyAsync(ready_of(part), ready.data(), ready.size_bytes(), cudaMemcpyDefault, own),
            "be told of tiles");
      unsigned* const closed = ready_of(part) + tasks_;
      if (comes) check(cudaMemsetAsync(closed, 0x40, tiles_ * sizeof(unsigned), own), "clear its counters");
      check(cudaStreamSynchronize(own), "clear its counters");
    });
  }
  /// The count of noted tiles, then their numbers, counted from 1. A number is 0 until it is there.
  [[nodiscard]] const unsigned* made() const { return made_.data(); }
  /// The tables on every GPU, and the states of the first table's tiles.
  [[nodiscard]] std::vector<TableCopy> copies() {
    std::vector<TableCopy> all;
    each_gpu(nullptr, [&](const GpuMemory& part, cudaStream_t) {
      all.push_back({reinterpret_cast<std::byte*>(all_tables_[part.gpu]), ready_of(part)});
    });
    return all;
  }
  /// Where the only table's tiles are, if the GPUs share them.
  [[nodiscard]] const TileShares& shares() const { return shares_; }
  /// The arguments of a solve's kernels on the first GPU.
  template <class Rules>
  [[nodiscard]] Solve<Rules> arguments(const Rules& rules) const {
    return arguments(rules, first_);
  }
  /// Calls start(arguments, stream) for every GPU, with that GPU current. rules_of(gpu), counted from 0, gives its
  /// rules. Later work in `stream` waits for all of them.
  template <class RulesOf, class Start>
  void start(const RulesOf& rules_of, cudaStream_t stream, Start&& start) {
    each_gpu(stream, [&](const GpuMemory& part, cudaStream_t own) { start(arguments(rules_of(part.gpu), part), own); });
    wait_for_others(stream);
  }
  /// Calls visit() for every GPU, with that GPU current.
  template <class Visit>
  void prepare(Visit&& visit) {
    each_gpu(nullptr, [&](const GpuMemory&, cudaStream_t) { visit(); });
  }

  [[nodiscard]] Stop stop() const { return {stop_.data(), solves_}; }
  [[nodiscard]] warpfold::cuda::RunningSolve running() {
    warpfold::cuda::RunningSolve solve{first_.counters.data(), tasks_, stop_.data(), solves_};
    if (others_.empty() && made_.size() == 0) return solve;
    solve.check = [this] { check_others(); };
    solve.release = [this] { release(); };
    return solve;
  }

  [[nodiscard]] const Job<T>* jobs() const { return first_.jobs.data(); }
  [[nodiscard]] std::size_t tasks() const { return tasks_; }
  [[nodiscard]] std::size_t gpus() const { return 1 + others_.size(); }
  [[nodiscard]] std::size_t tiles() const { return tiles_; }  ///< along a side of the first table
  /// Whether there is one table, which this GPU of this process fills alone.
  [[nodiscard]] bool fills_one_table_alone() const { return job_count_ == 1 && others_.empty() && made_.size() == 0; }
  /// The copy of the tables on one of the other GPUs, or its share.
  [[nodiscard]] const T* copy(std::size_t other) const { return others_.at(other).tables.data(); }

 private:
  template <class Value>
  using Buffer = warpfold::cuda::Buffer<Value>;
  using DeviceScope = warpfold::cuda::DeviceScope;
  using Event = warpfold::cuda::Event;

  /// The memory of one GPU.
  struct GpuMemory {
    unsigned gpu;  ///< counted from 0
    Buffer<unsigned> counters;
    Buffer<unsigned> first_tasks;
    Buffer<T*> all_tables = {};
    Buffer<Job<T>> jobs = {};

    explicit GpuMemory(const TablePlaces& places, std::size_t at = 0)
        : gpu(static_cast<unsigned>(at)), counters(places.end.first_counter), first_tasks(first_tasks_of(places)) {}
  };
  struct Other {
    Buffer<T> tables;
    GpuMemory part;
    Event reached;
    warpfold::cuda::Stream stream;

    Other(const TablePlaces& places, std::size_t at) : tables(places.end.first_value), part(places, at) {}
  };

  void add_others(std::span<const int> devices, const TablePlaces& places) {
    std::vector<int> all = {DeviceScope::current()};
    all.insert(all.end(), devices.begin(), devices.end());
    warpfold::cuda::link(all);
    reached_.emplace_back();
    for (const int device : devices) {
      const DeviceScope scope(device);
      others_.emplace_back(places, 1 + others_.size());
    }
  }

  /// Appends the jobs of other processes' tables after the first GPU's own.
  void list_peers(std::span<const TableCopy> peers) {
    peers_ = static_cast<unsigned>(peers.size());
    if (peers.empty()) return;
    std::vector<Job<T>> jobs = {first_job_};
    for (const TableCopy& peer : peers) {
      jobs.push_back(first_job_);
      jobs.back().table = reinterpret_cast<T*>(peer.tables);
      jobs.back().ready = peer.ready;
      jobs.back().closed = peer.ready + tasks_;
      jobs.back().front = peer.ready - 1;
    }
    first_.jobs = Buffer<Job<T>>(jobs);
  }

  /// Lists on every GPU its own jobs, then those of the next GPUs.
  void list_jobs(const TablePlaces& places, T* values) {
    all_tables_ = {values};
    for (const Other& other : others_) all_tables_.push_back(other.tables.data());
    std::vector<Job<T>> jobs;
    each_gpu(nullptr, [&](GpuMemory& part, cudaStream_t) {
      part.all_tables = Buffer<T*>(std::span<T* const>(all_tables_));
      const auto more = jobs_of(places, part, all_tables_[part.gpu]);
      jobs.insert(jobs.end(), more.begin(), more.end());
    });
    first_job_ = jobs.front();
    each_gpu(nullptr, [&](GpuMemory& part, cudaStream_t) {
      part.jobs = Buffer<Job<T>>(jobs);
      std::rotate(jobs.begin(), jobs.begin() + job_count_, jobs.end());
    });
  }

  template <class Visit>
  void each_gpu(cudaStream_t stream, Visit&& visit) {
    visit(first_, stream);
    for (Other& other : others_) {
      const DeviceScope scope(other.tables.device());
      visit(other.part, other.stream.get());
    }
  }
  template <class Rules>
  [[nodiscard]] Solve<Rules> arguments(const Rules& rules, const GpuMemory& part) const {
    return {rules,
            part.jobs.data(),
            part.first_tasks.data(),
            job_count_,
            static_cast<unsigned>(gpus()) + peers_,
            first_.counters.data(),
            stop(),
            part.gpu,
            first_ticket_ > 0 ? first_.counters.data() + first_ticket_ : nullptr,
            {shares_, part.all_tables.data()},
            made_.data()};
  }

  static unsigned* ready_of(const GpuMemory& part) { return part.counters.data() + first_ready; }

  static std::vector<Job<T>> jobs_of(const TablePlaces& places, const GpuMemory& part, T* values) {
    std::vector<Job<T>> jobs;
    for (const TablePlace& place : places.tables) {
      unsigned* front = part.counters.data() + place.first_counter;
      unsigned* ready = front + 1;
      jobs.push_back({static_cast<unsigned>(place.points),
                      static_cast<unsigned>(place.tiles),
                      place.first_weight,
                      values + place.first_value,
                      ready,
                      ready + place.tasks(),
                      front,
                      place.first_point,
                      {places.shares, part.all_tables.data()}});
    }
    return jobs;
  }
  static Buffer<unsigned> first_tasks_of(const TablePlaces& places) {
    std::vector<unsigned> first;
    for (const TablePlace& place : places.tables) first.push_back(static_cast<unsigned>(place.first_task));
    first.push_back(static_cast<unsigned>(places.end.first_task));
    return Buffer<unsigned>(first);
  }

  /// Later work on the other GPUs waits for earlier work in the caller's stream, and the reverse.
  void let_others_follow(cudaStream_t stream) {
    for (const Event& reached : reached_) reached.record(stream);
    for (const Other& other : others_) reached_.front().hold_back(other.stream.get());
  }
  void wait_for_others(cudaStream_t stream) {
    for (const Other& other : others_) {
      other.reached.record(other.stream);
      other.reached.hold_back(stream);
    }
  }

  /// Raises the error that ended another GPU's kernel early.
  void check_others() const {
    for (const Other& other : others_) {
      const cudaError_t status = cudaEventQuery(other.reached.get());
      if (status != cudaErrorNotReady) warpfold::cuda::check(status, "finish its part of the solve");
    }
  }
  /// Lets all blocks end, whatever they wait for: all tiles seem final, and all tasks taken. Uses copies, since the
  /// blocks leave copy engines free. A kernel that sets memory might wait for the blocks.
  void release() {
    const std::vector<unsigned> all(first_.counters.size(), 0x7f7f7f7f);
    each_gpu(nullptr, [&](const GpuMemory& part, cudaStream_t) {
      static_cast<void>(cudaMemcpy(part.counters.data(), all.data(), part.counters.bytes(), cudaMemcpyHostToDevice));
    });
  }

  std::size_t tasks_;
  std::size_t tiles_;  ///< tiles along a side of the first table
  unsigned job_count_;
  std::size_t first_ticket_;  ///< 0 if each GPU has whole tables
  TileShares shares_;
  unsigned solves_ = 0;
  GpuMemory first_;
  Buffer<unsigned> stop_;
  std::vector<T*> all_tables_;
  Buffer<unsigned> made_;  ///< finished tiles, if tiles are exchanged
  Job<T> first_job_ = {};
  unsigned peers_ = 0;          ///< copies of the table in other processes
  std::vector<Event> reached_;  ///< one event if there are other GPUs
  std::vector<Other> others_;   ///< declared last: their streams end before the memory that they use
};

}  // namespace warpfold::tiles::device
