#include "sequence/warp/strips/kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sequence/warp/strips/simd_dispatch.cpp"
#include <hwy/foreach_target.h>  // compiles the rest of this file once for every instruction set

#include "sequence/warp/strips/kernel-inl.h"

#if HWY_ONCE
namespace warpfold::sequence::warp::strips {

HWY_EXPORT(kernel_of_f32);
HWY_EXPORT(kernel_of_f64);
HWY_EXPORT(lanes_of_f32);
HWY_EXPORT(lanes_of_f64);
HWY_EXPORT(ceiling_of_f32);
HWY_EXPORT(ceiling_of_f64);

template <>
Advance<float> kernel<float>(bool is_squared, bool is_one_dimensional, bool is_banded) {
  return HWY_DYNAMIC_DISPATCH(kernel_of_f32)(is_squared, is_one_dimensional, is_banded);
}
template <>
Advance<double> kernel<double>(bool is_squared, bool is_one_dimensional, bool is_banded) {
  return HWY_DYNAMIC_DISPATCH(kernel_of_f64)(is_squared, is_one_dimensional, is_banded);
}

template <>
std::size_t lanes<float>() {
  return HWY_DYNAMIC_DISPATCH(lanes_of_f32)();
}
template <>
std::size_t lanes<double>() {
  return HWY_DYNAMIC_DISPATCH(lanes_of_f64)();
}

template <>
CeilingLoop run_ceiling_loop<float>(std::size_t rounds) {
  return HWY_DYNAMIC_DISPATCH(ceiling_of_f32)(rounds);
}
template <>
CeilingLoop run_ceiling_loop<double>(std::size_t rounds) {
  return HWY_DYNAMIC_DISPATCH(ceiling_of_f64)(rounds);
}

}  // namespace warpfold::sequence::warp::strips
#endif
