#pragma once

#include <cstdint>

/// Memory that runs out where a test says so. allocations.cpp replaces operator new for its program.
namespace warpfold::test {

/// As long as it lives, the allocation of this number, counted from 0 over all threads, raises std::bad_alloc.
class FailingAllocation {
 public:
  explicit FailingAllocation(std::int64_t number);
  ~FailingAllocation();
  FailingAllocation(const FailingAllocation&) = delete;
  FailingAllocation& operator=(const FailingAllocation&) = delete;

  /// Whether there were so many.
  [[nodiscard]] bool was_met() const;
};

/// As long as it lives, every allocation of another thread than its own fails.
class NoMemoryForOthers {
 public:
  NoMemoryForOthers();
  ~NoMemoryForOthers();
  NoMemoryForOthers(const NoMemoryForOthers&) = delete;
  NoMemoryForOthers& operator=(const NoMemoryForOthers&) = delete;
};

/// How many allocations have not been freed.
[[nodiscard]] std::int64_t live_allocations();

}  // namespace warpfold::test
