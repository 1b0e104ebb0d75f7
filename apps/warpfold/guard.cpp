#include "guard.hpp"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <new>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "memory.hpp"
#include "terminal.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::app {

namespace {

/// How long solvers may take to stop: 0.1 s, more if they write a checkpoint.
std::atomic<std::chrono::milliseconds> grace{std::chrono::milliseconds(100)};

std::stop_source& interrupt() {
  static std::stop_source source;
  return source;
}

/// Without signals that the process inherited as ignored, for example from nohup.
sigset_t interrupting_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction inherited {};
    sigaction(signal, nullptr, &inherited);
    if (inherited.sa_handler != SIG_IGN) sigaddset(&signals, signal);
  }
  return signals;
}

[[noreturn]] void end_process(ErrorKind kind, std::string_view message) {
  lift_memory_limit();
  take_the_last_word();
  io::discard_unfinished_files();
  say_error(message);
  _exit(exit_code(kind));  // runs no destructors: other threads still use the objects
}

/// Starts a detached thread. Returns false if the system cannot start one.
template <class Body>
bool start(Body body) {
  try {
    std::thread(std::move(body)).detach();
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

}  // namespace

void guard_against_interrupts() {
  const sigset_t signals = interrupting_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  const bool guarded = start([signals, source = interrupt()]() mutable {
    int signal = 0;
    sigwait(&signals, &signal);
    source.request_stop();
    std::this_thread::sleep_for(grace.load());
    end_process(ErrorKind::cancelled, "the solve was cancelled");
  });
  // without the thread, the signals end the process themselves
  if (!guarded) pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

void guard_where_nothing_may_be_raised() {
  std::set_terminate([] {
    try {
      if (const std::exception_ptr raised = std::current_exception()) std::rethrow_exception(raised);
    } catch (const std::bad_alloc&) {
      lift_memory_limit();
      end_process(ErrorKind::memory_limit, memory_message());
    } catch (...) {  // a defect: std::terminate reports it
    }
    std::abort();
  });
}

std::stop_token interrupt_token() { return interrupt().get_token(); }

void wait_for_checkpoints() { grace = std::chrono::seconds(10); }

void guard_deadline(std::chrono::steady_clock::time_point deadline) {
  start([deadline] {  // if it does not start, only the solvers check the time
    std::this_thread::sleep_until(deadline);
    std::this_thread::sleep_for(grace.load());
    end_process(ErrorKind::time_limit, "the time limit was reached");
  });
}

void take_the_last_word() {
  static std::mutex mutex;
  mutex.lock();
}

}  // namespace warpfold::app
