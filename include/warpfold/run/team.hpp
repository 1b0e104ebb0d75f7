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

/// The only owner of the library's threads.
namespace warpfold {

namespace detail {
class Worker;
}

/// Tasks of which some wait for others.
struct TaskGraph {
  std::vector<std::uint32_t> waits_for;               ///< entry t: how many tasks have to end before task t begins
  std::vector<std::vector<std::uint32_t>> followers;  ///< entry t: the tasks that wait for task t
};

/// Threads that work together, the caller being one of them.
///
/// What a body raises in any thread ends the work of the others as soon as they ask for more work or meet, and is
/// raised again in the caller, the first failure where there are several, once all have ended: then no other thread of
/// the team is left. A team whose work succeeded leaves its threads, for a tenth of a second, to the next team:
/// starting one takes longer than small problems do.
class Team {
 public:
  /// At most `threads` threads, and never more than `thread_count` allows; fewer where the system starts no more.
  explicit Team(int threads);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  [[nodiscard]] int size() const { return static_cast<int>(others_.size()) + 1; }
  /// Whether a body has raised something: the others need not go on.
  [[nodiscard]] bool failed() const { return failed_.load(std::memory_order_relaxed); }

  /// body(member) for every member, 0 (the caller) .. size()-1, all at the same time.
  void run(const std::function<void(int)>& body);

  /// For a body of `run`: waits until every member has come here. Spins, for members that meet every few microseconds.
  void barrier();

  /// For a body of `run`: waits until another member has brought its `progress` to `least`. Spins likewise.
  void wait(const std::atomic<std::size_t>& progress, std::size_t least) const;

  /// body(index, member) for index = 0 .. count-1, in this order, each by the next free member.
  void parallel_for(std::size_t count, const std::function<void(std::size_t, int)>& body);

  /// body(task, member) for every task, each by the next free member once those that it waits for have ended; of those
  /// that may begin, the one that the longest chain of others waits for is the first.
  void run_tasks(TaskGraph graph, const std::function<void(std::size_t, int)>& body);

 private:
  void work(int member) noexcept;
  template <class Ready>
  void spin_until(const Ready& ready) const;

  std::list<std::shared_ptr<detail::Worker>> others_;
  bool spins_ = false;  ///< while it waits; not where there are more members than processors
  const std::function<void(int)>* body_ = nullptr;
  std::mutex mutex_;
  std::exception_ptr failure_;
  alignas(64) std::atomic<int> arrived_ = 0;   ///< members that have come to the present meeting
  alignas(64) std::atomic<int> meetings_ = 0;  ///< what those who wait look at: not on the line that others write
  std::atomic<bool> failed_ = false;
};

/// Runs body(thread) for thread = 0 .. threads-1 by a team of so many, the caller being thread 0, and returns the
/// team's size. Where it is smaller, those who have ended take over what is left: no body may wait for one of a higher
/// number.
int parallel(int threads, const std::function<void(int)>& body);

}  // namespace warpfold
