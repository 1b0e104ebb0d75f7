#include "core/number_types.hpp"
#include "paths/backends.hpp"
#include "run/reject_cuda.hpp"

/// The stand-in for the GPU backend of paths in a build without CUDA.
namespace warpfold::paths::cuda {

WARPFOLD_REJECT_CUDA(AllPairs<T> all_pairs(const Graph<T>&, Context&))
WARPFOLD_REJECT_CUDA(std::size_t bytes_needed(const Graph<T>&, const Options&))
WARPFOLD_REJECT_CUDA(std::size_t device_bytes(const Graph<T>&, const Options&))

#define WARPFOLD_INSTANTIATE(T)                                       \
  template AllPairs<T> all_pairs(const Graph<T>&, Context&);          \
  template std::size_t bytes_needed(const Graph<T>&, const Options&); \
  template std::size_t device_bytes(const Graph<T>&, const Options&);
WARPFOLD_FOR_EACH_PATH_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::paths::cuda
