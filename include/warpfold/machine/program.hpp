#pragma once

#include <coroutine>
#include <cstdint>
#include <cstring>
#include <exception>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "warpfold/machine/machine.hpp"

/// A program for the machines is a coroutine that every thread runs:
///
///     Program reverse(Thread t, Array<int> a, Array<int> b) {
///       const int x = co_await a.read(t.id);
///       co_await b.write(t.count - 1 - t.id, x);
///     }
///
/// One access is one step. Computation and local variables are free.
///
/// * `co_await skip()` makes no access in this step.
/// * `co_await barrier()` waits for every thread that has not ended.
/// * `co_await phase("name")` is a barrier that also starts a phase of the report.
/// * `co_await another_program(t, ...)` runs a subroutine. Its exceptions reach the caller.
///
/// Take arrays and all other arguments by value: a program outlives the call that starts it.
namespace warpfold::machine {

/// The thread that runs the program.
struct Thread {
  std::uint32_t id = 0;
  std::uint32_t count = 1;
  std::uint32_t multiprocessor = 0;  ///< on the HMM; 0 on other machines
  std::uint32_t local_id = 0;        ///< index within its multiprocessor
  std::uint32_t local_count = 1;     ///< threads of its multiprocessor
};

namespace detail {

/// What a thread asks for next. `call` continues at once with another coroutine of the thread: a subroutine, or the
/// caller of one that has ended. The simulation's loop resumes it, because not every compiler makes a tail call when
/// one coroutine resumes another. `raise` is the same for the caller of a subroutine that has failed.
enum class RequestKind : std::uint8_t { read, write, skip, barrier, done, call, raise };

/// The request that a thread waits for.
struct Request {
  std::coroutine_handle<> handle;  ///< the innermost coroutine of the thread
  Word value = 0;                  ///< the value to write, or the value read
  Address address = 0;
  std::uint16_t sequence = 0;
  bool shared = false;
  RequestKind kind = RequestKind::skip;
};

/// The context in which a running thread leaves its request.
struct ProgramContext {
  Request* current = nullptr;
  std::string_view next_phase;
  std::exception_ptr failure;  ///< the exception of a subroutine, on its way to the caller

  /// Raises Error{input} that names thread, step, array and index, or Error{usage} for an array without a context.
  [[noreturn]] static void refuse(const ProgramContext* context, std::uint16_t sequence, std::uint64_t index,
                                  std::uint64_t size);
};

/// The context of the simulation that runs on this host thread.
inline thread_local ProgramContext* active_context = nullptr;

/// Coroutine frames. Frames of equal size are reused, because a simulation allocates thousands of them.
[[nodiscard]] void* allocate_frame(std::size_t bytes);
void free_frame(void* frame, std::size_t bytes) noexcept;

template <class T>
Word to_word(T value) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(Word), "a memory cell holds 64 bits");
  Word word = 0;
  std::memcpy(&word, &value, sizeof value);
  return word;
}

template <class T>
T from_word(Word word) {
  T value;
  std::memcpy(&value, &word, sizeof value);
  return value;
}

template <class T>
struct Access {
  ProgramContext* context;
  Word value;
  Address address;
  std::uint16_t sequence;
  bool shared;
  RequestKind kind;

  [[nodiscard]] bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> handle) const noexcept {
    *context->current = {handle, value, address, sequence, shared, kind};
  }
  T await_resume() const noexcept {
    if constexpr (!std::is_void_v<T>) return from_word<T>(context->current->value);
  }
};

struct Pause {
  RequestKind kind;
  std::string_view phase;

  [[nodiscard]] bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> handle) const noexcept {
    active_context->current->handle = handle;
    active_context->current->kind = kind;
    if (!phase.empty()) active_context->next_phase = phase;
  }
  void await_resume() const noexcept {}
};

}  // namespace detail

/// Makes no access in one step.
[[nodiscard]] inline detail::Pause skip() { return {detail::RequestKind::skip, {}}; }

/// Waits until every thread that has not ended waits too. Takes no time.
[[nodiscard]] inline detail::Pause barrier() { return {detail::RequestKind::barrier, {}}; }

/// A barrier that starts the phase `name`. All threads must give the same name, which must outlive the run.
[[nodiscard]] inline detail::Pause phase(std::string_view name) { return {detail::RequestKind::barrier, name}; }

/// A handle to an array in the global memory, or to one in each shared memory of the HMM. `Simulation::array` and
/// `Simulation::shared_array` create it. Copy it freely.
template <class T>
class Array {
 public:
  [[nodiscard]] detail::Access<T> read(std::uint64_t index) const {
    return {context_, 0, at(index), sequence_, shared_, detail::RequestKind::read};
  }
  [[nodiscard]] detail::Access<void> write(std::uint64_t index, T value) const {
    return {context_, detail::to_word(value), at(index), sequence_, shared_, detail::RequestKind::write};
  }
  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] Address base() const { return base_; }

 private:
  friend class Simulation;

  Address at(std::uint64_t index) const {
    if (index >= size_) detail::ProgramContext::refuse(context_, sequence_, index, size_);
    return base_ + static_cast<Address>(index);
  }

  detail::ProgramContext* context_ = nullptr;
  Address base_ = 0;
  std::uint32_t size_ = 0;
  std::uint16_t sequence_ = 0;
  bool shared_ = false;
};

/// The coroutine type of programs.
class Program {
 public:
  /// The promise that the compiler builds a coroutine of this type with.
  struct promise_type {
    detail::Request* request = nullptr;  ///< the request of its thread
    std::coroutine_handle<> caller;

    /// Sets what the thread does next, and in which of its coroutines.
    void go_on(std::coroutine_handle<> handle, detail::RequestKind kind) noexcept {
      request->handle = handle;
      request->kind = kind;
    }

    Program get_return_object() { return Program(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    auto final_suspend() noexcept {
      struct Return {
        bool await_ready() noexcept { return false; }
        void await_suspend(std::coroutine_handle<promise_type> ended) noexcept {
          promise_type& promise = ended.promise();
          const bool failed = promise.request->kind == detail::RequestKind::raise;
          promise.go_on(promise.caller, !promise.caller ? detail::RequestKind::done
                                        : failed        ? detail::RequestKind::raise
                                                        : detail::RequestKind::call);
        }
        void await_resume() noexcept {}
      };
      return Return{};
    }
    void return_void() {}
    void unhandled_exception() {
      if (!caller) throw;
      detail::active_context->failure = std::current_exception();
      request->kind = detail::RequestKind::raise;
    }
    static void* operator new(std::size_t bytes) { return detail::allocate_frame(bytes); }
    static void operator delete(void* frame, std::size_t bytes) noexcept { detail::free_frame(frame, bytes); }
  };

  Program(Program&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Program& operator=(Program&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Program() {
    if (handle_) handle_.destroy();
  }

  /// Starts it as the program of a thread.
  void start_as(detail::Request& request) {
    handle_.promise().request = &request;
    request = {handle_};
  }

  /// Runs it as a subroutine of another program.
  [[nodiscard]] bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<promise_type> caller) noexcept {
    handle_.promise().request = caller.promise().request;
    handle_.promise().caller = caller;
    handle_.promise().go_on(handle_, detail::RequestKind::call);
  }
  void await_resume() const {
    detail::RequestKind& kind = handle_.promise().request->kind;
    if (kind != detail::RequestKind::raise) return;
    kind = detail::RequestKind::call;
    std::rethrow_exception(std::exchange(detail::active_context->failure, nullptr));
  }

 private:
  explicit Program(std::coroutine_handle<promise_type> handle) : handle_(handle) {}

  std::coroutine_handle<promise_type> handle_;
};

}  // namespace warpfold::machine
