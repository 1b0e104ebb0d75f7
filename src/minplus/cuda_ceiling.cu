#include "core/number_types.hpp"
#include "minplus/ceiling.cuh"
#include "warpfold/minplus/cuda.hpp"

namespace warpfold::minplus::cuda {

template <class T>
double measure_ceiling(int index) {
  const warpfold::cuda::DeviceScope scope(index);
  return device::ceiling_per_second<device::Arithmetic<MinPlus<T>>>();
}

#define WARPFOLD_INSTANTIATE(T) template double measure_ceiling<T>(int);
WARPFOLD_FOR_EACH_TABLE_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::minplus::cuda
