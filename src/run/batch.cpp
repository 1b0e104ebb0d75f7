#include "warpfold/run/batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <limits>
#include <mutex>
#include <numeric>
#include <vector>

#include "warpfold/core/error.hpp"
#include "warpfold/run/budget.hpp"
#include "warpfold/run/clock.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold::detail {

namespace {

using Positions = std::vector<std::size_t>;
using SolveOne = std::function<double(std::size_t, const Options&)>;

void check_batch_options(const Options& options) {
  if (options.device.kind == Device::Kind::cuda) {
    throw Error(ErrorKind::device, "a batch is solved on the CPU: device auto or cpu is accepted");
  }
  if (options.checkpointer) throw Error(ErrorKind::usage, "a batch keeps no checkpoint: a problem alone does");
}

/// Counts the operations that all threads have done since the monitor was last told. Only one thread may call the
/// monitor.
class DoneOperations {
 public:
  explicit DoneOperations(SolveMonitor& monitor) : monitor_(monitor) {}
  void add(double operations) { done_ += operations; }
  void tell() { monitor_.advance(done_.exchange(0)); }

 private:
  SolveMonitor& monitor_;
  std::atomic<double> done_ = 0;
};

/// Whether another problem of a batch may still be solved after this error.
bool is_of_one_problem(ErrorKind kind) {
  return kind == ErrorKind::input || kind == ErrorKind::overflow || kind == ErrorKind::infeasible ||
         kind == ErrorKind::memory_limit;
}

/// Solves the open problems with the team, each member one after another. Returns the problems that ran out of memory,
/// and those that no member took.
Positions solve_open(Team& team, const Positions& open, const Options& each, const SolveOne& solve,
                     const SolveMonitor& monitor, DoneOperations& done) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  Positions refused;
  team.run([&](int member) {
    while (!team.failed()) {
      monitor.check();
      const std::size_t taken = next++;
      if (taken >= open.size()) return;
      try {
        done.add(solve(open[taken], each));
      } catch (const Error& error) {
        const std::lock_guard lock(mutex);
        if (error.kind() == ErrorKind::memory_limit && team.size() > 1) {
          refused.push_back(open[taken]);
          return;  // leaves the rest to the threads that have memory
        }
        if (!tell_of_failure(each, open[taken], error)) throw;
      }
      if (member == 0) done.tell();
    }
  });
  for (std::size_t at = next; at < open.size(); ++at) refused.push_back(open[at]);
  return refused;
}

}  // namespace

Options options_of_each(const Options& options, Budget& budget) {
  Options each = options;
  each.budget = &budget;
  each.device = {Device::Kind::cpu, 0};
  each.threads = 1;
  each.progress = nullptr;
  return each;
}

bool tell_of_failure(const Options& options, std::size_t at, const Error& error) {
  if (!is_of_one_problem(error.kind())) return false;
  if (!options.failed) throw Error(error.kind(), fmt::format("problem {}, counted from 0: {}", at, error.what()));
  options.failed(at, error);
  return true;
}

Report solve_each(std::size_t count, double operations, const Options& options, const SolveOne& solve) {
  check_batch_options(options);
  const auto start = std::chrono::steady_clock::now();
  Budget budget(options);
  const Options each = options_of_each(options, budget);
  SolveMonitor monitor(options, operations);
  DoneOperations done(monitor);
  Report report{.device = "cpu", .algorithm = {}};
  Positions open(count);
  std::iota(open.begin(), open.end(), std::size_t{0});
  auto threads = static_cast<int>(std::min(count, static_cast<std::size_t>(thread_count(options.threads))));
  while (!open.empty()) {
    Team team(threads);
    report.threads = std::max(report.threads, team.size());
    open = solve_open(team, open, each, solve, monitor, done);
    threads = std::max(1, team.size() / 2);
  }
  monitor.advance(std::numeric_limits<double>::infinity());  // the last operations of the other threads
  report.peak_bytes = budget.peak();
  report.solve_seconds = seconds_since(start);
  return report;
}

}  // namespace warpfold::detail
