#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

/// Teams of threads. This is the only owner of the library's threads.
namespace warpfold {

namespace detail {
class Worker;
}

/// A dependency graph of tasks.
struct TaskGraph {
  std::vector<std::uint32_t> waits_for;               ///< entry t: how many tasks must end before task t begins
  std::vector<std::vector<std::uint32_t>> followers;  ///< entry t: the tasks that wait for task t
};

/// A team of threads, one of which is the caller.
///
/// If a body raises in any thread, the others stop as soon as they ask for more work or reach a barrier. After all have
/// ended, the first exception is raised again in the caller, and the team's other threads are gone.
///
/// After success, a team leaves its threads to the next team for 0.1 s. Starting a thread takes longer than a small
/// problem.
class Team {
 public:
  /// At most `threads` threads, and at most as many as `thread_count` allows. Fewer if the system starts no more.
  explicit Team(int threads);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  [[nodiscard]] int size() const { return static_cast<int>(others_.size()) + 1; }
  /// Whether a body has raised an exception. The others need not continue.
  [[nodiscard]] bool failed() const { return failed_.load(std::memory_order_relaxed); }

  /// Runs body(member) for member = 0 .. size()-1, all at the same time. Member 0 is the caller.
  void run(const std::function<void(int)>& body);

  /// Waits until every member has called it. For bodies of `run`. Spins, for members that meet every few microseconds.
  void barrier();

  /// Waits until another member has brought `progress` to `least`. For bodies of `run`. Spins, too.
  void wait(const std::atomic<std::size_t>& progress, std::size_t least) const;

  /// Runs body(index, member) for index = 0 .. count-1. Free members take the indices in this order.
  void parallel_for(std::size_t count, const std::function<void(std::size_t, int)>& body);

  /// Runs body(task, member) for every task after those that it waits for. A free member takes the ready task with the
  /// longest chain of tasks that wait for it.
  void run_tasks(TaskGraph graph, const std::function<void(std::size_t, int)>& body);

 private:
  void work(int member) noexcept;
  template <class Ready>
  void spin_until(const Ready& ready) const;

  std::list<std::shared_ptr<detail::Worker>> others_;
  bool spins_ = false;  ///< whether waiting threads spin: not if there are more members than processors
  const std::function<void(int)>* body_ = nullptr;
  std::mutex mutex_;
  std::exception_ptr failure_;
  alignas(64) std::atomic<int> arrived_ = 0;  ///< members that have reached the present barrier
  /// barriers passed; waiting members read it, so it has a cache line of its own
  alignas(64) std::atomic<int> meetings_ = 0;
  std::atomic<bool> failed_ = false;
};

/// Runs body(thread) for thread = 0 .. threads-1 by a team, and returns the team's size. Thread 0 is the caller. A
/// smaller team takes the remaining threads one after the other, so no body may wait for one of a higher number.
int parallel(int threads, const std::function<void(int)>& body);

}  // namespace warpfold
