#include "warpfold/tiles/tile_operations.hpp"

#include "tiles/tile_operation_set.hpp"

namespace warpfold::tiles {

template <class Semiring>
TileOperations<typename Semiring::Value> tile_operations() {
  using T = typename Semiring::Value;
  const TileOperationSet<T> set = tile_operation_set<T>();
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

}  // namespace warpfold::tiles
