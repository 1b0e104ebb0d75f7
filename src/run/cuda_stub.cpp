#include "run/reject_cuda.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/run/devices.hpp"

namespace warpfold {

bool has_cuda() { return false; }

std::vector<GpuInfo> gpus() { return {}; }

bool is_gpu_started() { return false; }

void release_memory() {}

void reject_cuda() { throw Error(ErrorKind::device, "CUDA is not compiled: device auto or cpu is accepted"); }

Device find_gpus(const Device&) { reject_cuda(); }

void check_device_memory(const Options&, std::size_t, int) { reject_cuda(); }

}  // namespace warpfold
