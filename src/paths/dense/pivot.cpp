#include "paths/dense/pivot.hpp"

#include <cstdint>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "paths/dense/pivot.cpp"
#include <hwy/foreach_target.h>  // compiles the rest of this file once for every instruction set

#include "paths/dense/pivot-inl.h"

#if HWY_ONCE
namespace warpfold::paths {

namespace {

HWY_EXPORT(pivot_set_i32);
HWY_EXPORT(pivot_set_i64);
HWY_EXPORT(pivot_set_f32);
HWY_EXPORT(pivot_set_f64);

}  // namespace

template <>
PivotSet<std::int32_t> pivot_set() {
  return HWY_DYNAMIC_DISPATCH(pivot_set_i32)();
}
template <>
PivotSet<std::int64_t> pivot_set() {
  return HWY_DYNAMIC_DISPATCH(pivot_set_i64)();
}
template <>
PivotSet<float> pivot_set() {
  return HWY_DYNAMIC_DISPATCH(pivot_set_f32)();
}
template <>
PivotSet<double> pivot_set() {
  return HWY_DYNAMIC_DISPATCH(pivot_set_f64)();
}

}  // namespace warpfold::paths
#endif
