// The products of tiles for the instruction set that is being compiled. tile_products.cpp includes it once for each.
#if defined(WARPFOLD_MINPLUS_CPU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPFOLD_MINPLUS_CPU_INL_H_
#undef WARPFOLD_MINPLUS_CPU_INL_H_
#else
#define WARPFOLD_MINPLUS_CPU_INL_H_
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "minplus/kernel-inl.h"
#include "minplus/tile_products.hpp"

HWY_BEFORE_NAMESPACE();
namespace warpfold::minplus::HWY_NAMESPACE {

/// 4 x 4 vectors of results at a time. Per block of them it asks for the same share of the next operands, so that they
/// arrive evenly: asking for a tile at once fills the queue of misses and stalls the loads.
template <class T>
void accumulate(T* c, const T* a, const T* b, std::size_t depth, const T* next_a, const T* next_b) {
  constexpr std::size_t vectors = 4;
  constexpr std::size_t rows = 4;
  const hn::ScalableTag<T> d;
  constexpr std::size_t columns = vectors * hn::MaxLanes(d);
  constexpr std::size_t line = 64 / sizeof(T);
  constexpr std::size_t share = rows * columns;
  for (std::size_t j = 0; j < tile_side; j += columns) {
    for (std::size_t i = 0; i < tile_side; i += rows) {
      for (std::size_t x = 0; x < share; x += line) {
        hwy::Prefetch(next_a + x);
        hwy::Prefetch(next_b + x);
      }
      next_a += share;
      next_b += share;
      multiply_block<MinPlusOps, rows, vectors>(d, a + i * tile_side, tile_side, b + j, tile_side,
                                                c + i * tile_side + j, tile_side, depth);
    }
  }
}

/// Four operations a result instead of two: the comparison goes into a mask, and the mask chooses k.
template <class T>
void accumulate_argmin(T* c, TileIndex<T>* index, const T* a, const T* b, std::size_t depth, std::size_t first_k) {
  constexpr int R = 4;
  constexpr int V = 2;
  const hn::ScalableTag<T> d;
  const hn::Rebind<TileIndex<T>, decltype(d)> di;
  constexpr std::size_t lanes = hn::MaxLanes(d);
  for (std::size_t j = 0; j < tile_side; j += V * lanes) {
    for (std::size_t i = 0; i < tile_side; i += R) {
      hn::Vec<decltype(d)> sum[R][V];
      hn::Vec<decltype(di)> where[R][V];
#pragma GCC unroll 16
      for (int r = 0; r < R; ++r) {
#pragma GCC unroll 16
        for (int v = 0; v < V; ++v) {
          sum[r][v] = hn::Load(d, c + (i + r) * tile_side + j + v * lanes);
          where[r][v] = hn::Load(di, index + (i + r) * tile_side + j + v * lanes);
        }
      }
      for (std::size_t k = 0; k < depth; ++k) {
        const auto here = hn::Set(di, static_cast<TileIndex<T>>(first_k + k));
#pragma GCC unroll 16
        for (int r = 0; r < R; ++r) {
          const auto left = hn::Set(d, a[(i + r) * tile_side + k]);
#pragma GCC unroll 16
          for (int v = 0; v < V; ++v) {
            const auto candidate = hn::Add(left, hn::Load(d, b + k * tile_side + j + v * lanes));
            const auto better = hn::Lt(candidate, sum[r][v]);
            sum[r][v] = hn::IfThenElse(better, candidate, sum[r][v]);
            where[r][v] = hn::IfThenElse(hn::RebindMask(di, better), here, where[r][v]);
          }
        }
      }
#pragma GCC unroll 16
      for (int r = 0; r < R; ++r) {
#pragma GCC unroll 16
        for (int v = 0; v < V; ++v) {
          hn::Store(sum[r][v], d, c + (i + r) * tile_side + j + v * lanes);
          hn::Store(where[r][v], di, index + (i + r) * tile_side + j + v * lanes);
        }
      }
    }
  }
}

// HWY_EXPORT takes plain functions only.
TileProducts<std::int32_t> tile_products_i32() { return {accumulate<std::int32_t>, accumulate_argmin<std::int32_t>}; }
TileProducts<std::int64_t> tile_products_i64() { return {accumulate<std::int64_t>, accumulate_argmin<std::int64_t>}; }
TileProducts<float> tile_products_f32() { return {accumulate<float>, accumulate_argmin<float>}; }
TileProducts<double> tile_products_f64() { return {accumulate<double>, accumulate_argmin<double>}; }

}  // namespace warpfold::minplus::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
