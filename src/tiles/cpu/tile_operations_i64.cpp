#include "warpfold/tiles/tile_operations.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tiles/cpu/tile_operations_i64.cpp"
#include <hwy/foreach_target.h>  // compiles the rest of this file once for every instruction set

#include "tiles/cpu/tile_operations-inl.h"

HWY_BEFORE_NAMESPACE();
namespace warpfold::tiles::HWY_NAMESPACE {

TileOperationSet<std::int64_t> operation_set_i64() { return operation_set<std::int64_t>(); }

}  // namespace warpfold::tiles::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpfold::tiles {

HWY_EXPORT(operation_set_i64);

template <>
TileOperationSet<std::int64_t> tile_operation_set() {
  return HWY_DYNAMIC_DISPATCH(operation_set_i64)();
}

}  // namespace warpfold::tiles
#endif
