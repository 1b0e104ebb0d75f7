#include "knapsack/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "knapsack/simd_dispatch.cpp"
#include <hwy/foreach_target.h>

#include "knapsack/cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace warpfold::knapsack::HWY_NAMESPACE {

cpu::Kernels<std::int32_t> kernels_i32() {
  return {raise_down<std::int32_t>, raise_down_marked<std::int32_t>, raise_up<std::int32_t>};
}

cpu::Kernels<std::int64_t> kernels_i64() {
  return {raise_down<std::int64_t>, raise_down_marked<std::int64_t>, raise_up<std::int64_t>};
}

cpu::OrShifted or_shifted_words() { return or_shifted; }

}  // namespace warpfold::knapsack::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpfold::knapsack {

HWY_EXPORT(kernels_i32);
HWY_EXPORT(kernels_i64);
HWY_EXPORT(or_shifted_words);

template <>
cpu::Kernels<std::int32_t> cpu::kernels() {
  return HWY_DYNAMIC_DISPATCH(kernels_i32)();
}

template <>
cpu::Kernels<std::int64_t> cpu::kernels() {
  return HWY_DYNAMIC_DISPATCH(kernels_i64)();
}

cpu::OrShifted cpu::or_shifted() { return HWY_DYNAMIC_DISPATCH(or_shifted_words)(); }

}  // namespace warpfold::knapsack
#endif
