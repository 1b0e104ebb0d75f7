#include "warpfold/tiles/sum_operations.hpp"

#include <cstddef>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tiles/cpu/sum_operations.cpp"
#include <hwy/foreach_target.h>  // compiles the rest of this file once for every instruction set

#include "tiles/cpu/fused_sums-inl.h"
#include "tiles/cpu/register_product-inl.h"
#include "tiles/cpu/row_operations-inl.h"

HWY_BEFORE_NAMESPACE();
namespace warpfold::tiles::HWY_NAMESPACE {

void sum_product(double* c, const double* a, const double* b, const double* next_a, const double* next_b) {
  using B = TileBlock<double>;
  for_each_block<B::rows, B::columns>(next_a, next_b, [&](std::size_t i, std::size_t j) HWY_ATTR {
    multiply_block<FusedSumOps, B::rows, B::vectors>(typename B::D(), a + i * tile_side, tile_side, b + j, tile_side,
                                                     c + i * tile_side + j, tile_side, tile_side);
  });
}

void scale_tile(double* target, const double* source, double first, double second) {
  const hn::ScalableTag<double> d;
  const auto by_first = hn::Set(d, first), by_second = hn::Set(d, second);
  for (std::size_t t = 0; t < tile_side * tile_side; t += hn::MaxLanes(d)) {
    hn::Store(hn::Mul(hn::Mul(hn::Load(d, source + t), by_first), by_second), d, target + t);
  }
}

SumOperations::Range range_of_tile(const double* values) {
  const hn::ScalableTag<double> d;
  const auto zero = hn::Zero(d), infinite = hn::Set(d, std::numeric_limits<double>::infinity());
  auto largest = zero, least = infinite;
  for (std::size_t t = 0; t < tile_side * tile_side; t += hn::MaxLanes(d)) {
    const auto value = hn::Load(d, values + t);
    largest = hn::Max(largest, value);
    least = hn::Min(least, hn::IfThenElse(hn::Gt(value, zero), value, infinite));
  }
  return {hn::GetLane(hn::MaxOfLanes(d, largest)), hn::GetLane(hn::MinOfLanes(d, least))};
}

SumOperations sum_operations() {
  return {sum_product, row_operations_of<FusedSumOps, double>(), scale_tile, range_of_tile};
}

}  // namespace warpfold::tiles::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpfold::tiles {

namespace {
HWY_EXPORT(sum_operations);
}

SumOperations sum_operations() { return HWY_DYNAMIC_DISPATCH(sum_operations)(); }

}  // namespace warpfold::tiles
#endif
