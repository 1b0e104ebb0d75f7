#include "core/number_types.hpp"
#include "minplus/backends.hpp"
#include "run/reject_cuda.hpp"
#include "warpfold/minplus/cuda.hpp"

/// The stand-in for minplus's GPU backend in a build without CUDA.
namespace warpfold::minplus::cuda {

WARPFOLD_REJECT_CUDA(InPlace accumulate(const AccumulationBatch<T>&, Context&))
WARPFOLD_REJECT_CUDA(std::size_t device_bytes(const AccumulationBatch<T>&, const Options&))
WARPFOLD_REJECT_CUDA(double measure_ceiling(int))

template <class T>
struct Plan<T>::State {};
template <class T>
Plan<T>::~Plan() = default;
template <class T>
Plan<T>::Plan(Plan&&) noexcept = default;
template <class T>
Plan<T>& Plan<T>::operator=(Plan&&) noexcept = default;
WARPFOLD_REJECT_CUDA(Plan<T>::Plan(const Shape&, Semiring, bool))
WARPFOLD_REJECT_CUDA(std::size_t Plan<T>::workspace_bytes(const Shape&, bool))
WARPFOLD_REJECT_CUDA(void Plan<T>::multiply(const T*, const T*, T*, std::uint32_t*, bool, Stream))

#define WARPFOLD_INSTANTIATE(T)                                       \
  template InPlace accumulate(const AccumulationBatch<T>&, Context&); \
  template std::size_t device_bytes(const AccumulationBatch<T>&, const Options&);
WARPFOLD_FOR_EACH_SEMIRING_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE
#define WARPFOLD_INSTANTIATE(T) template double measure_ceiling<T>(int);
WARPFOLD_FOR_EACH_TABLE_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE
#define WARPFOLD_INSTANTIATE(T) template class Plan<T>;
WARPFOLD_FOR_EACH_CHOOSING_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::minplus::cuda
