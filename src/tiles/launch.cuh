#pragma once

#include <algorithm>

#include "tiles/fill.cuh"

/// How the solver's kernels are started from the host.
namespace warpfold::tiles::device {

/// Starts one block for every place on the device, or one a task where those are fewer. `Depth`: terms of a chunk.
template <class Rules, int Depth = by_capability>
void launch(const Solve<Rules>& solve, std::size_t tasks, cudaStream_t stream) {
  using Value = typename Rules::Value;
  const auto kernel = fill_tables<Rules, Depth>;
  const int depth = depth_of_kernel<Value, Depth>(kernel);
  const auto shared_bytes = static_cast<std::size_t>(Layout<Value>::shared_bytes(depth));
  const auto blocks =
      static_cast<unsigned>(std::min(tasks, warpfold::cuda::resident_blocks(kernel, block_threads, shared_bytes)));
  kernel<<<blocks, block_threads, shared_bytes, stream>>>(solve);
  warpfold::cuda::check_launch("start the solver");
}

}  // namespace warpfold::tiles::device
