#include "recurrence/backends.hpp"
#include "warpfold/core/error.hpp"

/// What a build without CUDA has in place of recurrence's GPU backend.
namespace warpfold::recurrence::cuda {

std::size_t blocks(const Problem<std::int32_t>&, const Options&, Watch&, std::span<std::int32_t>) {
  throw Error(ErrorKind::device, "this build has no CUDA: device auto or cpu is accepted");
}

}  // namespace warpfold::recurrence::cuda
