#include "interval/tile_operations.hpp"

#include <cstdint>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "interval/tile_operations.cpp"
#include <hwy/foreach_target.h>  // compiles the rest of this file once for every instruction set

#include "interval/cpu-inl.h"

#if HWY_ONCE
namespace warpfold::interval {

HWY_EXPORT(tile_operations_i32);
HWY_EXPORT(tile_operations_i64);
HWY_EXPORT(tile_operations_f32);
HWY_EXPORT(tile_operations_f64);

template <>
TileOperations<std::int32_t> tile_operations() {
  return HWY_DYNAMIC_DISPATCH(tile_operations_i32)();
}
template <>
TileOperations<std::int64_t> tile_operations() {
  return HWY_DYNAMIC_DISPATCH(tile_operations_i64)();
}
template <>
TileOperations<float> tile_operations() {
  return HWY_DYNAMIC_DISPATCH(tile_operations_f32)();
}
template <>
TileOperations<double> tile_operations() {
  return HWY_DYNAMIC_DISPATCH(tile_operations_f64)();
}

}  // namespace warpfold::interval
#endif
