#include "paths/pivot.hpp"

#include <cstdint>
#include <type_traits>

#include "tiles/semiring_set.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "paths/pivot.cpp"
#include <hwy/foreach_target.h>  // compiles the rest of this file once for every instruction set

#include "paths/pivot-inl.h"

#if HWY_ONCE
namespace warpfold::paths {

namespace {

HWY_EXPORT(pivot_set_i32);
HWY_EXPORT(pivot_set_i64);
HWY_EXPORT(pivot_set_f32);
HWY_EXPORT(pivot_set_f64);

template <class T>
PivotSet<T> set_of() {
  if constexpr (std::is_same_v<T, std::int32_t>) return HWY_DYNAMIC_DISPATCH(pivot_set_i32)();
  if constexpr (std::is_same_v<T, std::int64_t>) return HWY_DYNAMIC_DISPATCH(pivot_set_i64)();
  if constexpr (std::is_same_v<T, float>) return HWY_DYNAMIC_DISPATCH(pivot_set_f32)();
  if constexpr (std::is_same_v<T, double>) return HWY_DYNAMIC_DISPATCH(pivot_set_f64)();
}

}  // namespace

template <class Semiring>
PivotOperations<typename Semiring::Value> pivot_operations() {
  return tiles::of_semiring<Semiring>(set_of<typename Semiring::Value>());
}

#define WARPFOLD_INSTANTIATE(T)                               \
  template PivotOperations<T> pivot_operations<MinPlus<T>>(); \
  template PivotOperations<T> pivot_operations<MaxPlus<T>>(); \
  template PivotOperations<T> pivot_operations<MinMax<T>>();  \
  template PivotOperations<T> pivot_operations<MaxMin<T>>();
WARPFOLD_INSTANTIATE(std::int32_t)
WARPFOLD_INSTANTIATE(std::int64_t)
WARPFOLD_INSTANTIATE(float)
WARPFOLD_INSTANTIATE(double)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::paths
#endif
