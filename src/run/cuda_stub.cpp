#include "warpfold/core/error.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold {

bool has_cuda() { return false; }

std::vector<GpuInfo> gpus() { return {}; }

void release_memory() {}

void check_gpu(const Options&) {
  throw Error(ErrorKind::device, "CUDA is not compiled: --device auto or cpu is accepted");
}

void check_device_memory(const Options& options, std::size_t) { check_gpu(options); }

}  // namespace warpfold
