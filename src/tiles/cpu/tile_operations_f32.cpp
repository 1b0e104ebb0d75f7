#include "warpfold/tiles/tile_operations.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tiles/cpu/tile_operations_f32.cpp"
#include <hwy/foreach_target.h>  // compiles the rest of this file once for every instruction set

#include "tiles/cpu/tile_operations-inl.h"

HWY_BEFORE_NAMESPACE();
namespace warpfold::tiles::HWY_NAMESPACE {

TileOperationSet<float> operation_set_f32() { return operation_set<float>(); }

}  // namespace warpfold::tiles::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpfold::tiles {

HWY_EXPORT(operation_set_f32);

template <>
TileOperationSet<float> tile_operation_set() {
  return HWY_DYNAMIC_DISPATCH(operation_set_f32)();
}

}  // namespace warpfold::tiles
#endif
