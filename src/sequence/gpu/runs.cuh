#pragma once

#include <cstdint>

#include "sequence/gpu/runs.hpp"

namespace warpfold::sequence::cuda {

/// Writes runs (gpu/runs.hpp). A warp may have the same runs in all threads, of which one writes.
class RunBytes {
 public:
  explicit __device__ RunBytes(std::uint8_t* to) : to_(to) {}

  __device__ __forceinline__ void add(unsigned edit, bool writes) {
    if (edit != edit_ || length_ == max_run_steps) (void)end(writes);
    edit_ = edit, ++length_;
  }
  /// Ends the last run. Returns the bytes so far.
  __device__ __forceinline__ unsigned end(bool writes) {
    if (length_ == 0) return count_;
    if (writes) to_[count_] = static_cast<std::uint8_t>(edit_ | (length_ - 1) << 2);
    length_ = 0;
    return ++count_;
  }

 private:
  std::uint8_t* const to_;
  unsigned edit_ = 0, length_ = 0, count_ = 0;
};

}  // namespace warpfold::sequence::cuda
