#include "warpfold/run/team.hpp"

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <queue>
#include <system_error>
#include <thread>
#include <utility>

#include "warpfold/run/run.hpp"

namespace warpfold {

namespace {

/// How long a thread without a team waits for the next team.
constexpr auto idle_time = std::chrono::milliseconds(100);

/// How often a spinning thread looks before it sleeps: some 50 microseconds, longer than waking a thread takes.
constexpr int looks_before_sleep = 2000;

/// How often a thread at a barrier looks before it yields the processor.
constexpr int looks_before_yield = 1000;

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// Thrown to end a member's work after another member has failed.
struct Abandoned {};

bool leave_pool(const detail::Worker* worker) noexcept;

}  // namespace

namespace detail {

/// A thread that runs one requested body after the other.
class Worker {
 public:
  /// Raises std::system_error if the system starts no thread.
  static std::shared_ptr<Worker> start() {
    auto worker = std::make_shared<Worker>();
    worker->thread_ = std::thread([worker] { worker->live(); });
    return worker;
  }

  /// `spins`: whether to poll for a while before sleeping.
  void ask(std::function<void()> body, bool spins) {
    body_ = std::move(body);
    spins_ = spins;
    set(State::asked);
  }
  void wait_until_done() {
    for (int look = 0; spins_ && look < looks_before_sleep; ++look, relax()) {
      if (state_.load(std::memory_order_acquire) != State::asked) return;
    }
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return state_ != State::asked; });
  }
  void end() {
    set(State::ended);
    thread_.join();
  }

 private:
  enum class State { free, asked, ended };

  void live() {
    while (true) {
      if (const State now = wait(); now == State::free) {  // idle for too long
        if (!leave_pool(this)) continue;
        return thread_.detach();
      } else if (now == State::ended) {
        return;
      }
      body_();
      set(State::free);
    }
  }

  State wait() {
    for (int look = 0; spins_ && look < looks_before_sleep; ++look, relax()) {
      if (const State now = state_.load(std::memory_order_acquire); now != State::free) return now;
    }
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, idle_time, [this] { return state_ != State::free; });
    return state_;
  }

  void set(State state) {
    {
      const std::lock_guard lock(mutex_);
      state_.store(state, std::memory_order_release);
    }
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<State> state_ = State::free;
  std::function<void()> body_;
  std::atomic<bool> spins_ = true;
  std::thread thread_;
};

}  // namespace detail

namespace {

using detail::Worker;
using Workers = std::list<std::shared_ptr<Worker>>;

/// The idle threads. Never destroyed, because they may outlive main().
class Pool {
 public:
  static Pool& instance() {
    static Pool& pool = *new Pool;
    return pool;
  }

  /// Takes idle threads, at most `count`, then new ones as long as the system starts any.
  Workers take(std::size_t count) {
    Workers taken;
    {
      const std::lock_guard lock(mutex_);
      const std::size_t found = std::min(count, free_.size());
      taken.splice(taken.end(), free_, free_.begin(), std::next(free_.begin(), static_cast<std::ptrdiff_t>(found)));
    }
    try {
      while (taken.size() < count) taken.push_back(Worker::start());
    } catch (const std::system_error&) {  // works with fewer
    } catch (const std::bad_alloc&) {
    }
    return taken;
  }
  void give_back(Workers& workers) noexcept {
    const std::lock_guard lock(mutex_);
    free_.splice(free_.begin(), workers);
  }
  /// False if a team has taken the worker meanwhile.
  bool leave(const Worker* worker) noexcept {
    const std::lock_guard lock(mutex_);
    return free_.remove_if([&](const std::shared_ptr<Worker>& one) { return one.get() == worker; }) > 0;
  }

 private:
  /// Registers fork handlers: a forked process has none of the threads.
  Pool() {
    pthread_atfork([] { instance().mutex_.lock(); }, [] { instance().mutex_.unlock(); },
                   [] {
                     // Never freed: the threads that their destructors would join do not exist here.
                     static Workers& lost = *new Workers;
                     lost.splice(lost.end(), instance().free_);
                     instance().mutex_.unlock();
                   });
  }

  std::mutex mutex_;
  Workers free_;
};

bool leave_pool(const Worker* worker) noexcept { return Pool::instance().leave(worker); }

/// Entry t: the length of the longest chain of tasks from task t on.
std::vector<std::uint32_t> longest_chains(const TaskGraph& graph) {
  std::vector<std::uint32_t> waits_for = graph.waits_for;
  std::vector<std::uint32_t> order;  // every task after those that it waits for
  for (std::uint32_t task = 0; task < waits_for.size(); ++task) {
    if (waits_for[task] == 0) order.push_back(task);
  }
  for (std::size_t next = 0; next < order.size(); ++next) {
    for (const std::uint32_t follower : graph.followers[order[next]]) {
      if (--waits_for[follower] == 0) order.push_back(follower);
    }
  }
  std::vector<std::uint32_t> chains(waits_for.size(), 1);
  for (auto task = order.rbegin(); task != order.rend(); ++task) {
    for (const std::uint32_t follower : graph.followers[*task]) {
      chains[*task] = std::max(chains[*task], chains[follower] + 1);
    }
  }
  return chains;
}

/// The tasks that may begin, and the number of tasks that have not ended. The task with the longest chain behind it
/// goes first. In the order of arrival, the last tasks of a triangle of blocks would run one by one.
class ReadyTasks {
 public:
  explicit ReadyTasks(TaskGraph graph)
      : graph_(std::move(graph)), chains_(longest_chains(graph_)), left_(graph_.waits_for.size()) {
    for (std::uint32_t task = 0; task < graph_.waits_for.size(); ++task) {
      if (graph_.waits_for[task] == 0) ready_.emplace(chains_[task], task);
    }
  }

  /// Waits for a task. False if there are no more.
  bool take(std::size_t& task) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !ready_.empty() || left_ == 0 || abandoned_; });
    if (left_ == 0 || abandoned_) return false;
    task = ready_.top().second;
    ready_.pop();
    return true;
  }
  void end(std::size_t task) {
    const std::lock_guard lock(mutex_);
    --left_;
    std::size_t more = 0;
    for (const std::uint32_t follower : graph_.followers[task]) {
      if (--graph_.waits_for[follower] > 0) continue;
      ready_.emplace(chains_[follower], follower);
      ++more;
    }
    if (left_ == 0 || more > 1) changed_.notify_all();  // a single ready task goes to the member that ended this one
  }
  void abandon() {
    const std::lock_guard lock(mutex_);
    abandoned_ = true;
    changed_.notify_all();
  }

 private:
  TaskGraph graph_;
  const std::vector<std::uint32_t> chains_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::priority_queue<std::pair<std::uint32_t, std::uint32_t>> ready_;  ///< chain, task
  std::size_t left_;
  bool abandoned_ = false;
};

}  // namespace

Team::Team(int threads) {
  if (threads < 2) return;
  others_ = Pool::instance().take(static_cast<std::size_t>(thread_count(threads)) - 1);
  spins_ = size() <= thread_count(0);
}

Team::~Team() {
  if (!others_.empty()) Pool::instance().give_back(others_);
}

void Team::work(int member) noexcept {
  try {
    (*body_)(member);
  } catch (const Abandoned&) {
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
    failed_ = true;
  }
}

void Team::run(const std::function<void(int)>& body) {
  if (others_.empty()) return body(0);
  body_ = &body;
  arrived_ = 0;
  int member = 0;
  for (const auto& worker : others_) {
    worker->ask([this, mine = ++member] { work(mine); }, spins_);
  }
  work(0);
  for (const auto& worker : others_) worker->wait_until_done();
  if (!failed_) return;
  for (const auto& worker : others_) worker->end();
  others_.clear();
  failed_ = false;
  std::rethrow_exception(std::exchange(failure_, nullptr));
}

template <class Ready>
void Team::spin_until(const Ready& ready) const {
  for (int look = 0; !ready(); ++look) {
    if (failed()) throw Abandoned();
    relax();
    if (look > looks_before_yield) std::this_thread::yield();
  }
}

void Team::barrier() {
  const int meeting = meetings_.load(std::memory_order_acquire);
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == size()) {
    arrived_.store(0, std::memory_order_relaxed);
    meetings_.store(meeting + 1, std::memory_order_release);
    return;
  }
  spin_until([&] { return meetings_.load(std::memory_order_acquire) != meeting; });
}

void Team::wait(const std::atomic<std::size_t>& progress, std::size_t least) const {
  spin_until([&] { return progress.load(std::memory_order_acquire) >= least; });
}

void Team::parallel_for(std::size_t count, const std::function<void(std::size_t, int)>& body) {
  std::atomic<std::size_t> next = 0;
  run([&](int member) {
    for (std::size_t index = next++; index < count && !failed_; index = next++) body(index, member);
  });
}

void Team::run_tasks(TaskGraph graph, const std::function<void(std::size_t, int)>& body) {
  ReadyTasks tasks(std::move(graph));
  run([&](int member) {
    try {
      for (std::size_t task = 0; tasks.take(task); tasks.end(task)) body(task, member);
    } catch (...) {
      tasks.abandon();
      throw;
    }
  });
}

int parallel(int threads, const std::function<void(int)>& body) {
  if (threads <= 1) {
    body(0);
    return 1;
  }
  Team team(threads);
  const int size = team.size();
  std::atomic<int> next = size;
  team.run([&](int member) {
    for (int thread = member; thread < threads && !team.failed(); thread = next++) body(thread);
  });
  return size;
}

}  // namespace warpfold
