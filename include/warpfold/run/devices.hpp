#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "warpfold/run/run.hpp"

namespace warpfold {

/// A GPU of this machine.
struct GpuInfo {
  int index = 0;  ///< the N of "cuda:N"
  std::string name;
  std::string compute_capability;  ///< for example "9.0"
  int multiprocessors = 0;
  std::size_t memory_bytes = 0;
};

/// Whether this build has CUDA backends.
[[nodiscard]] bool has_cuda();

/// Lists the GPUs. Empty in a build without CUDA, and on a machine without a driver or a GPU.
[[nodiscard]] std::vector<GpuInfo> gpus();

/// Whether this process has used a GPU through this library.
[[nodiscard]] bool is_gpu_started();

/// Frees the memory that solves on GPUs keep for later solves, to save allocations: at most 1 GiB of each GPU's memory
/// and 64 MiB of pinned host memory.
///
/// A solve that is short of memory does this by itself. Call it if others need the memory, and before cudaDeviceReset.
/// Safe at any time and from any thread.
void release_memory();

/// Resolves the GPUs of a device: `all` becomes the list of their numbers. Raises Error{device} if a GPU does not
/// exist, or if this build has no code for it.
[[nodiscard]] Device find_gpus(const Device& device);

/// Raises Error{memory_limit} that names both sizes if `bytes` exceeds options.max_device_memory or the free memory of
/// GPU `gpu`. Raises Error{device} if that GPU does not exist.
void check_device_memory(const Options& options, std::size_t bytes, int gpu);

}  // namespace warpfold
