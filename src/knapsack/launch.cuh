#pragma once

#include <algorithm>
#include <cstdint>

#include "run/cuda.hpp"
#include "warpfold/run/run.hpp"

/// Starts kernels that run over capacities, from the host.
namespace warpfold::knapsack::cuda {

inline constexpr int block_threads = 256;
inline constexpr int launches_in_flight = 64;

[[nodiscard]] inline unsigned blocks_for(std::int64_t threads, std::int64_t most) {
  return static_cast<unsigned>(std::clamp<std::int64_t>((threads + block_threads - 1) / block_threads, 1, most));
}

/// Checks the stop token now and then, and keeps the queue of launches short, so that stopping is quick.
class Pace {
 public:
  Pace(const warpfold::cuda::Stream& stream, SolveMonitor& monitor) : stream_(stream), monitor_(monitor) {}

  void launched(double cells) {
    cells_ += cells;
    if (++launches_ % launches_in_flight != 0) return;
    stream_.synchronize();
    monitor_.check();
    monitor_.advance(cells_);
    cells_ = 0;
  }

 private:
  const warpfold::cuda::Stream& stream_;
  SolveMonitor& monitor_;
  int launches_ = 0;
  double cells_ = 0;
};

}  // namespace warpfold::knapsack::cuda
