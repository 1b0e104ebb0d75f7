#pragma once

#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>

#include "core/derived_new.hpp"

/// Replaces operator new, for one file of a test program.
namespace warpfold::test {

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

}  // namespace warpfold::test

void* operator new(std::size_t bytes) {
  namespace test = warpfold::test;
  const bool fails = test::others_run_out_of_memory && std::this_thread::get_id() != test::the_caller;
  void* memory = fails ? nullptr : std::malloc(bytes > 0 ? bytes : 1);
  if (!memory) throw std::bad_alloc();
  return memory;
}
// Not inlined: the compiler would see only one half of each pair.
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
