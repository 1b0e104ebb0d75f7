#include "tiles/tile_products.hpp"

#include <cstdint>

#include "tiles/semiring_set.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tiles/tile_products.cpp"
#include <hwy/foreach_target.h>  // compiles the rest of this file once for every instruction set

#include "tiles/tile_products-inl.h"

#if HWY_ONCE
namespace warpfold::tiles {

namespace {

HWY_EXPORT(or_and_u8);
HWY_EXPORT(counting_u64);
HWY_EXPORT(counting_f64);
HWY_EXPORT(product_set_i16);
HWY_EXPORT(product_set_i32);
HWY_EXPORT(product_set_i64);
HWY_EXPORT(product_set_f32);
HWY_EXPORT(product_set_f64);

template <class T>
TileProductSet<T> set_of() {
  if constexpr (std::is_same_v<T, std::int16_t>) return HWY_DYNAMIC_DISPATCH(product_set_i16)();
  if constexpr (std::is_same_v<T, std::int32_t>) return HWY_DYNAMIC_DISPATCH(product_set_i32)();
  if constexpr (std::is_same_v<T, std::int64_t>) return HWY_DYNAMIC_DISPATCH(product_set_i64)();
  if constexpr (std::is_same_v<T, float>) return HWY_DYNAMIC_DISPATCH(product_set_f32)();
  if constexpr (std::is_same_v<T, double>) return HWY_DYNAMIC_DISPATCH(product_set_f64)();
}

}  // namespace

template <class Semiring>
TileProducts<typename Semiring::Value> tile_products() {
  using T = typename Semiring::Value;
  if constexpr (std::is_same_v<Semiring, OrAnd>) {
    return HWY_DYNAMIC_DISPATCH(or_and_u8)();
  } else if constexpr (std::is_same_v<Semiring, Counting<std::uint64_t>>) {
    return HWY_DYNAMIC_DISPATCH(counting_u64)();
  } else if constexpr (std::is_same_v<Semiring, Counting<double>>) {
    return HWY_DYNAMIC_DISPATCH(counting_f64)();
  } else {
    return of_semiring<Semiring>(set_of<T>());
  }
}

template TileProducts<std::uint8_t> tile_products<OrAnd>();
template TileProducts<std::uint64_t> tile_products<Counting<std::uint64_t>>();
template TileProducts<double> tile_products<Counting<double>>();
#define WARPFOLD_INSTANTIATE(T)                         \
  template TileProducts<T> tile_products<MinPlus<T>>(); \
  template TileProducts<T> tile_products<MaxPlus<T>>(); \
  template TileProducts<T> tile_products<MinMax<T>>();  \
  template TileProducts<T> tile_products<MaxMin<T>>();
WARPFOLD_INSTANTIATE(std::int16_t)
WARPFOLD_INSTANTIATE(std::int32_t)
WARPFOLD_INSTANTIATE(std::int64_t)
WARPFOLD_INSTANTIATE(float)
WARPFOLD_INSTANTIATE(double)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::tiles
#endif
