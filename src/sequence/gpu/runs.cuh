#pragma once

#include <cstdint>

#include "sequence/gpu/runs.hpp"

namespace warpfold::sequence::cuda {

/// Writes runs (gpu/runs.hpp). A warp may have the same runs in all threads, of which one writes.
class RunBytes {
 public:
  explicit __device__ RunBytes(std::uint8_t* to) : to_(to) {}

  __device__ __forceinline__ void add(unsigned edit, unsigned steps, bool writes) {
    if (edit != edit_) (void)end(writes);
    edit_ = edit;
    for (length_ += steps; length_ > max_run_steps; length_ -= max_run_steps) put(max_run_steps, writes);
  }
  /// Ends the last run. Returns the bytes so far.
  __device__ __forceinline__ unsigned end(bool writes) {
    if (length_ > 0) put(length_, writes);
    length_ = 0;
    return count_;
  }

 private:
  __device__ __forceinline__ void put(unsigned steps, bool writes) {
    if (writes) to_[count_] = static_cast<std::uint8_t>(edit_ | (steps - 1) << 2);
    ++count_;
  }

  std::uint8_t* const to_;
  unsigned edit_ = 0, length_ = 0, count_ = 0;
};

}  // namespace warpfold::sequence::cuda
