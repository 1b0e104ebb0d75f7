#include "paths/backends.hpp"
#include "run/reject_cuda.hpp"

/// The stand-in for the GPU backend of paths in a build without CUDA.
namespace warpfold::paths::cuda {

template <class T>
AllPairs<T> all_pairs(const Graph<T>&, Context&) {
  reject_cuda();
}

template <class T>
std::size_t bytes_needed(const Graph<T>&, const Options&) {
  reject_cuda();
}

template <class T>
std::size_t device_bytes(const Graph<T>&, const Options&) {
  reject_cuda();
}

#define WARPFOLD_INSTANTIATE(T)                                       \
  template AllPairs<T> all_pairs(const Graph<T>&, Context&);          \
  template std::size_t bytes_needed(const Graph<T>&, const Options&); \
  template std::size_t device_bytes(const Graph<T>&, const Options&);
WARPFOLD_INSTANTIATE(std::uint8_t)
WARPFOLD_INSTANTIATE(std::int32_t)
WARPFOLD_INSTANTIATE(std::int64_t)
WARPFOLD_INSTANTIATE(float)
WARPFOLD_INSTANTIATE(double)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::paths::cuda
