#include "warpfold/tiles/sum_operations.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tiles/cpu/sum_operations.cpp"
#include <hwy/foreach_target.h>  // compiles the rest of this file once for every instruction set

#include "tiles/cpu/convolve-inl.h"
#include "tiles/cpu/register_product-inl.h"

HWY_BEFORE_NAMESPACE();
namespace warpfold::tiles::HWY_NAMESPACE {

using SumOps = VectorOps<Counting<double>>;

template <bool transposed>
HWY_INLINE void multiply_tile(double* c, const double* a, const double* b, const double* next_a, const double* next_b) {
  using B = TileBlock<double>;
  for_each_block<B::rows, B::columns>(next_a, next_b, [&](std::size_t i, std::size_t j) HWY_ATTR {
    multiply_block<SumOps, B::rows, B::vectors, transposed>(typename B::D(), a + (transposed ? i : i * tile_side),
                                                            tile_side, b + j, tile_side, c + i * tile_side + j,
                                                            tile_side, tile_side);
  });
}

template <bool transposed>
HWY_INLINE void multiply_small(double* c, const double* a, const double* b, std::size_t depth) {
  constexpr int size = block_side;
  const hn::CappedTag<double, size> d;
  constexpr int vectors = size / static_cast<int>(hn::MaxLanes(d));
  constexpr int rows = vectors > 2 ? 4 : 8;
  for (std::size_t i = 0; i < size; i += rows) {
    multiply_block<SumOps, rows, vectors, transposed>(d, a + (transposed ? i : i * tile_side), tile_side, b, tile_side,
                                                      c + i * tile_side, tile_side, depth);
  }
}

void sum_product(double* c, const double* a, const double* b, const double* next_a, const double* next_b) {
  multiply_tile<false>(c, a, b, next_a, next_b);
}
void sum_transposed_product(double* c, const double* a, const double* b) { multiply_tile<true>(c, a, b, a, b); }
void sum_block_product(double* c, const double* a, const double* b, std::size_t depth) {
  multiply_small<false>(c, a, b, depth);
}
void sum_transposed_block_product(double* c, const double* a, const double* b, std::size_t depth) {
  multiply_small<true>(c, a, b, depth);
}

SumOperations sum_operations() {
  return {sum_product, sum_transposed_product, sum_block_product, sum_transposed_block_product,
          convolve<SumOps, double>};
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
