#pragma once

#include <span>
#include <vector>

#include "run/cuda.hpp"
#include "tiles/block.cuh"
#include "tiles/device_run.hpp"
#include "tiles/table_places.hpp"

namespace warpfold::tiles::device {

/// What filling tables on the current device takes beside the tables themselves, for one solve after another.
template <class T>
class Workspace {
 public:
  /// `values`: where the tables lie, on the device.
  Workspace(const TablePlaces& places, T* values)
      : tasks_(places.end.first_task),
        counters_(places.end.first_counter),
        stop_(std::span<const unsigned>(&solves_, 1)),
        jobs_(jobs_of(places, values, counters_.data())),
        first_tasks_(first_tasks_of(places)) {}

  static std::size_t bytes(const TablePlaces& places) {
    const std::size_t tables = places.tables.size();
    return tables * sizeof(Job<T>) + (places.end.first_counter + tables + 2) * sizeof(unsigned);
  }

  /// Before each solve.
  void clear(cudaStream_t stream) {
    ++solves_;
    warpfold::cuda::check(cudaMemsetAsync(counters_.data(), 0, counters_.bytes(), stream), "clear its counters");
  }
  /// What a solve's kernels are started with.
  template <class Rules>
  [[nodiscard]] Solve<Rules> arguments(const Rules& rules) const {
    return {rules, jobs_.data(), first_tasks_.data(), static_cast<unsigned>(jobs_.size()), counters_.data(), stop()};
  }
  [[nodiscard]] Stop stop() const { return {stop_.data(), solves_}; }
  [[nodiscard]] RunningSolve running() const { return {counters_.data(), tasks_, stop_.data(), solves_}; }

  [[nodiscard]] const Job<T>* jobs() const { return jobs_.data(); }
  [[nodiscard]] std::size_t tasks() const { return tasks_; }

 private:
  template <class Value>
  using Buffer = warpfold::cuda::Buffer<Value>;

  static Buffer<Job<T>> jobs_of(const TablePlaces& places, T* values, unsigned* counters) {
    std::vector<Job<T>> jobs;
    for (const TablePlace& place : places.tables) {
      unsigned* front = counters + place.first_counter;
      unsigned* ready = front + 1;
      jobs.push_back({static_cast<unsigned>(place.points), static_cast<unsigned>(place.tiles), place.first_weight,
                      values + place.first_value, ready, ready + place.tasks(), front, place.first_point});
    }
    return Buffer<Job<T>>(jobs);
  }
  static Buffer<unsigned> first_tasks_of(const TablePlaces& places) {
    std::vector<unsigned> first;
    for (const TablePlace& place : places.tables) first.push_back(static_cast<unsigned>(place.first_task));
    first.push_back(static_cast<unsigned>(places.end.first_task));
    return Buffer<unsigned>(first);
  }

  std::size_t tasks_;
  unsigned solves_ = 0;
  Buffer<unsigned> counters_;
  Buffer<unsigned> stop_;
  Buffer<Job<T>> jobs_;
  Buffer<unsigned> first_tasks_;
};

}  // namespace warpfold::tiles::device
