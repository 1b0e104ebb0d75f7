#include "interval/sparse/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "interval/sparse/simd_dispatch.cpp"
#include <hwy/foreach_target.h>

#include "interval/sparse/kernels-inl.h"

HWY_BEFORE_NAMESPACE();
namespace warpfold::interval::sparse::HWY_NAMESPACE {

Kernels<std::int32_t> kernels_i32() { return {accumulate<std::int32_t>, close<std::int32_t>}; }
Kernels<std::int64_t> kernels_i64() { return {accumulate<std::int64_t>, close<std::int64_t>}; }
Kernels<float> kernels_f32() { return {accumulate<float>, close<float>}; }
Kernels<double> kernels_f64() { return {accumulate<double>, close<double>}; }

}  // namespace warpfold::interval::sparse::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpfold::interval::sparse {

HWY_EXPORT(kernels_i32);
HWY_EXPORT(kernels_i64);
HWY_EXPORT(kernels_f32);
HWY_EXPORT(kernels_f64);

template <>
Kernels<std::int32_t> kernels() {
  return HWY_DYNAMIC_DISPATCH(kernels_i32)();
}

template <>
Kernels<std::int64_t> kernels() {
  return HWY_DYNAMIC_DISPATCH(kernels_i64)();
}

template <>
Kernels<float> kernels() {
  return HWY_DYNAMIC_DISPATCH(kernels_f32)();
}

template <>
Kernels<double> kernels() {
  return HWY_DYNAMIC_DISPATCH(kernels_f64)();
}

}  // namespace warpfold::interval::sparse
#endif
