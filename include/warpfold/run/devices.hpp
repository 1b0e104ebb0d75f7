#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "warpfold/run/run.hpp"

namespace warpfold {

/// A GPU that this process may use.
struct GpuInfo {
  int index = 0;  ///< the N of "cuda:N"
  std::string name;
  std::string compute_capability;  ///< "9.0"
  int multiprocessors = 0;
  std::size_t memory_bytes = 0;
};

/// Whether this build has CUDA backends at all.
[[nodiscard]] bool has_cuda();

/// The GPUs there are; none in a build without CUDA, or on a machine without a driver or GPU.
[[nodiscard]] std::vector<GpuInfo> gpus();

/// Gives back what solves on GPUs keep for the next ones, which saves them the time of allocating: at most 1 GiB of
/// each GPU's memory and 64 MiB of pinned memory of the host. A solve for which memory is short does so by itself; call
/// it where others need the memory, and before cudaDeviceReset. Safe at any time, from any thread.
void release_memory();

/// The same with the GPUs that it means, `all` of them by their numbers. Raises Error{device} where one is not there,
/// or is one that this build has no code for.
[[nodiscard]] Device find_gpus(const Device& device);

/// Raises Error{memory_limit} that names both sizes when `bytes` is more than options.max_device_memory, or than the
/// GPU has free; Error{device} where there is no such GPU.
void check_device_memory(const Options& options, std::size_t bytes, int gpu);

}  // namespace warpfold
