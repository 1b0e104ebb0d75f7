#include "minplus/backends.hpp"
#include "run/reject_cuda.hpp"
#include "warpfold/minplus/cuda.hpp"

/// The stand-in for minplus's GPU backend in a build without CUDA.
namespace warpfold::minplus::cuda {

template <class T>
InPlace accumulate(const AccumulationBatch<T>&, Context&) {
  reject_cuda();
}

template <class T>
std::size_t device_bytes(const AccumulationBatch<T>&, const Options&) {
  reject_cuda();
}

template <class T>
struct Plan<T>::State {};
template <class T>
Plan<T>::Plan(const Shape&, Semiring, bool) {
  reject_cuda();
}
template <class T>
Plan<T>::~Plan() = default;
template <class T>
Plan<T>::Plan(Plan&&) noexcept = default;
template <class T>
Plan<T>& Plan<T>::operator=(Plan&&) noexcept = default;
template <class T>
std::size_t Plan<T>::workspace_bytes(const Shape&, bool) {
  reject_cuda();
}
template <class T>
void Plan<T>::multiply(const T*, const T*, T*, std::uint32_t*, bool, Stream) {
  reject_cuda();
}

template <class T>
double measure_ceiling(int) {
  reject_cuda();
}
template double measure_ceiling<std::int32_t>(int);
template double measure_ceiling<std::int64_t>(int);
template double measure_ceiling<float>(int);
template double measure_ceiling<double>(int);

template InPlace accumulate(const AccumulationBatch<std::uint64_t>&, Context&);
template std::size_t device_bytes(const AccumulationBatch<std::uint64_t>&, const Options&);

#define WARPFOLD_INSTANTIATE(T)                                       \
  template class Plan<T>;                                             \
  template InPlace accumulate(const AccumulationBatch<T>&, Context&); \
  template std::size_t device_bytes(const AccumulationBatch<T>&, const Options&);
WARPFOLD_INSTANTIATE(std::uint8_t)
WARPFOLD_INSTANTIATE(std::int16_t)
WARPFOLD_INSTANTIATE(std::int32_t)
WARPFOLD_INSTANTIATE(std::int64_t)
WARPFOLD_INSTANTIATE(float)
WARPFOLD_INSTANTIATE(double)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::minplus::cuda
