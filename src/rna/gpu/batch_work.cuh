#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "run/cuda.hpp"
#include "warpfold/rna/fold.hpp"
#include "warpfold/run/run.hpp"
#include "warpfold/run/team.hpp"

/// The parts of a batch of foldings that threads of the host take one after the other, each to fold it on the GPU.
namespace warpfold::rna::cuda {

/// What the threads share. `Shared`: what the kernels read.
template <class Shared>
class BatchWork {
 public:
  BatchWork(std::vector<Folding>& all_foldings, SolveMonitor& monitor, const Shared& of_kernels, std::size_t parts)
      : foldings(all_foldings), shared(of_kernels), monitor_(monitor), parts_(parts) {}

  std::vector<Folding>& foldings;
  const Shared& shared;

  /// Calls run(thread) from so many threads, and returns their number. If one fails, the others take no more parts.
  template <class Run>
  int run_by(std::size_t threads, const Run& run) {
    const int device = warpfold::cuda::DeviceScope::current();
    const int ran = parallel(static_cast<int>(threads), [&](int thread) {
      const warpfold::cuda::DeviceScope scope(device);
      try {
        run(thread);
      } catch (...) {
        next_ = parts_;
        throw;
      }
    });
    monitor_.advance(done_);
    return ran;
  }
  /// The next part, or the number of parts if none is left.
  [[nodiscard]] std::size_t take() {
    const std::size_t part = next_++;
    return part < parts_ ? part : parts_;
  }
  /// Tells the operations of a part. Thread 0 reports progress. Raises what SolveMonitor raises.
  void finish(double operations, int thread) {
    done_ += operations;
    monitor_.check();
    if (thread == 0) monitor_.advance(done_.exchange(0));
  }
  /// Leaves sequences to others.
  void refuse(std::span<const std::uint32_t> sequences) {
    const std::lock_guard lock(mutex_);
    refused_.insert(refused_.end(), sequences.begin(), sequences.end());
  }
  [[nodiscard]] const std::vector<std::uint32_t>& refused() const { return refused_; }

 private:
  SolveMonitor& monitor_;
  std::size_t parts_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<double> done_ = 0;
  std::mutex mutex_ = {};
  std::vector<std::uint32_t> refused_ = {};
};

}  // namespace warpfold::rna::cuda
