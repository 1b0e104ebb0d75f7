#pragma once

#include <chrono>

#include "warpfold/run/backend.hpp"
#include "warpfold/run/clock.hpp"

namespace warpfold {

/// Seconds from which on a probe tells a rate that is no single call's.
inline constexpr double min_probe_seconds = 3e-3;

/// What a probe does with the caller's stop token and deadline.
enum class ProbeEnd { by_itself, as_asked };

/// The seconds that a backend takes for a small problem: what an estimate times to tell a machine's rate. Of the
/// options it has the device, threads and algorithm; limits and callbacks are for the solve itself, but for stop and
/// deadline where a caller's functions may take long: `as_asked`. On a GPU another run goes before it, which wakes the
/// GPU.
template <class Size, class Problem, class Solution>
[[nodiscard]] double probe_seconds(const Backend<Size, Problem, Solution>& backend,
                                   const std::type_identity_t<Problem>& small, const Options& options,
                                   ProbeEnd end = ProbeEnd::by_itself) {
  const bool on_gpu = backend.info.device == "cuda";
  Options probe;
  probe.device = options.device;
  probe.device.kind = on_gpu ? Device::Kind::cuda : Device::Kind::cpu;
  probe.threads = options.threads;
  probe.algorithm = options.algorithm;
  if (end == ProbeEnd::as_asked) {
    probe.stop = options.stop;
    probe.deadline = options.deadline;
  }
  find_gpus_of(backend.info, probe);
  const auto run = [&] {
    Report unread;
    Context context(probe, unread);
    static_cast<void>(backend.run(small, context));
  };
  if (on_gpu) run();
  const auto start = std::chrono::steady_clock::now();
  run();
  return seconds_since(start);
}

}  // namespace warpfold
