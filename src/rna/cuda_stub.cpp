#include "rna/backends.hpp"
#include "run/reject_cuda.hpp"

/// The stand-in for the GPU backend of foldings in a build without CUDA.
namespace warpfold::rna::cuda {

Folding fold(const FoldProblem&, Context&) { reject_cuda(); }

std::size_t device_bytes(const FoldProblem&, const Options&) { reject_cuda(); }

std::size_t host_bytes(const FoldProblem&, const Options&) { reject_cuda(); }

}  // namespace warpfold::rna::cuda
