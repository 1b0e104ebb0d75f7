// The (min,+) product of small matrices in registers, for the instruction set that is being compiled. Included once
// for each of them, by tile_products-inl.h and tile_operations-inl.h.
#if defined(WARPFOLD_TILES_REGISTER_PRODUCT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPFOLD_TILES_REGISTER_PRODUCT_INL_H_
#undef WARPFOLD_TILES_REGISTER_PRODUCT_INL_H_
#else
#define WARPFOLD_TILES_REGISTER_PRODUCT_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>

#include "warpfold/core/semiring.hpp"

HWY_BEFORE_NAMESPACE();
namespace warpfold::tiles::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// A semiring of core/semiring.hpp on vectors; `better` of those that choose: whether plus(a, b) is a, and not for a
/// tie.
template <class Semiring>
struct VectorOps;

struct Least {
  static HWY_INLINE auto plus(auto a, auto b) { return hn::Min(a, b); }
  static HWY_INLINE auto better(auto a, auto b) { return hn::Lt(a, b); }
};
struct Greatest {
  static HWY_INLINE auto plus(auto a, auto b) { return hn::Max(a, b); }
  static HWY_INLINE auto better(auto a, auto b) { return hn::Gt(a, b); }
};
template <class T>
struct VectorOps<MinPlus<T>> : Least {
  static HWY_INLINE auto times(auto a, auto b) { return hn::Add(a, b); }
};
template <class T>
struct VectorOps<MaxPlus<T>> : Greatest {
  static HWY_INLINE auto times(auto a, auto b) { return hn::Add(a, b); }
};
template <class T>
struct VectorOps<MinMax<T>> : Least {
  static HWY_INLINE auto times(auto a, auto b) { return hn::Max(a, b); }
};
template <class T>
struct VectorOps<MaxMin<T>> : Greatest {
  static HWY_INLINE auto times(auto a, auto b) { return hn::Min(a, b); }
};
template <>
struct VectorOps<OrAnd> {
  static HWY_INLINE auto plus(auto a, auto b) { return hn::Or(a, b); }
  static HWY_INLINE auto times(auto a, auto b) { return hn::And(a, b); }
};
template <class T>
struct VectorOps<Counting<T>> {
  static HWY_INLINE auto plus(auto a, auto b) { return hn::Add(a, b); }
  static HWY_INLINE auto times(auto a, auto b) { return hn::Mul(a, b); }
};

/// c = plus(c, a (x) b) for R rows of V vectors: R*V results stay in registers, and a step of k loads V vectors and R
/// single values for them. 4 x 4 on AVX-512 (f32): 8 loads for 32 additions and minima.
///
/// The loop over k is unrolled by 4: that took i32 from 101 to 128 G results a second on one Zen 5 core and changed
/// nothing for the others (f32 68, f64 34, i64 66). Tried without gain: 5 x 4, 6 x 4 (spills), 8 x 2, 12 x 2 rows.
template <class Ops, int R, int V, class D, class T = hn::TFromD<D>>
HWY_INLINE void multiply_block(D d, const T* HWY_RESTRICT a, std::size_t a_stride, const T* HWY_RESTRICT b,
                               std::size_t b_stride, T* HWY_RESTRICT c, std::size_t c_stride, std::size_t depth) {
  constexpr std::size_t lanes = hn::MaxLanes(d);
  hn::Vec<D> sum[R][V];
#pragma GCC unroll 16
  for (int r = 0; r < R; ++r) {
#pragma GCC unroll 16
    for (int v = 0; v < V; ++v) sum[r][v] = hn::Load(d, c + r * c_stride + v * lanes);
  }
#pragma GCC unroll 4
  for (std::size_t k = 0; k < depth; ++k) {
    hn::Vec<D> right[V];
#pragma GCC unroll 16
    for (int v = 0; v < V; ++v) right[v] = hn::Load(d, b + k * b_stride + v * lanes);
#pragma GCC unroll 16
    for (int r = 0; r < R; ++r) {
      const auto left = hn::Set(d, a[r * a_stride + k]);
#pragma GCC unroll 16
      for (int v = 0; v < V; ++v) sum[r][v] = Ops::plus(sum[r][v], Ops::times(left, right[v]));
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < R; ++r) {
#pragma GCC unroll 16
    for (int v = 0; v < V; ++v) hn::Store(sum[r][v], d, c + r * c_stride + v * lanes);
  }
}

}  // namespace warpfold::tiles::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
