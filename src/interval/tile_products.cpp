#include "warpfold/interval/tile_products.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "interval/tile_products.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // compiles the rest of this file once for every instruction set
#include <hwy/highway.h>

#include "minplus/kernel-inl.h"

HWY_BEFORE_NAMESPACE();
namespace warpfold::interval::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
namespace mp = warpfold::minplus::HWY_NAMESPACE;

constexpr std::size_t side = recurrence_tile_side;

enum class Split { none, rounded, fused };

/// mp::multiply_block with a split added to every candidate.
template <class Ops, Split kind, int R, int V, class D, class T = hn::TFromD<D>>
HWY_INLINE void multiply_with_split(D d, T* HWY_RESTRICT c, const T* HWY_RESTRICT a, const T* HWY_RESTRICT b,
                                    std::size_t depth, const ProductSplit<T>& split) {
  constexpr std::size_t lanes = hn::MaxLanes(d);
  hn::Vec<D> sum[R][V];
#pragma GCC unroll 16
  for (int r = 0; r < R; ++r) {
#pragma GCC unroll 16
    for (int v = 0; v < V; ++v) sum[r][v] = hn::Load(d, c + r * side + v * lanes);
  }
#pragma GCC unroll 4
  for (std::size_t k = 0; k < depth; ++k) {
    hn::Vec<D> from_b[V];
    hn::Vec<D> factor[V];
#pragma GCC unroll 16
    for (int v = 0; v < V; ++v) {
      from_b[v] = hn::Load(d, b + k * side + v * lanes);
      factor[v] = hn::Mul(hn::Set(d, split.middle[k]), hn::LoadU(d, split.right + v * lanes));
    }
#pragma GCC unroll 16
    for (int r = 0; r < R; ++r) {
      const auto from_a = hn::Set(d, a[r * side + k]);
#pragma GCC unroll 16
      for (int v = 0; v < V; ++v) {
        const auto parts = Ops::times(from_a, from_b[v]);
        hn::Vec<D> candidate;
        if constexpr (kind == Split::fused) {
          candidate = hn::MulAdd(hn::Set(d, split.left[r]), factor[v], parts);
        } else {
          candidate = hn::Add(parts, hn::Mul(hn::Set(d, split.left[r]), factor[v]));
        }
        sum[r][v] = Ops::plus(sum[r][v], candidate);
      }
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < R; ++r) {
#pragma GCC unroll 16
    for (int v = 0; v < V; ++v) hn::Store(sum[r][v], d, c + r * side + v * lanes);
  }
}

/// R x V vectors of c, `depth` entries of the common dimension.
template <class Ops, Split kind, int R, int V, class D, class T = hn::TFromD<D>>
HWY_INLINE void multiply(D d, T* c, const T* a, const T* b, std::size_t depth, const ProductSplit<T>& split) {
  if constexpr (kind == Split::none) {
    mp::multiply_block<Ops, R, V>(d, a, side, b, side, c, side, depth);
  } else {
    multiply_with_split<Ops, kind, R, V>(d, c, a, b, depth, split);
  }
}

/// Asks for the next operands a share at a time, so that they arrive evenly (docs/kernels/cpu.md).
template <class Ops, Split kind, class T>
void multiply_tile(T* c, const T* a, const T* b, const ProductSplit<T>& split, const T* next_a, const T* next_b) {
  // 16 accumulators fill half of AVX-512's registers, 8 half of the others'.
  constexpr int vectors = HWY_TARGET <= HWY_AVX3 ? 4 : 2;
  constexpr int rows = 4;
  const hn::CappedTag<T, side / vectors> d;
  constexpr std::size_t columns = vectors * hn::MaxLanes(d);
  constexpr std::size_t share = rows * columns;
  for (std::size_t j = 0; j < side; j += columns) {
    for (std::size_t i = 0; i < side; i += rows) {
      for (std::size_t x = 0; x < share; x += 64 / sizeof(T)) {
        hwy::Prefetch(next_a + x);
        hwy::Prefetch(next_b + x);
      }
      next_a += share;
      next_b += share;
      const ProductSplit<T> here{split.left + i, split.middle, split.right + j};
      multiply<Ops, kind, rows, vectors>(d, c + i * side + j, a + i * side, b + j, side, here);
    }
  }
}

template <class Ops, Split kind, class T>
void multiply_block(T* c, const T* a, const T* b, std::size_t depth, const ProductSplit<T>& split) {
  constexpr int size = recurrence_block_side;
  const hn::CappedTag<T, size> d;
  constexpr int vectors = size / static_cast<int>(hn::MaxLanes(d));
  constexpr int rows = vectors > 2 ? 4 : 8;
  for (int i = 0; i < size; i += rows) {
    const ProductSplit<T> here{split.left + i, split.middle, split.right};
    multiply<Ops, kind, rows, vectors>(d, c + i * side, a + i * side, b, depth, here);
  }
}

template <class Ops, class T>
void tile_product(T* c, const T* a, const T* b, const ProductSplit<T>&, const T* next_a, const T* next_b) {
  multiply_tile<Ops, Split::none>(c, a, b, {}, next_a, next_b);
}

template <class Ops, class T>
void block_product(T* c, const T* a, const T* b, std::size_t depth, const ProductSplit<T>&) {
  multiply_block<Ops, Split::none>(c, a, b, depth, {});
}

/// With or without a split, as the call has it.
template <class Ops, class T>
void tile_sum_product(T* c, const T* a, const T* b, const ProductSplit<T>& split, const T* next_a, const T* next_b) {
  if (!split.left) return multiply_tile<Ops, Split::none>(c, a, b, {}, next_a, next_b);
  if constexpr (std::is_floating_point_v<T>) {
    if (split.fused) return multiply_tile<Ops, Split::fused>(c, a, b, split, next_a, next_b);
  }
  multiply_tile<Ops, Split::rounded>(c, a, b, split, next_a, next_b);
}

template <class Ops, class T>
void block_sum_product(T* c, const T* a, const T* b, std::size_t depth, const ProductSplit<T>& split) {
  if (!split.left) return multiply_block<Ops, Split::none>(c, a, b, depth, {});
  if constexpr (std::is_floating_point_v<T>) {
    if (split.fused) return multiply_block<Ops, Split::fused>(c, a, b, depth, split);
  }
  multiply_block<Ops, Split::rounded>(c, a, b, depth, split);
}

template <class T>
TileProductSet<T> product_set() {
  return {{tile_sum_product<mp::MinPlusOps, T>, block_sum_product<mp::MinPlusOps, T>},
          {tile_sum_product<mp::MaxPlusOps, T>, block_sum_product<mp::MaxPlusOps, T>},
          {tile_product<mp::MinMaxOps, T>, block_product<mp::MinMaxOps, T>},
          {tile_product<mp::MaxMinOps, T>, block_product<mp::MaxMinOps, T>}};
}

// HWY_EXPORT takes plain functions only.
TileProductSet<std::int32_t> product_set_i32() { return product_set<std::int32_t>(); }
TileProductSet<std::int64_t> product_set_i64() { return product_set<std::int64_t>(); }
TileProductSet<float> product_set_f32() { return product_set<float>(); }
TileProductSet<double> product_set_f64() { return product_set<double>(); }

}  // namespace warpfold::interval::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpfold::interval {

HWY_EXPORT(product_set_i32);
HWY_EXPORT(product_set_i64);
HWY_EXPORT(product_set_f32);
HWY_EXPORT(product_set_f64);

namespace {

template <class T>
TileProductSet<T> dispatched_set() {
  if constexpr (std::is_same_v<T, std::int32_t>) return HWY_DYNAMIC_DISPATCH(product_set_i32)();
  if constexpr (std::is_same_v<T, std::int64_t>) return HWY_DYNAMIC_DISPATCH(product_set_i64)();
  if constexpr (std::is_same_v<T, float>) return HWY_DYNAMIC_DISPATCH(product_set_f32)();
  if constexpr (std::is_same_v<T, double>) return HWY_DYNAMIC_DISPATCH(product_set_f64)();
}

}  // namespace

template <class Semiring>
TileProducts<typename Semiring::Value> tile_products() {
  using T = typename Semiring::Value;
  const auto products = dispatched_set<T>();
  if constexpr (std::is_same_v<Semiring, MinPlus<T>>) return products.min_plus;
  if constexpr (std::is_same_v<Semiring, MaxPlus<T>>) return products.max_plus;
  if constexpr (std::is_same_v<Semiring, MinMax<T>>) return products.min_max;
  if constexpr (std::is_same_v<Semiring, MaxMin<T>>) return products.max_min;
}

#define WARPFOLD_INSTANTIATE(T)                         \
  template TileProducts<T> tile_products<MinPlus<T>>(); \
  template TileProducts<T> tile_products<MaxPlus<T>>(); \
  template TileProducts<T> tile_products<MinMax<T>>();  \
  template TileProducts<T> tile_products<MaxMin<T>>();
WARPFOLD_INSTANTIATE(std::int32_t)
WARPFOLD_INSTANTIATE(std::int64_t)
WARPFOLD_INSTANTIATE(float)
WARPFOLD_INSTANTIATE(double)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::interval
#endif
