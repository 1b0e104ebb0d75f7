#include "tiles/cpu/tile_products.hpp"

#include <cstdint>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tiles/cpu/tile_products.cpp"
#include <hwy/foreach_target.h>  // compiles the rest of this file once for every instruction set

#include "tiles/cpu/tile_products-inl.h"

#if HWY_ONCE
namespace warpfold::tiles {

namespace {

HWY_EXPORT(product_set_u8);
HWY_EXPORT(product_set_i16);
HWY_EXPORT(product_set_i32);
HWY_EXPORT(product_set_i64);
HWY_EXPORT(product_set_u64);
HWY_EXPORT(product_set_f32);
HWY_EXPORT(product_set_f64);

}  // namespace

template <>
TileProductSet<std::uint8_t> tile_product_set() {
  return HWY_DYNAMIC_DISPATCH(product_set_u8)();
}
template <>
TileProductSet<std::int16_t> tile_product_set() {
  return HWY_DYNAMIC_DISPATCH(product_set_i16)();
}
template <>
TileProductSet<std::int32_t> tile_product_set() {
  return HWY_DYNAMIC_DISPATCH(product_set_i32)();
}
template <>
TileProductSet<std::int64_t> tile_product_set() {
  return HWY_DYNAMIC_DISPATCH(product_set_i64)();
}
template <>
TileProductSet<std::uint64_t> tile_product_set() {
  return HWY_DYNAMIC_DISPATCH(product_set_u64)();
}
template <>
TileProductSet<float> tile_product_set() {
  return HWY_DYNAMIC_DISPATCH(product_set_f32)();
}
template <>
TileProductSet<double> tile_product_set() {
  return HWY_DYNAMIC_DISPATCH(product_set_f64)();
}

}  // namespace warpfold::tiles
#endif
