#include "backends.hpp"
#include "recurrence/paper_kernels.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::recurrence::cuda {

bool is_available() { return false; }

std::size_t blocks(const Problem<std::int32_t>&, const Options&, Watch&, std::span<std::int32_t>) {
  throw Error(ErrorKind::device, "this build has no CUDA: device auto or cpu is accepted");
}

}  // namespace warpfold::recurrence::cuda

namespace warpfold::recurrence::paper {

Run solve(const Problem<std::int32_t>&, const Schedule&, int, Watch&, std::span<std::int32_t>) {
  throw Error(ErrorKind::device, "this build has no CUDA: device auto or cpu is accepted");
}

}  // namespace warpfold::recurrence::paper
