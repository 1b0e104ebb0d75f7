#include "allocations.hpp"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>
#include <thread>

#include "core/derived_new.hpp"

namespace warpfold::test {

namespace {

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
std::atomic<std::int64_t> allocations_left = never;  ///< until one fails
std::atomic<bool> others_have_none = false;
std::thread::id the_caller;
std::atomic<std::int64_t> live = 0;

bool fails() {
  if (others_have_none && std::this_thread::get_id() != the_caller) return true;
  return allocations_left.load(std::memory_order_relaxed) != never && allocations_left-- == 0;
}

void* allocate(std::size_t bytes, std::size_t alignment) {
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* memory = fails() ? nullptr : std::aligned_alloc(alignment, rounded > 0 ? rounded : alignment);
  if (!memory) throw std::bad_alloc();
  ++live;
  return memory;
}

void release(void* memory) noexcept {
  if (!memory) return;
  --live;
  std::free(memory);
}

}  // namespace

FailingAllocation::FailingAllocation(std::int64_t number) { allocations_left = number; }
FailingAllocation::~FailingAllocation() { allocations_left = never; }
bool FailingAllocation::was_met() const { return allocations_left < 0; }

NoMemoryForOthers::NoMemoryForOthers() {
  the_caller = std::this_thread::get_id();
  others_have_none = true;
}
NoMemoryForOthers::~NoMemoryForOthers() { others_have_none = false; }

std::int64_t live_allocations() { return live; }

}  // namespace warpfold::test

using warpfold::test::allocate;
using warpfold::test::release;

void* operator new(std::size_t bytes) { return allocate(bytes, alignof(std::max_align_t)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }
