#include "core/cuda.hpp"
#include "warpfold/core/devices.hpp"

namespace warpfold {

namespace {

/// Of this build's code: 900 is 9.0.
constexpr int architectures[] = {__CUDA_ARCH_LIST__};

/// Stands for all kernels: they are compiled for the same architectures.
__global__ void any_kernel() {}

std::string capability(int major, int minor) { return std::to_string(major) + "." + std::to_string(minor); }

int device_count() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) count = 0;
  cudaGetLastError();  // a machine without a GPU is no failure that a later call should find
  return count;
}

}  // namespace

bool has_cuda() { return true; }

std::vector<GpuInfo> gpus() {
  std::vector<GpuInfo> found;
  for (int index = 0; index < device_count(); ++index) {
    cudaDeviceProp device;
    if (cudaGetDeviceProperties(&device, index) != cudaSuccess) continue;
    found.push_back({index, device.name, capability(device.major, device.minor), device.multiProcessorCount,
                     device.totalGlobalMem});
  }
  return found;
}

namespace cuda {

void use_device(int index) {
  const int count = device_count();
  const std::string name = "cuda:" + std::to_string(index);
  if (index < 0 || index >= count) {
    throw Error(ErrorKind::device,
                "there is no GPU " + name + " (" + std::to_string(count) + " found): --device auto or cpu is accepted");
  }
  check(cudaSetDevice(index), "be used");
  cudaFuncAttributes attributes;
  const cudaError_t status = cudaFuncGetAttributes(&attributes, any_kernel);
  if (status != cudaErrorNoKernelImageForDevice) return check(status, "be used");
  cudaGetLastError();
  int major = 0, minor = 0;
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, index), "tell its compute capability");
  check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, index), "tell its compute capability");
  std::string accepted;
  for (const int built : architectures) {
    accepted += (accepted.empty() ? "" : ", ") + capability(built / 100, built / 10 % 10);
  }
  throw Error(ErrorKind::device, "GPU " + name + " has compute capability " + capability(major, minor) + ": " +
                                     accepted + " or --device cpu is accepted");
}

}  // namespace cuda
}  // namespace warpfold
