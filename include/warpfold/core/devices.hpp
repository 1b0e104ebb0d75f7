#pragma once

#include <cstddef>
#include <string>
#include <vector>

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

}  // namespace warpfold
