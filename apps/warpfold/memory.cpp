#include "memory.hpp"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>
#include <string>

#include "core/derived_new.hpp"
#include "core/size_text.hpp"
#include "run/allowance.hpp"

namespace warpfold::app {

namespace {

constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();
constexpr std::size_t for_last_words = std::size_t{64} << 10;
constexpr std::size_t uncounted = std::size_t{16} << 20;  // stacks, and the data pages of the libraries

constinit std::atomic<std::size_t> held = 0;
constinit std::atomic<std::size_t> peak = 0;
constinit std::atomic<std::size_t> held_limit = no_limit;
constinit std::atomic<std::size_t> asked_limit = no_limit;
constinit std::atomic<std::size_t> needed = 0;  ///< held bytes after the last failed allocation, had it succeeded
constinit std::atomic<void*> kept_for_last_words = nullptr;

void raise_peak(std::size_t now) {
  for (std::size_t before = peak; before < now;) {
    if (peak.compare_exchange_weak(before, now)) return;
  }
}

void* ask_system(std::size_t bytes, std::size_t alignment) {
  if (alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__) return std::malloc(std::max<std::size_t>(bytes, 1));
  return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

/// Memory that is reserved but not touched costs nothing, so an allocation that is rejected here has cost none.
void* allocate(std::size_t bytes, std::size_t alignment) {
  void* memory = bytes <= held_limit ? ask_system(bytes, alignment) : nullptr;
  const std::size_t usable = malloc_usable_size(memory);
  const std::size_t now = held += usable;
  if (!memory || now > held_limit) {
    const std::size_t before = (held -= usable);
    std::free(memory);
    needed = before + std::min(bytes, no_limit - before);
    throw std::bad_alloc();
  }
  raise_peak(now);
  return memory;
}

void release(void* memory) {
  if (memory) held -= malloc_usable_size(memory);
  std::free(memory);
}

/// The memory that this machine or the control group allows.
std::size_t machine_limit() { return std::max(allowed_bytes(), 2 * uncounted) - uncounted; }

}  // namespace

void account_for_memory() {
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  kept_for_last_words = std::malloc(for_last_words);
  held_limit = machine_limit();
}

void limit_memory(std::size_t bytes) {
  asked_limit = bytes;
  held_limit = std::min(bytes, machine_limit());
  if (held <= held_limit) return;
  needed = held.load();
  throw std::bad_alloc();
}

void lift_memory_limit() {
  held_limit = no_limit;
  std::free(kept_for_last_words.exchange(nullptr));
}

std::string memory_message() {
  if (needed == 0) return "there is not enough memory";
  const bool asked = asked_limit < machine_limit();
  return fmt::format("the run needs at least {} of memory, {} {}", bytes_text(static_cast<double>(needed.load())),
                     asked ? "the limit is" : "this machine has",
                     bytes_text(static_cast<double>(asked ? asked_limit.load() : allowed_bytes())));
}

std::size_t held_bytes() { return held; }

std::size_t peak_bytes() { return peak; }

Budget& process_budget() {
  static Budget all(held_limit, asked_limit < machine_limit() ? "the limit is" : "this machine has");
  static Budget::Reservation taken = all.reserve(0);
  taken.resize(held);
  return all;
}

}  // namespace warpfold::app

// Replaces the language's operator.
void* operator new(std::size_t bytes) { return warpfold::app::allocate(bytes, 1); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return warpfold::app::allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { warpfold::app::release(memory); }
void operator delete(void* memory, std::size_t) noexcept { warpfold::app::release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { warpfold::app::release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { warpfold::app::release(memory); }
