#include "warpfold/interval/tile_operations.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "interval/tile_operations.cpp"
#include <hwy/foreach_target.h>  // compiles the rest of this file once for every instruction set

#include "interval/cpu-inl.h"

#if HWY_ONCE
namespace warpfold::interval {

HWY_EXPORT(operation_set_i32);
HWY_EXPORT(operation_set_i64);
HWY_EXPORT(operation_set_f32);
HWY_EXPORT(operation_set_f64);

namespace {

template <class T>
TileOperationSet<T> dispatched_set() {
  if constexpr (std::is_same_v<T, std::int32_t>) return HWY_DYNAMIC_DISPATCH(operation_set_i32)();
  if constexpr (std::is_same_v<T, std::int64_t>) return HWY_DYNAMIC_DISPATCH(operation_set_i64)();
  if constexpr (std::is_same_v<T, float>) return HWY_DYNAMIC_DISPATCH(operation_set_f32)();
  if constexpr (std::is_same_v<T, double>) return HWY_DYNAMIC_DISPATCH(operation_set_f64)();
}

}  // namespace

template <class Semiring>
TileOperations<typename Semiring::Value> tile_operations() {
  using T = typename Semiring::Value;
  const TileOperationSet<T> set = dispatched_set<T>();
  if constexpr (std::is_same_v<Semiring, MaxPlus<T>>) return set.max_plus;
  if constexpr (std::is_same_v<Semiring, MinMax<T>>) return set.min_max;
  if constexpr (std::is_same_v<Semiring, MaxMin<T>>) return set.max_min;
  return set.min_plus;  // MinPlus and ProvenMinPlus
}

#define WARPFOLD_INSTANTIATE(T)                             \
  template TileOperations<T> tile_operations<MinPlus<T>>(); \
  template TileOperations<T> tile_operations<MaxPlus<T>>(); \
  template TileOperations<T> tile_operations<MinMax<T>>();  \
  template TileOperations<T> tile_operations<MaxMin<T>>();  \
  template TileOperations<T> tile_operations<ProvenMinPlus<T>>();
WARPFOLD_INSTANTIATE(std::int32_t)
WARPFOLD_INSTANTIATE(std::int64_t)
WARPFOLD_INSTANTIATE(float)
WARPFOLD_INSTANTIATE(double)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::interval
#endif
