#pragma once

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>

#include "core/cuda.hpp"
#include "warpfold/core/run.hpp"

/// What every solve on a device does from the host.
namespace warpfold::interval::cuda {

using warpfold::cuda::use_device;

/// Where a running solve can be watched and ended, words on the device.
struct RunningSolve {
  const unsigned* tasks_taken;
  std::size_t tasks;
  unsigned* stop;
};

/// Waits for `finished`, telling the caller how far the solve is and ending it early where the caller asks.
inline void wait(const RunningSolve& solve, const warpfold::cuda::Event& finished, double total, Watch& watch) {
  using warpfold::cuda::check;
  const warpfold::cuda::Stream beside;
  double reported = 0;
  const auto end_early = [&] {
    const unsigned stop = 1;
    check(cudaMemcpyAsync(solve.stop, &stop, sizeof stop, cudaMemcpyHostToDevice, beside.get()), "be stopped");
    beside.synchronize();
    finished.wait();
  };
  for (auto pause = std::chrono::microseconds(50);; pause = std::min(2 * pause, std::chrono::microseconds(20000))) {
    const cudaError_t status = cudaEventQuery(finished.get());
    if (status != cudaErrorNotReady) {
      check(status, "finish the solve");
      return watch.advance(total);  // the rest
    }
    if (watch.stopped()) {
      end_early();
      return;
    }
    if (solve.tasks > 0) {
      unsigned taken = 0;
      check(cudaMemcpyAsync(&taken, solve.tasks_taken, sizeof taken, cudaMemcpyDeviceToHost, beside.get()), "report");
      beside.synchronize();
      const double done = total * std::min(1.0, static_cast<double>(taken) / static_cast<double>(solve.tasks));
      if (done > reported) watch.advance(done - reported);
      reported = std::max(reported, done);
    }
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace warpfold::interval::cuda
