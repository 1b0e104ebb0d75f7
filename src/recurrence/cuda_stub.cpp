#include "recurrence/backends.hpp"
#include "run/reject_cuda.hpp"

/// The stand-in for the GPU backend of recurrences in a build without CUDA.
namespace warpfold::recurrence::cuda {

void blocks(const Problem<std::int32_t>&, Context&, SolveMonitor&, std::span<std::int32_t>) { reject_cuda(); }

std::size_t device_bytes(const Problem<std::int32_t>&, const Options&) { reject_cuda(); }

}  // namespace warpfold::recurrence::cuda
