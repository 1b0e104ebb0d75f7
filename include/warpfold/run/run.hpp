#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "warpfold/run/budget.hpp"

namespace warpfold {

class Checkpointer;

/// Where to solve. `automatic` takes a GPU when one is there and the problem is large enough to gain; several GPUs only
/// solve where they are asked for.
struct Device {
  enum class Kind { automatic, cpu, cuda };
  Kind kind = Kind::automatic;
  int index = 0;               ///< which GPU, or the first of several; nothing else uses it
  std::vector<int> more = {};  ///< the others that solve one problem together with it. Twice the same: two parts of it
  bool all = false;            ///< every GPU of this host instead

  [[nodiscard]] bool is_several() const { return all || !more.empty(); }
  bool operator==(const Device&) const = default;
};

/// "auto", "cpu", "cuda" (GPU 0), "cuda:N", "cuda:N,M..." for several that are not the same, or "cuda:all". Raises
/// Error{usage} for anything else.
[[nodiscard]] Device parse_device(const std::string& text);
/// What `parse_device` takes, for messages: "auto, cpu, ... is accepted".
inline constexpr const char* accepted_devices = "auto, cpu, cuda, cuda:N, cuda:N,M.. or cuda:all is accepted";
/// The word that `parse_device` takes.
[[nodiscard]] std::string to_string(const Device& device);

/// How far a solve has come: `done` of `total` elementary operations of the recurrence.
struct Progress {
  double done = 0;
  double total = 0;
};

/// What every solver accepts. The defaults solve with all allowed threads and no limit.
struct Options {
  Device device = {};
  int threads = 0;             ///< CPU threads; 0: see `thread_count`
  std::string algorithm = {};  ///< a name that `algorithms()` of the family lists; empty: the solver chooses
  std::stop_token stop = {};   ///< answered within 0.1 s with Error{cancelled}
  std::optional<std::chrono::steady_clock::time_point> deadline = {};  ///< passing it raises Error{time_limit}
  /// Needing more of the host's memory, or of a GPU's, raises Error{memory_limit} beforehand. What the machine or the
  /// GPU has limits it anyway.
  std::size_t max_memory = std::numeric_limits<std::size_t>::max();
  std::size_t max_device_memory = std::numeric_limits<std::size_t>::max();
  Budget* budget = nullptr;  ///< where a solve that is a part of something takes the host's memory from, too
  /// Keeps the table of a long solve beside it, and goes on with an earlier one's (checkpoint/checkpoint.hpp).
  /// Algorithms that keep no table refuse one with Error{usage}.
  Checkpointer* checkpointer = nullptr;
  std::function<void(const Progress&)> progress =
      {};  ///< called from one thread, some 20 times a second and at the end
};

/// What a solver says of its run. Times are wall-clock seconds.
struct Report {
  std::string device;     ///< "cpu", or "cuda:N" for the GPU that ran, "cuda:N,M" for those that did
  std::string algorithm;  ///< what ran
  int threads = 1;        ///< how many ran
  double prepare_seconds = 0;
  double solve_seconds = 0;
  double traceback_seconds = 0;
  std::size_t peak_bytes = 0;         ///< the most of the host's memory that the solver held besides the caller's data
  std::size_t peak_device_bytes = 0;  ///< the most of a GPU's
  /// Where `automatic` would have taken a GPU but for something: which GPU, and what. Else empty.
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
  std::string takes = {};  ///< its operations, and bytes or values of memory: "n^3 / 6, n^2 / 2 values"
};

/// The threads a solve with `requested` threads uses: `requested`, or when it is 0 as many as the process's affinity
/// and its cgroup's share of the processors allow. At most eight times as many as those: more would only wait for each
/// other. Raises Error{usage} when it is negative.
[[nodiscard]] int thread_count(int requested);

/// Raises Error{memory_limit} that names both sizes when `bytes` is more than the options allow, or than this machine
/// has.
void check_memory(const Options& options, std::size_t bytes);

/// Carries a solve's stop token, deadline and progress through its loops.
class SolveMonitor {
 public:
  /// Raises what `check` raises where the solve should not begin.
  SolveMonitor(const Options& options, double total);

  /// True once the solve should end. Cheap, callable from every thread.
  [[nodiscard]] bool stopped() const;

  /// Raises Error{cancelled} or Error{time_limit} once the solve should end.
  void check() const;

  /// Counts `amount` more operations, or all that are left, as done and tells the caller's callback now and then. From
  /// one thread only.
  void advance(double amount);

 private:
  const Options& options_;
  Progress progress_;
  std::chrono::steady_clock::time_point next_report_;
};

/// Looks at a monitor once every so many steps, however they are spread over loops.
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
