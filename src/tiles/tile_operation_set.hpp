#pragma once

#include "warpfold/tiles/tile_operations.hpp"

namespace warpfold::tiles {

/// Those of one type for the processor's best instruction set, or for the forced one: int32_t, int64_t, float, double.
/// Each type has a file of its own, tile_operations_<type>.cpp, so that they compile side by side.
template <class T>
[[nodiscard]] TileOperationSet<T> tile_operation_set();

}  // namespace warpfold::tiles
