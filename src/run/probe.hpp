#pragma once

#include "run/clock.hpp"
#include "warpfold/run/run.hpp"

/// What an estimate times to tell a machine's rate: a small problem, by the algorithm and the device that would run.
namespace warpfold {

/// Without limits and callbacks, which are for the solve itself.
[[nodiscard]] inline Options probe_options(const Options& options, bool on_gpu) {
  Options probe;
  probe.device = options.device;
  probe.device.kind = on_gpu ? Device::Kind::cuda : Device::Kind::cpu;
  probe.threads = options.threads;
  probe.algorithm = options.algorithm;
  return probe;
}

/// The seconds of a probe. On a GPU another one goes before it, which wakes the GPU.
template <class Solve>
[[nodiscard]] double probe_seconds(const Options& probe, const Solve& solve) {
  if (probe.device.kind == Device::Kind::cuda) solve();
  const auto start = std::chrono::steady_clock::now();
  solve();
  return seconds_since(start);
}

}  // namespace warpfold
