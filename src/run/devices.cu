#include <atomic>

#include "run/cuda.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold {

namespace {

/// The compute capabilities of this build's code: 900 is 9.0.
constexpr int architectures[] = {__CUDA_ARCH_LIST__};

/// Stands for all kernels, which are compiled for the same architectures.
__global__ void any_kernel() {}

std::string capability(int major, int minor) { return std::to_string(major) + "." + std::to_string(minor); }

int device_count() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) count = 0;
  cudaGetLastError();  // clears the failure: a machine without a GPU is no error for a later call
  return count;
}

std::atomic<bool> started = false;

}  // namespace

bool has_cuda() { return true; }

bool is_gpu_started() { return started; }

std::vector<GpuInfo> gpus() {
  std::vector<GpuInfo> found;
  for (int index = 0; index < device_count(); ++index) {
    cudaDeviceProp device;
    if (cudaGetDeviceProperties(&device, index) != cudaSuccess) {
      cudaGetLastError();
      continue;
    }
    found.push_back({index, device.name, capability(device.major, device.minor), device.multiProcessorCount,
                     device.totalGlobalMem});
  }
  return found;
}

Device find_gpus(const Device& device) {
  Device found = device;
  if (device.all) {
    found = {device.kind};
    for (int index = 1; index < device_count(); ++index) found.more.push_back(index);
  }
  static_cast<void>(cuda::DeviceScope(found.index));
  for (const int index : found.more) static_cast<void>(cuda::DeviceScope(index));
  return found;
}

namespace cuda {

namespace {

void check_exists(int index) {
  const int count = device_count();
  if (index >= 0 && index < count) return;
  throw Error(ErrorKind::device, "there is no GPU cuda:" + std::to_string(index) + " (" + std::to_string(count) +
                                     " found): device auto or cpu is accepted");
}

/// Raises Error{device} if the build has no code for the current device.
void check_code(int index) {
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
  throw Error(ErrorKind::device, "GPU cuda:" + std::to_string(index) + " has compute capability " +
                                     capability(major, minor) + ": " + accepted + " or device cpu is accepted");
}

}  // namespace

DeviceScope::DeviceScope() {
  if (cudaGetDevice(&callers_) == cudaSuccess) return;
  cudaGetLastError();
  callers_ = -1;
}

/// Remembers the caller's device before anything can fail. After a delegated constructor has succeeded, the destructor
/// runs even if this one raises.
DeviceScope::DeviceScope(int index) : DeviceScope() {
  check_exists(index);
  if (index != callers_) check(cudaSetDevice(index), "be used");
  check_code(index);
  started = true;
}

DeviceScope::~DeviceScope() {
  int now = -1;
  if (callers_ >= 0 && cudaGetDevice(&now) == cudaSuccess && now != callers_) cudaSetDevice(callers_);
}

void link(std::span<const int> devices) {
  for (const int device : devices) {
    const DeviceScope scope(device);
    for (const int other : devices) {
      if (other == device) continue;
      int atomics = 0;
      check(cudaDeviceGetP2PAttribute(&atomics, cudaDevP2PAttrNativeAtomicSupported, device, other), "tell its links");
      if (atomics == 0) {
        throw Error(ErrorKind::device, "there is no NVLink between the GPUs cuda:" + std::to_string(device) +
                                           " and cuda:" + std::to_string(other) +
                                           ", which one problem on several takes: device cuda:N is accepted");
      }
      const cudaError_t status = cudaDeviceEnablePeerAccess(other, 0);
      if (status != cudaErrorPeerAccessAlreadyEnabled) check(status, "use another's memory");
      cudaGetLastError();
    }
  }
}

int DeviceScope::current() {
  int index = 0;
  check(cudaGetDevice(&index), "name the current device");
  return index;
}

}  // namespace cuda
}  // namespace warpfold
