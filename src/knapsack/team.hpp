#pragma once

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

namespace warpfold::knapsack {

/// A barrier for threads that meet every few microseconds: they spin, and yield where the machine is busy otherwise.
class SpinBarrier {
 public:
  explicit SpinBarrier(int threads) : threads_(threads) {}

  void wait() {
    const int round = round_.load(std::memory_order_acquire);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
      arrived_.store(0, std::memory_order_relaxed);
      round_.store(round + 1, std::memory_order_release);
      return;
    }
    for (int spins = 0; round_.load(std::memory_order_acquire) == round; ++spins) {
      if (spins > 4000) std::this_thread::yield();
    }
  }

 private:
  const int threads_;
  std::atomic<int> arrived_{0};
  std::atomic<int> round_{0};
};

/// Runs work(0) .. work(threads - 1) all at the same time, rank 0 on the calling thread, so that they may wait for each
/// other; core/parallel.hpp does not promise that. `work` must not throw.
inline void run_team(int threads, const std::function<void(int)>& work) {
  std::vector<std::jthread> others;
  for (int rank = 1; rank < threads; ++rank) others.emplace_back([&work, rank] { work(rank); });
  work(0);
}

}  // namespace warpfold::knapsack
