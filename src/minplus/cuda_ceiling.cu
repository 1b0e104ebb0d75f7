#include "minplus/ceiling.cuh"
#include "warpfold/minplus/cuda.hpp"

namespace warpfold::minplus::cuda {

template <class T>
double measure_ceiling(int index) {
  const warpfold::cuda::DeviceScope scope(index);
  return device::ceiling_per_second<device::Arithmetic<MinPlus<T>>>();
}

template double measure_ceiling<std::int32_t>(int);
template double measure_ceiling<std::int64_t>(int);
template double measure_ceiling<float>(int);
template double measure_ceiling<double>(int);

}  // namespace warpfold::minplus::cuda
