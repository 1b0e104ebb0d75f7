// Convolutions of a row with a stencil's weights, for the instruction set being compiled.
#if defined(WARPFOLD_TILES_CONVOLVE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPFOLD_TILES_CONVOLVE_INL_H_
#undef WARPFOLD_TILES_CONVOLVE_INL_H_
#else
#define WARPFOLD_TILES_CONVOLVE_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>

#include "tiles/cpu/register_product-inl.h"

HWY_BEFORE_NAMESPACE();
namespace warpfold::tiles::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// V vectors of `convolve`, from column 0 on.
template <class Ops, int V, class D, class T = hn::TFromD<D>>
HWY_INLINE void convolve_vectors(D d, T* sums, const T* source, const T* weights, std::size_t count) {
  constexpr std::size_t lanes = hn::MaxLanes(d);
  hn::Vec<D> sum[V];
#pragma GCC unroll 16
  for (int v = 0; v < V; ++v) sum[v] = hn::LoadU(d, sums + v * lanes);
  for (std::size_t b = 0; b < count; ++b) {
    const auto weight = hn::Set(d, weights[b]);
#pragma GCC unroll 16
    for (int v = 0; v < V; ++v) sum[v] = Ops::plus(sum[v], Ops::times(weight, hn::LoadU(d, source + v * lanes - b)));
  }
#pragma GCC unroll 16
  for (int v = 0; v < V; ++v) hn::StoreU(sum[v], d, sums + v * lanes);
}

template <class Ops, class T>
void convolve(T* sums, const T* source, const T* weights, std::size_t count, std::size_t columns) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t wide = 4 * hn::MaxLanes(d);
  const hn::CappedTag<T, block_side> narrow;
  constexpr int vectors = static_cast<int>(block_side / hn::MaxLanes(narrow));
  std::size_t j = 0;
  for (; j + wide <= columns; j += wide) convolve_vectors<Ops, 4>(d, sums + j, source + j, weights, count);
  for (; j < columns; j += block_side) convolve_vectors<Ops, vectors>(narrow, sums + j, source + j, weights, count);
}

}  // namespace warpfold::tiles::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
