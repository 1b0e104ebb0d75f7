#pragma once

#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <thread>

#include "warpfold/core/error.hpp"
#include "warpfold/run/run.hpp"

/// How a solve with threads must fail: the error arrives, and no thread hangs.
namespace warpfold::test {

/// Ends the test program if a test hangs.
class Watchdog {
 public:
  explicit Watchdog(unsigned seconds = 60) { alarm(seconds); }
  ~Watchdog() { alarm(0); }
};

inline std::ptrdiff_t running_threads() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

/// A sanitizer has a thread of its own, which starts with the first one. A thread that ended may be listed for a
/// moment.
inline const std::ptrdiff_t threads_at_the_start = [] {
  std::thread([] {}).join();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return running_threads();
}();

/// Threads that ended may be listed for a moment. Idle threads wait for a tenth of a second.
inline void expect_other_threads_gone() {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (running_threads() > threads_at_the_start && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(running_threads(), threads_at_the_start);
}

/// From now on the system cannot start threads, because it has no room for such a stack.
inline void reject_threads() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, std::size_t{1} << 47);
  if (pthread_setattr_default_np(&attributes) != 0) std::abort();
}

inline Options on_threads(int threads) {
  Options options;
  options.device = {Device::Kind::cpu, 0};
  options.threads = threads;
  return options;
}

/// `solve(options)` reports progress. The error that the callback raises must arrive.
template <class Solve>
void expect_callback_failure_arrives(const Solve& solve) {
  const Watchdog watchdog;
  Options options = on_threads(4);
  options.progress = [](const Progress&) { throw std::runtime_error("from the callback"); };
  EXPECT_THROW(solve(options), std::runtime_error);
  expect_other_threads_gone();
}

/// Requests a stop when the table of `solve(options)` is full and the structure is not yet traced. With two threads,
/// the caller's thread, which reports progress, does not always fill the last tile. So there are many tries.
template <class Solve>
void expect_stop_ends_the_trace(const Solve& solve) {
  for (int attempt = 0; attempt < 40; ++attempt) {
    std::stop_source stop;
    Options options = on_threads(2);
    options.stop = stop.get_token();
    options.progress = [&](const Progress& progress) {
      if (progress.done >= progress.total) stop.request_stop();
    };
    try {
      static_cast<void>(solve(options));
      ADD_FAILURE() << "the structure was traced to its end";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::cancelled) << error.what();
    }
  }
}

/// `solve(options)` returns the number of threads that ran.
template <class Solve>
void expect_solved_without_threads(const Solve& solve) {
  const auto child = [&] {
    alarm(60);
    reject_threads();
    _exit(solve(on_threads(4)) == 1 ? 0 : 1);
  };
  EXPECT_EXIT(child(), testing::ExitedWithCode(0), "");
}

template <class Solve>
void expect_too_many_threads_are_capped(const Solve& solve) {
  const Watchdog watchdog;
  EXPECT_LE(solve(on_threads(100000)), thread_count(100000));
  EXPECT_LE(thread_count(100000), 8 * thread_count(0));
}

}  // namespace warpfold::test
