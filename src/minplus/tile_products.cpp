#include "minplus/tile_products.hpp"

#include <cstdint>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "minplus/tile_products.cpp"
#include <hwy/foreach_target.h>  // compiles the rest of this file once for every instruction set

#include "minplus/cpu-inl.h"

#if HWY_ONCE
namespace warpfold::minplus {

HWY_EXPORT(tile_products_u8);
HWY_EXPORT(tile_products_i16);
HWY_EXPORT(tile_products_i32);
HWY_EXPORT(tile_products_i64);
HWY_EXPORT(tile_products_u64);
HWY_EXPORT(tile_products_f32);
HWY_EXPORT(tile_products_f64);

template <>
TileProducts<std::uint8_t> tile_products(Semiring::Kind kind) {
  return HWY_DYNAMIC_DISPATCH(tile_products_u8)(kind);
}
template <>
TileProducts<std::int16_t> tile_products(Semiring::Kind kind) {
  return HWY_DYNAMIC_DISPATCH(tile_products_i16)(kind);
}
template <>
TileProducts<std::int32_t> tile_products(Semiring::Kind kind) {
  return HWY_DYNAMIC_DISPATCH(tile_products_i32)(kind);
}
template <>
TileProducts<std::int64_t> tile_products(Semiring::Kind kind) {
  return HWY_DYNAMIC_DISPATCH(tile_products_i64)(kind);
}
template <>
TileProducts<std::uint64_t> tile_products(Semiring::Kind kind) {
  return HWY_DYNAMIC_DISPATCH(tile_products_u64)(kind);
}
template <>
TileProducts<float> tile_products(Semiring::Kind kind) {
  return HWY_DYNAMIC_DISPATCH(tile_products_f32)(kind);
}
template <>
TileProducts<double> tile_products(Semiring::Kind kind) {
  return HWY_DYNAMIC_DISPATCH(tile_products_f64)(kind);
}

}  // namespace warpfold::minplus
#endif
