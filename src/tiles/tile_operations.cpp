#include "warpfold/tiles/tile_operations.hpp"

#include "tiles/semiring_set.hpp"
#include "tiles/tile_operation_set.hpp"

namespace warpfold::tiles {

template <class Semiring>
TileOperations<typename Semiring::Value> tile_operations() {
  return of_semiring<Semiring>(tile_operation_set<typename Semiring::Value>());
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

}  // namespace warpfold::tiles
