#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <thread>

#include "run/cuda.hpp"
#include "warpfold/run/run.hpp"

/// The host's part of a solve that is one long kernel.
namespace warpfold::cuda {

/// The handles by which a running solve is watched and ended.
struct RunningSolve {
  const unsigned* tasks_taken;  ///< a counter on the device
  std::size_t tasks;
  unsigned* stop;   ///< a word on the device
  unsigned number;  ///< the number that ends it, if written there
  /// With several GPUs: raises the error that ended another GPU. Also lets blocks end that wait for one that ended.
  std::function<void()> check = {};
  std::function<void()> release = {};
  /// The waiting thread calls it repeatedly. It exchanges tiles with other processes.
  std::function<void()> progress_exchange = {};
};

/// Waits for `finished` and reports progress. Returns early if the caller asks for an end.
inline void follow(const RunningSolve& solve, const Event& finished, double total, SolveMonitor& monitor,
                   const Stream& side_stream) {
  using namespace std::chrono;
  constexpr auto shortest = microseconds(20), longest = microseconds(2000), between_reports = microseconds(50000);
  const auto start = steady_clock::now();
  auto next_report = start + between_reports;
  double reported = 0;
  for (;;) {
    const cudaError_t status = cudaEventQuery(finished.get());
    if (status != cudaErrorNotReady) {
      check(status, "finish the solve");
      if (solve.progress_exchange) solve.progress_exchange();
      return monitor.advance(total);  // the rest
    }
    if (solve.progress_exchange) solve.progress_exchange();
    if (monitor.stopped()) return;
    if (solve.check) solve.check();
    const auto now = steady_clock::now();
    if (solve.tasks > 0 && now >= next_report) {
      next_report = now + between_reports;
      unsigned taken = 0;
      check(cudaMemcpyAsync(&taken, solve.tasks_taken, sizeof taken, cudaMemcpyDeviceToHost, side_stream.get()),
            "report");
      side_stream.synchronize();
      const double done = total * std::min(1.0, static_cast<double>(taken) / static_cast<double>(solve.tasks));
      if (done > reported) monitor.advance(done - reported);
      reported = std::max(reported, done);
    }
    // A look takes a microsecond. A nap adds half of itself to the solve's time, here at most a part in 256.
    const auto nap = std::clamp(duration_cast<microseconds>(now - start) / 128, shortest, longest);
    std::this_thread::sleep_for(solve.progress_exchange ? shortest : nap);
  }
}

/// Waits likewise, and ends the solve if the caller asks for it or a callback raises.
inline void wait(const RunningSolve& solve, const Event& finished, double total, SolveMonitor& monitor) {
  const Stream side_stream;
  const auto end = [&] {
    check(cudaMemcpyAsync(solve.stop, &solve.number, sizeof solve.number, cudaMemcpyHostToDevice, side_stream.get()),
          "be stopped");
    side_stream.synchronize();
    if (solve.release) solve.release();
    finished.wait();
  };
  try {
    follow(solve, finished, total, monitor, side_stream);
  } catch (...) {
    end();
    throw;
  }
  if (monitor.stopped()) end();
}

/// Runs a whole solve of `total` operations on `stream` and waits for it. Returns its seconds on the device. `start()`
/// starts it and returns its RunningSolve. Raises what the monitor raises.
template <class Start>
double run(const Stream& stream, double total, SolveMonitor& monitor, Start&& start) {
  const Event started, finished;
  started.record(stream);
  const RunningSolve solve = start();
  finished.record(stream);
  wait(solve, finished, total, monitor);
  monitor.check();
  return seconds_between(started, finished);
}

}  // namespace warpfold::cuda
