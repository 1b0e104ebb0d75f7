#include "backends.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::recurrence::cuda {

bool is_available() { return false; }

void blocks(const Problem<std::int32_t>&, int, Watch&, std::span<std::int32_t>) {
  throw Error(ErrorKind::device, "this build has no CUDA: device auto or cpu is accepted");
}

}  // namespace warpfold::recurrence::cuda
