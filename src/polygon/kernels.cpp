#include "polygon/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "polygon/kernels.cpp"
#include <hwy/foreach_target.h>

#include "polygon/cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace warpfold::polygon::HWY_NAMESPACE {

cpu::Kernels<std::int32_t> kernels_i32() { return {accumulate<std::int32_t>, close<std::int32_t>}; }
cpu::Kernels<std::int64_t> kernels_i64() { return {accumulate<std::int64_t>, close<std::int64_t>}; }
cpu::Kernels<float> kernels_f32() { return {accumulate<float>, close<float>}; }
cpu::Kernels<double> kernels_f64() { return {accumulate<double>, close<double>}; }

}  // namespace warpfold::polygon::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpfold::polygon {

HWY_EXPORT(kernels_i32);
HWY_EXPORT(kernels_i64);
HWY_EXPORT(kernels_f32);
HWY_EXPORT(kernels_f64);

template <>
cpu::Kernels<std::int32_t> cpu::kernels() {
  return HWY_DYNAMIC_DISPATCH(kernels_i32)();
}

template <>
cpu::Kernels<std::int64_t> cpu::kernels() {
  return HWY_DYNAMIC_DISPATCH(kernels_i64)();
}

template <>
cpu::Kernels<float> cpu::kernels() {
  return HWY_DYNAMIC_DISPATCH(kernels_f32)();
}

template <>
cpu::Kernels<double> cpu::kernels() {
  return HWY_DYNAMIC_DISPATCH(kernels_f64)();
}

}  // namespace warpfold::polygon
#endif
