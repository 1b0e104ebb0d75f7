// Operations on one row of a tile that closes, for the instruction set being compiled.
#if defined(WARPFOLD_TILES_ROW_OPERATIONS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPFOLD_TILES_ROW_OPERATIONS_INL_H_
#undef WARPFOLD_TILES_ROW_OPERATIONS_INL_H_
#else
#define WARPFOLD_TILES_ROW_OPERATIONS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "tiles/cpu/register_product-inl.h"
#include "warpfold/tiles/row_operations.hpp"

HWY_BEFORE_NAMESPACE();
namespace warpfold::tiles::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Adds to V vectors of results, which stay in registers.
template <int V, class D, class T, class Add>
HWY_INLINE void with_vectors(D d, T* row, std::size_t column, const Add& add) {
  constexpr std::size_t lanes = hn::MaxLanes(d);
  hn::Vec<D> sum[V];
#pragma GCC unroll 16
  for (int v = 0; v < V; ++v) sum[v] = hn::LoadU(d, row + column + v * lanes);
  add(d, sum, column);
#pragma GCC unroll 16
  for (int v = 0; v < V; ++v) hn::StoreU(sum[v], d, row + column + v * lanes);
}

/// Adds to `columns` results, a multiple of block_side. `add(d, sum, column)` adds to the vectors from a column on.
template <class T, class Add>
HWY_INLINE void with_columns(T* row, std::size_t columns, const Add& add) {
  const hn::ScalableTag<T> d;
  constexpr int most = HWY_TARGET <= HWY_AVX3 && sizeof(T) == 8 ? 8 : 4;
  constexpr std::size_t wide = most * hn::MaxLanes(d);
  const hn::CappedTag<T, block_side> narrow;
  constexpr int vectors = static_cast<int>(block_side / hn::MaxLanes(narrow));
  std::size_t column = 0;
  for (; column + wide <= columns; column += wide) with_vectors<most>(d, row, column, add);
  if constexpr (constexpr std::size_t half = wide / 2; most == 8) {
    if (column + half <= columns) {
      with_vectors<4>(d, row, column, add);
      column += half;
    }
  }
  if constexpr (hn::MaxLanes(d) > block_side) {
    if (constexpr std::size_t two = 2 * hn::MaxLanes(d); column + two <= columns) {
      with_vectors<2>(d, row, column, add);
      column += two;
    }
    if (column + hn::MaxLanes(d) <= columns) {
      with_vectors<1>(d, row, column, add);
      column += hn::MaxLanes(d);
    }
  }
  for (; column < columns; column += block_side) with_vectors<vectors>(narrow, row, column, add);
}

/// sum[v] = plus(sum[v], times(factor, source[v])), fused if the semiring is.
template <class Ops, class D, class T, std::size_t V>
HWY_INLINE void add_times(D d, hn::Vec<D> (&sum)[V], const T& factor, const T* source) {
  const auto factors = hn::Set(d, factor);
#pragma GCC unroll 16
  for (std::size_t v = 0; v < V; ++v) {
    sum[v] = add_product<Ops>(sum[v], factors, hn::LoadU(d, source + v * hn::MaxLanes(d)));
  }
}

/// RowOperations::carry for V vectors of results.
template <class Ops, int V, class D, class T>
HWY_INLINE void carry_vectors(D d, T* sums, T* rows, std::size_t stride, const T* source, const SizeTerms<T>* sizes,
                              std::size_t count) {
  const auto add = [=](auto, auto& sum, std::size_t) HWY_ATTR {
    for (std::size_t s = count; s-- > 0;) {
      T* row = rows + (s + 1) * stride;
      hn::Vec<D> total[V];
      const auto step = hn::Set(d, sizes[s].step);
      const T* from = rows + sizes[s].from * stride - 1;
#pragma GCC unroll 16
      for (int v = 0; v < V; ++v) total[v] = Ops::times(step, hn::LoadU(d, from + v * hn::MaxLanes(d)));
      for (std::size_t t = 0; t < sizes[s].count; ++t) {
        add_times<Ops>(d, total, sizes[s].others[t].weight, source + sizes[s].others[t].offset);
      }
#pragma GCC unroll 16
      for (int v = 0; v < V; ++v) {
        hn::StoreU(total[v], d, row + v * hn::MaxLanes(d));
        sum[v] = Ops::plus(sum[v], total[v]);
      }
    }
  };
  with_vectors<V>(d, sums, 0, add);
}

template <class Ops, class T>
struct RowOperationsOf {
  static void product(T* c, const T* a, const T* b, std::size_t depth, std::size_t columns) {
    const auto add = [=](auto d, auto& sum, std::size_t column) HWY_ATTR {
      for (std::size_t k = 0; k < depth; ++k) add_times<Ops>(d, sum, a[k], b + k * tile_side + column);
    };
    with_columns(c, columns, add);
  }
  static void convolve(T* sums, const T* source, const WeightAt<T>* terms, std::size_t count, std::size_t columns) {
    const auto add = [=](auto d, auto& sum, std::size_t column) HWY_ATTR {
      for (const WeightAt<T>* term = terms; term < terms + count; ++term) {
        add_times<Ops>(d, sum, term->weight, source + term->offset + column);
      }
    };
    with_columns(sums, columns, add);
  }
  /// Columns go from the right: a row takes what is to the left in the same rows.
  static void carry(T* sums, T* rows, std::size_t stride, const T* source, const SizeTerms<T>* sizes, std::size_t count,
                    std::size_t columns) {
    const hn::ScalableTag<T> d;
    constexpr std::size_t lanes = hn::MaxLanes(d);
    constexpr int most = lanes >= block_side ? 5 : static_cast<int>(std::max(4 * lanes, block_side) / lanes);
    constexpr std::size_t wide = most * lanes;
    static_assert(wide % block_side == 0);
    const hn::CappedTag<T, block_side> narrow;
    constexpr int vectors = static_cast<int>(block_side / hn::MaxLanes(narrow));
    for (; columns >= wide; columns -= wide) {
      const std::size_t first = columns - wide;
      carry_vectors<Ops, most>(d, sums + first, rows + first, stride, source + first, sizes, count);
    }
    const auto carry_some = [&](auto some) HWY_ATTR {
      if (columns < some * lanes) return;
      columns -= some * lanes;
      carry_vectors<Ops, decltype(some)::value>(d, sums + columns, rows + columns, stride, source + columns, sizes,
                                                count);
    };
    if constexpr (lanes > block_side) {
      carry_some(std::integral_constant<int, 4>());
      carry_some(std::integral_constant<int, 2>());
      carry_some(std::integral_constant<int, 1>());
    }
    for (; columns > 0; columns -= block_side) {
      const std::size_t first = columns - block_side;
      carry_vectors<Ops, vectors>(narrow, sums + first, rows + first, stride, source + first, sizes, count);
    }
  }
};

template <class Ops, class T>
RowOperations<T> row_operations_of() {
  return {RowOperationsOf<Ops, T>::product, RowOperationsOf<Ops, T>::convolve, RowOperationsOf<Ops, T>::carry};
}

}  // namespace warpfold::tiles::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
