// Products and closings of tiles of 8 x 8 values, for every instruction set that Highway compiles them for. Only
// simd_dispatch.cpp includes it.
#if defined(WARPFOLD_INTERVAL_SPARSE_KERNELS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPFOLD_INTERVAL_SPARSE_KERNELS_INL_H_
#undef WARPFOLD_INTERVAL_SPARSE_KERNELS_INL_H_
#else
#define WARPFOLD_INTERVAL_SPARSE_KERNELS_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>

#include "interval/sparse/kernels.hpp"
#include "warpfold/core/arithmetic.hpp"

HWY_BEFORE_NAMESPACE();
namespace warpfold::interval::sparse::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Vectors of a whole tile row, or of as much of it as the instruction set takes.
template <class T>
using RowTag = hn::CappedTag<T, tile_side>;

/// As many rows at one time as a vector has lanes: their results fill eight registers, whatever the width. For 64
/// results, a step loads 8 single values and, once for these rows, one row of the right tile.
template <class T>
void accumulate(const Step<T>* steps, std::size_t count, T* HWY_RESTRICT best) {
  const RowTag<T> d;
  constexpr std::size_t lanes = hn::MaxLanes(d);
  constexpr std::size_t rows = lanes;
  constexpr std::size_t vectors = tile_side / lanes;
  for (std::size_t first = 0; first < tile_side; first += rows) {
    T* to = best + first * tile_side;
    hn::Vec<RowTag<T>> least[rows][vectors];
#pragma GCC unroll 8
    for (std::size_t r = 0; r < rows; ++r) {
#pragma GCC unroll 8
      for (std::size_t v = 0; v < vectors; ++v) least[r][v] = hn::Load(d, to + r * tile_side + v * lanes);
    }
    for (std::size_t s = 0; s < count; ++s) {
      const T* left = steps[s].left + first * tile_side;
      hn::Vec<RowTag<T>> right[vectors];
#pragma GCC unroll 8
      for (std::size_t v = 0; v < vectors; ++v) right[v] = hn::Load(d, steps[s].right + v * lanes);
#pragma GCC unroll 8
      for (std::size_t r = 0; r < rows; ++r) {
        const auto one = hn::Set(d, left[r * tile_side]);
#pragma GCC unroll 8
        for (std::size_t v = 0; v < vectors; ++v) least[r][v] = hn::Min(least[r][v], hn::Add(one, right[v]));
      }
    }
#pragma GCC unroll 8
    for (std::size_t r = 0; r < rows; ++r) {
#pragma GCC unroll 8
      for (std::size_t v = 0; v < vectors; ++v) hn::Store(least[r][v], d, to + r * tile_side + v * lanes);
    }
  }
}

/// to[c] = min(to[c], one + row[c]) for a row of a tile.
template <class T>
HWY_INLINE void lower(T one, const T* HWY_RESTRICT row, T* HWY_RESTRICT to) {
  const RowTag<T> d;
  const auto added = hn::Set(d, one);
#pragma GCC unroll 8
  for (std::size_t c = 0; c < tile_side; c += hn::MaxLanes(d)) {
    hn::Store(hn::Min(hn::Load(d, to + c), hn::Add(added, hn::Load(d, row + c))), d, to + c);
  }
}

template <class T>
void close(const T* rows, const T* columns, T lowest_infinity, T* HWY_RESTRICT best, T* tile) {
  for (std::size_t r = tile_side; r-- > 0;) {
    T* least = best + r * tile_side;
    T* values = tile + r * tile_side;
    for (std::size_t k = r + 1; rows && k < tile_side; ++k) {
      lower(rows[r * tile_side + k], tile + k * tile_side, least);
    }
    for (std::size_t c = 0; c < tile_side; ++c) {
      if (values[c] >= infinity<T>) continue;  // no pair, or forbidden
      values[c] = least[c] >= lowest_infinity ? infinity<T> : static_cast<T>(least[c] + values[c]);
      lower(values[c], columns + c * tile_side, least);
    }
  }
}

}  // namespace warpfold::interval::sparse::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
