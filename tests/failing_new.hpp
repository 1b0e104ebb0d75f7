#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>
#include <thread>

#include "core/derived_new.hpp"

/// Memory that runs out where a test says so. Replaces operator new, for one file of a test program.
namespace warpfold::test {

inline constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
inline std::atomic<std::int64_t> allocations_left = never;  ///< until one fails
inline std::atomic<std::int64_t> live_allocations = 0;      ///< that have not been freed
inline std::atomic<bool> others_run_out_of_memory = false;
inline std::thread::id the_caller;

/// As long as it lives, every allocation of another thread than its own fails.
class NoMemoryForOthers {
 public:
  NoMemoryForOthers() {
    the_caller = std::this_thread::get_id();
    others_run_out_of_memory = true;
  }
  ~NoMemoryForOthers() { others_run_out_of_memory = false; }
};

/// As long as it lives, the allocation of this number, counted from 0 over all threads, fails.
class FailingAllocation {
 public:
  explicit FailingAllocation(std::int64_t number) { allocations_left = number; }
  ~FailingAllocation() { allocations_left = never; }
  FailingAllocation(const FailingAllocation&) = delete;
  FailingAllocation& operator=(const FailingAllocation&) = delete;

  /// Whether there were so many.
  [[nodiscard]] bool was_met() const { return allocations_left < 0; }
};

inline bool allocation_fails() {
  if (others_run_out_of_memory && std::this_thread::get_id() != the_caller) return true;
  return allocations_left.load(std::memory_order_relaxed) != never && allocations_left-- == 0;
}

inline void* allocate(std::size_t bytes, std::size_t alignment) {
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* memory = allocation_fails() ? nullptr : std::aligned_alloc(alignment, rounded > 0 ? rounded : alignment);
  if (!memory) throw std::bad_alloc();
  ++live_allocations;
  return memory;
}

inline void release(void* memory) noexcept {
  if (!memory) return;
  --live_allocations;
  std::free(memory);
}

}  // namespace warpfold::test

// Not inlined: the compiler would see only one half of each pair.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  return warpfold::test::allocate(bytes, alignof(std::max_align_t));
}
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return warpfold::test::allocate(bytes, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { warpfold::test::release(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { warpfold::test::release(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept { warpfold::test::release(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  warpfold::test::release(memory);
}
