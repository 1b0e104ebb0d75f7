#pragma once

#include "sequence/gpu/layout.hpp"

/// How the warps of a GPU share the strips of a table, for kernels whose blocks all run at the same time.
namespace warpfold::sequence::cuda {

inline constexpr unsigned schedulers = 4;  ///< of a multiprocessor

/// Each warp takes one strip after another. The first strips are spread: neighbors run at the same time, so they get
/// different schedulers. The others are taken in order. A strip waits only for strips that were taken before.
template <class Sweep>
__device__ void take_strips(unsigned strips, unsigned* ticket, const Sweep& sweep) {
  const unsigned number = threadIdx.x / warp, taken = gridDim.x * (blockDim.x / warp);
  const unsigned first = (number / schedulers * gridDim.x + blockIdx.x) * schedulers + number % schedulers;
  for (unsigned strip = first; strip < strips;) {
    sweep(strip);
    if (threadIdx.x % warp == 0) strip = taken + atomicAdd(ticket, 1);
    strip = __shfl_sync(~0U, strip, 0);
  }
}

}  // namespace warpfold::sequence::cuda
