#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "warpfold/core/error.hpp"
#include "warpfold/run/budget.hpp"

namespace warpfold {

class Checkpointer;

/// Where to solve. `automatic` takes a GPU if there is one and the problem is large enough to gain. Several GPUs solve
/// one problem only if the caller asks for them.
struct Device {
  enum class Kind { automatic, cpu, cuda };
  Kind kind = Kind::automatic;
  int index = 0;  ///< the GPU, or the first of several
  /// The other GPUs that solve the same problem. A number that occurs twice takes two parts of the problem.
  std::vector<int> more = {};
  bool all = false;  ///< every GPU of this host

  [[nodiscard]] bool is_several() const { return all || !more.empty(); }
  bool operator==(const Device&) const = default;
};

/// Parses "auto", "cpu", "cuda" (GPU 0), "cuda:N", "cuda:N,M..." with different numbers, or "cuda:all". Raises
/// Error{usage} for any other text.
[[nodiscard]] Device parse_device(const std::string& text);
/// The texts that `parse_device` accepts, for messages.
inline constexpr const char* accepted_devices = "auto, cpu, cuda, cuda:N, cuda:N,M.. or cuda:all is accepted";
/// The text that `parse_device` turns into this device.
[[nodiscard]] std::string to_string(const Device& device);

/// The progress of a solve: `done` of `total` elementary operations of the recurrence.
struct Progress {
  double done = 0;
  double total = 0;
};

/// The options of every solver. The defaults use all allowed threads and set no limit.
struct Options {
  Device device = {};
  int threads = 0;             ///< CPU threads; 0: all allowed (`thread_count`)
  std::string algorithm = {};  ///< a name from the family's `algorithms()`; empty: the solver chooses
  std::stop_token stop = {};   ///< answered within 0.1 s with Error{cancelled}
  std::optional<std::chrono::steady_clock::time_point> deadline = {};  ///< raises Error{time_limit} when it passes
  /// Maximum bytes of host memory, and of the memory of each GPU. A solve that needs more raises Error{memory_limit}
  /// before it allocates. What the machine or the GPU has is a limit, too.
  std::size_t max_memory = std::numeric_limits<std::size_t>::max();
  std::size_t max_device_memory = std::numeric_limits<std::size_t>::max();
  /// The budget of the enclosing work. The solve reserves its host memory from it, too.
  Budget* budget = nullptr;
  /// Saves the table of a long solve while it runs, and continues from a saved one (checkpoint/checkpoint.hpp). An
  /// algorithm without support for it raises Error{usage}.
  Checkpointer* checkpointer = nullptr;
  /// The seconds that starting a GPU takes, for a process that may not have started it: `automatic` then takes no GPU
  /// for what the CPU solves sooner. 0: a GPU is taken as if it were started.
  double gpu_start_seconds = 0;
  std::function<void(const Progress&)> progress =
      {};  ///< called from one thread, about 20 times a second and at the end
  /// Called by a batch for a problem that has no solution, with its position from 0. The batch goes on, and its
  /// solution in this place is empty. One thread calls it at a time. If there is no such function, the first failure
  /// ends the batch. A failure is an error of one problem: input, overflow, infeasible or memory_limit.
  std::function<void(std::size_t at, const Error& error)> failed = {};
};

/// What ran. Times are wall-clock seconds.
struct Report {
  std::string device;     ///< "cpu", "cuda:N" for the GPU that ran, or "cuda:N,M" for several
  std::string algorithm;  ///< the algorithm that ran
  int threads = 1;        ///< the number of threads that ran
  double prepare_seconds = 0;
  double solve_seconds = 0;
  double traceback_seconds = 0;
  std::size_t peak_bytes = 0;         ///< peak host memory of the solver, without the caller's data
  std::size_t peak_device_bytes = 0;  ///< peak memory of one GPU
  /// If `automatic` preferred a GPU but the CPU solved: the GPU and the reason. Else empty.
  std::string fallback_reason = {};
};

/// What every solver returns.
template <class Solution>
struct Outcome {
  Solution solution;
  Report report;
};

/// An algorithm as `warpfold info` lists it.
struct AlgorithmInfo {
  std::string name;
  std::string device;  ///< "cpu" or "cuda"
  std::string description;
  std::string takes = {};  ///< operations, and memory in bytes or values: "n^3 / 6, n^2 / 2 values"
};

/// The number of threads of a solve. For `requested` = 0, as many as the process's affinity and its control group's
/// share of the processors allow. Otherwise `requested`, but at most eight times as many: more would only wait. Raises
/// Error{usage} if `requested` is negative.
[[nodiscard]] int thread_count(int requested);

/// Raises Error{memory_limit} that names both sizes if `bytes` exceeds what the options or this machine allow.
void check_memory(const Options& options, std::size_t bytes);

/// Carries the stop token, deadline and progress of a solve through its loops.
class SolveMonitor {
 public:
  /// `total`: elementary operations of the solve. Raises what `check` raises if the solve should not begin.
  SolveMonitor(const Options& options, double total);

  /// Whether the solve should end. Cheap. Any thread may call it.
  [[nodiscard]] bool stopped() const;

  /// Raises Error{cancelled} or Error{time_limit} if the solve should end.
  void check() const;

  /// Counts `amount` more operations as done, at most up to the total. Calls the progress callback every 50 ms and at
  /// the end. Only one thread may call it.
  void advance(double amount);

 private:
  const Options& options_;
  Progress progress_;
  std::chrono::steady_clock::time_point next_report_;
};

/// Checks a monitor once every fixed number of steps, however the steps are spread over loops.
class PeriodicCheck {
 public:
  PeriodicCheck(const SolveMonitor& monitor, std::size_t steps_between_checks)
      : monitor_(monitor), between_(steps_between_checks), left_(steps_between_checks) {}

  void tick() {
    if (--left_ > 0) return;
    left_ = between_;
    monitor_.check();
  }

 private:
  const SolveMonitor& monitor_;
  std::size_t between_;
  std::size_t left_;
};

}  // namespace warpfold
