#include <cuda_runtime.h>

#include "warpfold/core/devices.hpp"

namespace warpfold {

bool has_cuda() { return true; }

std::vector<GpuInfo> gpus() {
  std::vector<GpuInfo> found;
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) count = 0;
  cudaGetLastError();  // a machine without a GPU is no failure that a later call should find
  for (int index = 0; index < count; ++index) {
    cudaDeviceProp device;
    if (cudaGetDeviceProperties(&device, index) != cudaSuccess) continue;
    found.push_back({index, device.name, std::to_string(device.major) + "." + std::to_string(device.minor),
                     device.multiProcessorCount, device.totalGlobalMem});
  }
  return found;
}

}  // namespace warpfold
