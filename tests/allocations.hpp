#pragma once

#include <cstdint>

/// Allocations that fail where a test wants it. allocations.cpp replaces operator new in its program.
namespace warpfold::test {

/// While it exists, the allocation of this number, counted from 0 over all threads, raises std::bad_alloc.
class FailingAllocation {
 public:
  explicit FailingAllocation(std::int64_t number);
  ~FailingAllocation();
  FailingAllocation(const FailingAllocation&) = delete;
  FailingAllocation& operator=(const FailingAllocation&) = delete;

  /// Whether that allocation happened.
  [[nodiscard]] bool was_met() const;
};

/// While it exists, every allocation of other threads fails.
class NoMemoryForOthers {
 public:
  NoMemoryForOthers();
  ~NoMemoryForOthers();
  NoMemoryForOthers(const NoMemoryForOthers&) = delete;
  NoMemoryForOthers& operator=(const NoMemoryForOthers&) = delete;
};

/// The number of allocations that have not been freed.
[[nodiscard]] std::int64_t live_allocations();

}  // namespace warpfold::test
