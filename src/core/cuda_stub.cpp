#include "warpfold/core/devices.hpp"

namespace warpfold {

bool has_cuda() { return false; }

std::vector<GpuInfo> gpus() { return {}; }

}  // namespace warpfold
