#include "warpfold/run/batch.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>
#include <numeric>

#include "warpfold/core/error.hpp"
#include "warpfold/run/budget.hpp"
#include "warpfold/run/clock.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold::detail {

Report solve_each(std::size_t count, double operations, const Options& options,
                  const std::function<double(std::size_t, const Options&)>& solve) {
  if (options.device.kind == Device::Kind::cuda) {
    throw Error(ErrorKind::device, "a batch is solved on the CPU: device auto or cpu is accepted");
  }
  if (options.checkpointer) throw Error(ErrorKind::usage, "a batch keeps no checkpoint: a problem alone does");
  const auto start = std::chrono::steady_clock::now();
  Budget budget(options);
  Options each = options;
  each.budget = &budget;
  each.device = {Device::Kind::cpu, 0};
  each.threads = 1;
  each.progress = nullptr;
  SolveMonitor monitor(options, operations);
  Report report{.device = "cpu", .algorithm = {}};
  std::atomic<double> done = 0;  // not yet told to the monitor, which only one thread may call
  std::vector<std::size_t> open(count);
  std::iota(open.begin(), open.end(), std::size_t{0});
  auto threads = static_cast<int>(std::min(count, static_cast<std::size_t>(thread_count(options.threads))));
  while (!open.empty()) {
    Team team(threads);
    report.threads = std::max(report.threads, team.size());
    std::atomic<std::size_t> next = 0;
    std::mutex mutex;
    std::vector<std::size_t> refused;
    team.run([&](int member) {
      while (!team.failed()) {
        monitor.check();
        const std::size_t taken = next++;
        if (taken >= open.size()) return;
        try {
          done += solve(open[taken], each);
        } catch (const Error& error) {
          if (error.kind() != ErrorKind::memory_limit || team.size() == 1) throw;
          const std::lock_guard lock(mutex);
          refused.push_back(open[taken]);
          return;  // leaves the rest to the threads that have memory
        }
        if (member == 0) monitor.advance(done.exchange(0));
      }
    });
    for (std::size_t at = next; at < open.size(); ++at) refused.push_back(open[at]);
    open = std::move(refused);
    threads = std::max(1, team.size() / 2);
  }
  monitor.advance(std::numeric_limits<double>::infinity());  // what the other threads did last
  report.peak_bytes = budget.peak();
  report.solve_seconds = seconds_since(start);
  return report;
}

}  // namespace warpfold::detail
