#include "run/reject_cuda.hpp"
#include "sequence/gpu/slices.hpp"

/// The stand-in for the GPU backend of sequences in a build without CUDA.
namespace warpfold::sequence::cuda {

Distance by_slices(const Query&, Context&) { reject_cuda(); }
Distance by_slices(const Query&, Context&, unsigned) { reject_cuda(); }

std::size_t device_bytes(const Size&, const Options&) { reject_cuda(); }
std::size_t host_bytes(const Size&, const Options&) { reject_cuda(); }

double seconds(const Size&, const Options&) { reject_cuda(); }

}  // namespace warpfold::sequence::cuda
