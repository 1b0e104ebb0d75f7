// The (min,+) product of small matrices in registers, for the instruction set being compiled. tile_products-inl.h,
// tile_operations-inl.h and paths/dense/pivot-inl.h include it once for each instruction set.
#if defined(WARPFOLD_TILES_REGISTER_PRODUCT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPFOLD_TILES_REGISTER_PRODUCT_INL_H_
#undef WARPFOLD_TILES_REGISTER_PRODUCT_INL_H_
#else
#define WARPFOLD_TILES_REGISTER_PRODUCT_INL_H_
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>

#include "warpfold/core/semiring.hpp"
#include "warpfold/tiles/tile_table.hpp"

HWY_BEFORE_NAMESPACE();
namespace warpfold::tiles::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <Operation operation>
HWY_INLINE auto apply(auto a, auto b) {
  if constexpr (operation == Operation::minimum) return hn::Min(a, b);
  if constexpr (operation == Operation::maximum) return hn::Max(a, b);
  if constexpr (operation == Operation::sum) return hn::Add(a, b);
  if constexpr (operation == Operation::product) return hn::Mul(a, b);
}

/// A semiring of core/semiring.hpp on vectors. `better`, for selective ones: whether plus(a, b) is a, and not for a
/// tie.
template <class S>
struct VectorOps {
  using Semiring = S;
  static HWY_INLINE auto plus(auto a, auto b) { return apply<S::plus_is>(a, b); }
  static HWY_INLINE auto times(auto a, auto b) { return apply<S::times_is>(a, b); }
  static HWY_INLINE auto better(auto a, auto b) {
    if constexpr (SemiringTraits<S>::is_min) return hn::Lt(a, b);
    if constexpr (!SemiringTraits<S>::is_min) return hn::Gt(a, b);
  }
};
template <>
struct VectorOps<OrAnd> {
  static HWY_INLINE auto plus(auto a, auto b) { return hn::Or(a, b); }
  static HWY_INLINE auto times(auto a, auto b) { return hn::And(a, b); }
};

/// plus(sum, times(a, b)): the semiring's own operation for both, if it has one.
template <class Ops, class V>
HWY_INLINE V add_product(V sum, V a, V b) {
  if constexpr (requires { Ops::add_product(sum, a, b); }) return Ops::add_product(sum, a, b);
  if constexpr (!requires { Ops::add_product(sum, a, b); }) return Ops::plus(sum, Ops::times(a, b));
}

/// sum = plus(c, a (x) b) for R rows of V vectors. R*V results stay in registers. A step of k loads V vectors and R
/// single values. 4 x 4 on AVX-512 (f32): 8 loads for 32 additions and minima.
///
/// The loop over k is unrolled by 4: that took i32 from 101 to 128 G results/s on one Zen 5 core and changed nothing
/// for the others (f32 68, f64 34, i64 66). Tried without gain: 5 x 4, 6 x 4 (spills), 8 x 2, 12 x 2 rows.
template <class Ops, class D, std::size_t R, std::size_t V, class T = hn::TFromD<D>>
HWY_INLINE void add_block(D d, const T* HWY_RESTRICT a, std::size_t a_stride, const T* HWY_RESTRICT b,
                          std::size_t b_stride, const T* HWY_RESTRICT c, std::size_t c_stride, std::size_t depth,
                          hn::Vec<D> (&sum)[R][V]) {
  constexpr std::size_t lanes = hn::MaxLanes(d);
#pragma GCC unroll 16
  for (std::size_t r = 0; r < R; ++r) {
#pragma GCC unroll 16
    for (std::size_t v = 0; v < V; ++v) sum[r][v] = hn::Load(d, c + r * c_stride + v * lanes);
  }
#pragma GCC unroll 4
  for (std::size_t k = 0; k < depth; ++k) {
    hn::Vec<D> right[V];
#pragma GCC unroll 16
    for (std::size_t v = 0; v < V; ++v) right[v] = hn::Load(d, b + k * b_stride + v * lanes);
#pragma GCC unroll 16
    for (std::size_t r = 0; r < R; ++r) {
      const auto left = hn::Set(d, a[r * a_stride + k]);
#pragma GCC unroll 16
      for (std::size_t v = 0; v < V; ++v) sum[r][v] = add_product<Ops>(sum[r][v], left, right[v]);
    }
  }
}

/// c = plus(c, a (x) b) for R rows of V vectors.
template <class Ops, int R, int V, class D, class T = hn::TFromD<D>>
HWY_INLINE void multiply_block(D d, const T* HWY_RESTRICT a, std::size_t a_stride, const T* HWY_RESTRICT b,
                               std::size_t b_stride, T* HWY_RESTRICT c, std::size_t c_stride, std::size_t depth) {
  hn::Vec<D> sum[R][V];
  add_block<Ops>(d, a, a_stride, b, b_stride, c, c_stride, depth, sum);
#pragma GCC unroll 16
  for (int r = 0; r < R; ++r) {
#pragma GCC unroll 16
    for (int v = 0; v < V; ++v) hn::Store(sum[r][v], d, c + r * c_stride + v * hn::MaxLanes(d));
  }
}

/// Calls multiply(i, j) for every block of `rows` x `columns` results of a tile. Each block prefetches an equal share
/// of the next call's operands. Prefetching a tile at once would fill the queue of misses and stall the loads
/// (docs/explanation/kernels/cpu.md).
template <std::size_t rows, std::size_t columns, class T, class Multiply>
HWY_INLINE void for_each_block(const T* next_a, const T* next_b, const Multiply& multiply) {
  constexpr std::size_t line = 64 / sizeof(T), share = rows * columns;
  for (std::size_t j = 0; j < tile_side; j += columns) {
    for (std::size_t i = 0; i < tile_side; i += rows) {
      for (std::size_t x = 0; x < share; x += line) {
        hwy::Prefetch(next_a + x);
        hwy::Prefetch(next_b + x);
      }
      next_a += share;
      next_b += share;
      multiply(i, j);
    }
  }
}

/// The results of a tile that are in registers at one time: 16 vectors fill half of AVX-512's registers, 8 half of the
/// others'.
template <class T>
struct TileBlock {
  using D = hn::ScalableTag<T>;
  static constexpr int lanes = static_cast<int>(hn::MaxLanes(D()));
  static constexpr int held = HWY_TARGET <= HWY_AVX3 ? 16 : 8;
  static constexpr int vectors = std::min<int>(held / 4, tile_side / lanes);  // fewer if the tile is narrower
  static constexpr int rows = held / vectors;
  static constexpr int columns = vectors * lanes;
};

}  // namespace warpfold::tiles::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
