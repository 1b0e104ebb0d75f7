#include "warpfold/tiles/tile_operations.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tiles/cpu/tile_operations_f64.cpp"
#include <hwy/foreach_target.h>  // compiles the rest of this file once for every instruction set

#include "tiles/cpu/tile_operations-inl.h"

HWY_BEFORE_NAMESPACE();
namespace warpfold::tiles::HWY_NAMESPACE {

TileOperationSet<double> operation_set_f64() { return operation_set<double>(); }

}  // namespace warpfold::tiles::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpfold::tiles {

HWY_EXPORT(operation_set_f64);

template <>
TileOperationSet<double> tile_operation_set() {
  return HWY_DYNAMIC_DISPATCH(operation_set_f64)();
}

}  // namespace warpfold::tiles
#endif
