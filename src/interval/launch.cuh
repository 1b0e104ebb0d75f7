#pragma once

#include <algorithm>

#include "run/cuda.hpp"
#include "interval/fill.cuh"

/// How the solver's kernels are started from the host.
namespace warpfold::interval::device {

/// How many blocks of a kernel the current device holds at once.
template <class Kernel>
std::size_t places(Kernel kernel, int threads, std::size_t shared_bytes) {
  using warpfold::cuda::check;
  int ordinal = 0, processors = 0, resident = 0;
  check(cudaGetDevice(&ordinal), "name the current device");
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, ordinal), "count its multiprocessors");
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes)),
        "reserve shared memory");
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, shared_bytes), "place a kernel");
  return static_cast<std::size_t>(processors) * static_cast<std::size_t>(resident);
}

/// Starts one block for every place on the device, or one a task where those are fewer.
template <class Rules>
void launch(const Solve<Rules>& solve, std::size_t tasks, cudaStream_t stream) {
  constexpr std::size_t shared_bytes = Layout<typename Rules::Value>::shared_bytes;
  const auto kernel = fill_tables<Rules>;
  const auto blocks = static_cast<unsigned>(std::min(tasks, places(kernel, block_threads, shared_bytes)));
  kernel<<<blocks, block_threads, shared_bytes, stream>>>(solve);
  warpfold::cuda::check_launch("start the solver");
}

}  // namespace warpfold::interval::device
