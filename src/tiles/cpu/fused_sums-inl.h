// Fused multiplication and addition of doubles, for the instruction set being compiled.
#if defined(WARPFOLD_TILES_FUSED_SUMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPFOLD_TILES_FUSED_SUMS_INL_H_
#undef WARPFOLD_TILES_FUSED_SUMS_INL_H_
#else
#define WARPFOLD_TILES_FUSED_SUMS_INL_H_
#endif

#include <hwy/highway.h>

#include <cmath>
#include <cstddef>

#include "tiles/cpu/register_product-inl.h"

HWY_BEFORE_NAMESPACE();
namespace warpfold::tiles::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// sum + a * b, rounded once. An instruction set without this operation calls a function for each number.
template <class V>
HWY_INLINE V fused(V sum, V a, V b) {
#if HWY_NATIVE_FMA
  return hn::MulAdd(a, b, sum);
#else
  const hn::DFromV<V> d;
  constexpr std::size_t lanes = hn::MaxLanes(d);
  HWY_ALIGN double sums[lanes], left[lanes], right[lanes];
  hn::Store(sum, d, sums);
  hn::Store(a, d, left);
  hn::Store(b, d, right);
  for (std::size_t x = 0; x < lanes; ++x) sums[x] = std::fma(left[x], right[x], sums[x]);
  return hn::Load(d, sums);
#endif
}

/// (+,*) of doubles with fused terms.
struct FusedSumOps : VectorOps<Counting<double>> {
  template <class V>
  static HWY_INLINE V add_product(V sum, V a, V b) {
    return fused(sum, a, b);
  }
};

}  // namespace warpfold::tiles::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
