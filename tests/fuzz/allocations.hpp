#pragma once

#include <cstdint>

/// Memory that runs out where a harness says so. allocations.cpp replaces operator new for its program.
namespace warpfold::fuzz {

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

/// How many allocations have not been freed.
[[nodiscard]] std::int64_t live_allocations();

}  // namespace warpfold::fuzz
