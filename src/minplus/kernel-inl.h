// The (min,+) product of small matrices in registers, for the instruction set that is being compiled. Included once
// for each of them, by the cpu-inl.h of minplus and of interval.
#if defined(WARPFOLD_MINPLUS_KERNEL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPFOLD_MINPLUS_KERNEL_INL_H_
#undef WARPFOLD_MINPLUS_KERNEL_INL_H_
#else
#define WARPFOLD_MINPLUS_KERNEL_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace warpfold::minplus::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The semirings on vectors; `better` of those that choose: whether plus(a, b) is a, and not for a tie.
struct Least {
  static HWY_INLINE auto plus(auto a, auto b) { return hn::Min(a, b); }
  static HWY_INLINE auto better(auto a, auto b) { return hn::Lt(a, b); }
};
struct Greatest {
  static HWY_INLINE auto plus(auto a, auto b) { return hn::Max(a, b); }
  static HWY_INLINE auto better(auto a, auto b) { return hn::Gt(a, b); }
};
struct MinPlusOps : Least {
  static HWY_INLINE auto times(auto a, auto b) { return hn::Add(a, b); }
};
struct MaxPlusOps : Greatest {
  static HWY_INLINE auto times(auto a, auto b) { return hn::Add(a, b); }
};
struct MinMaxOps : Least {
  static HWY_INLINE auto times(auto a, auto b) { return hn::Max(a, b); }
};
struct MaxMinOps : Greatest {
  static HWY_INLINE auto times(auto a, auto b) { return hn::Min(a, b); }
};
struct OrAndOps {
  static HWY_INLINE auto plus(auto a, auto b) { return hn::Or(a, b); }
  static HWY_INLINE auto times(auto a, auto b) { return hn::And(a, b); }
};
struct CountOps {
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

}  // namespace warpfold::minplus::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
