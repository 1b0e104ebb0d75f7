#pragma once

#include <cstddef>

namespace warpfold::bench {

/// A thread's part of a block's checksum: mixes the bits and positions of the values. `first` is the position of the
/// first value. Results with equal bits have equal sums.
__device__ inline unsigned long long mixed_bits(const float* values, std::size_t first, std::size_t count) {
  unsigned long long sum = 0;
  for (std::size_t at = threadIdx.x; at < count; at += blockDim.x) {
    sum += (__float_as_uint(values[at]) + 0x9e3779b97f4a7c15ULL) * (2 * (first + at) + 1);
  }
  return sum;
}

}  // namespace warpfold::bench
