// The turns of a pivot tile for the instruction set that is being compiled. pivot.cpp includes it once for each.
#if defined(WARPFOLD_PATHS_PIVOT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPFOLD_PATHS_PIVOT_INL_H_
#undef WARPFOLD_PATHS_PIVOT_INL_H_
#else
#define WARPFOLD_PATHS_PIVOT_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>

#include "paths/dense/pivot.hpp"
#include "tiles/cpu/register_product-inl.h"

HWY_BEFORE_NAMESPACE();
namespace warpfold::paths::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Updates one vector of lengths, and of successors. Lengths become plus(lengths, times(left, right)). Where that is
/// strictly better, the successors become those of the left part.
template <class Ops, class D, class DI, class V, class I>
HWY_INLINE void improve(D d, DI di, V left, V right, const I& left_successors, hn::TFromD<D>* lengths,
                        hn::TFromD<DI>* successors) {
  const V old = hn::Load(d, lengths);
  const V candidate = Ops::times(left, right);
  hn::Store(Ops::plus(old, candidate), d, lengths);
  if (!successors) return;
  const auto better = hn::RebindMask(di, Ops::better(candidate, old));
  hn::Store(hn::IfThenElse(better, left_successors, hn::Load(di, successors)), di, successors);
}

template <class Ops, class T>
void advance_rows(const PivotTile<T>& tile, std::size_t first, bool diagonal) {
  const hn::ScalableTag<T> d;
  const hn::Rebind<TileIndex<T>, decltype(d)> di;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t k = first; k < first + strip; ++k) {
    T* pivot = tile.rows + k * tile_side;
    std::copy_n(tile.lengths + k * tile_side, tile_side, pivot);
    for (std::size_t i = first; i < first + strip; ++i) {
      const std::size_t at = i * tile_side + k;
      if (diagonal) {
        tile.columns[at] = tile.lengths[at];
        if (tile.successors) tile.column_successors[at] = tile.successors[at];
      }
      const auto left = hn::Set(d, tile.columns[at]);
      const auto successor = hn::Set(di, tile.successors ? tile.column_successors[at] : TileIndex<T>{0});
      for (std::size_t j = 0; j < tile_side; j += lanes) {
        const std::size_t entry = i * tile_side + j;
        improve<Ops>(d, di, left, hn::Load(d, pivot + j), successor, tile.lengths + entry,
                     tile.successors ? tile.successors + entry : nullptr);
      }
    }
  }
}

/// The strip's columns, transposed, so that a vector is a part of a column. Its functions are compiled once for all
/// semirings: inlined, they would be most of the code.
template <class T>
struct ColumnStrip {
  alignas(64) T values[strip][tile_side];

  HWY_NOINLINE void read(const T* tile, std::size_t first) {
    for (std::size_t i = 0; i < tile_side; ++i) {
      for (std::size_t x = 0; x < strip; ++x) values[x][i] = tile[i * tile_side + first + x];
    }
  }
  HWY_NOINLINE void write(T* tile, std::size_t first, bool diagonal) const {
    for (std::size_t i = 0; i < tile_side; ++i) {
      if (diagonal && i - first < strip) continue;
      for (std::size_t x = 0; x < strip; ++x) tile[i * tile_side + first + x] = values[x][i];
    }
  }
  HWY_NOINLINE void keep(std::size_t x, T* columns, std::size_t first, bool diagonal) const {
    for (std::size_t i = 0; i < tile_side; ++i) {
      if (!diagonal || i - first >= strip) columns[i * tile_side + first + x] = values[x][i];
    }
  }
};

template <class Ops, class T>
void advance_columns(const PivotTile<T>& tile, std::size_t first, bool diagonal) {
  const hn::ScalableTag<T> d;
  const hn::Rebind<TileIndex<T>, decltype(d)> di;
  const std::size_t lanes = hn::Lanes(d);
  ColumnStrip<T> lengths;
  ColumnStrip<TileIndex<T>> successors;
  lengths.read(tile.lengths, first);
  if (tile.successors) successors.read(tile.successors, first);
  for (std::size_t k = 0; k < strip; ++k) {
    lengths.keep(k, tile.columns, first, diagonal);
    if (tile.successors) successors.keep(k, tile.column_successors, first, diagonal);
    for (std::size_t x = 0; x < strip; ++x) {
      if (x == k) continue;  // it changes nothing, as times(x, one()) = x
      const auto right = hn::Set(d, tile.rows[(first + k) * tile_side + first + x]);
      for (std::size_t i = 0; i < tile_side; i += lanes) {
        const auto left_successors = tile.successors ? hn::Load(di, successors.values[k] + i) : hn::Zero(di);
        improve<Ops>(d, di, hn::Load(d, lengths.values[k] + i), right, left_successors, lengths.values[x] + i,
                     tile.successors ? successors.values[x] + i : nullptr);
      }
    }
  }
  lengths.write(tile.lengths, first, diagonal);
  if (tile.successors) successors.write(tile.successors, first, diagonal);
}

template <class Ops, class T>
void note_better(const T* before, const T* after, TileIndex<T>* notes, TileIndex<T> note, std::size_t first,
                 std::size_t end) {
  const hn::ScalableTag<T> d;
  const hn::Rebind<TileIndex<T>, decltype(d)> di;
  const auto here = hn::Set(di, note);
  for (std::size_t i = 0; i < tile_side; ++i) {
    for (std::size_t j = i * tile_side + first; j < i * tile_side + end; j += hn::Lanes(d)) {
      const auto better = hn::RebindMask(di, Ops::better(hn::Load(d, after + j), hn::Load(d, before + j)));
      hn::Store(hn::IfThenElse(better, here, hn::Load(di, notes + j)), di, notes + j);
    }
  }
}

template <class Semiring, class T = typename Semiring::Value>
PivotOperations<T> operations_of() {
  using Ops = tiles::HWY_NAMESPACE::VectorOps<Semiring>;
  return {advance_rows<Ops, T>, advance_columns<Ops, T>, note_better<Ops, T>};
}

template <class T, class... Semirings>
PivotSet<T> operations_of_all(TagList<Semirings...> /*tags*/) {
  return {operations_of<Semirings>()...};
}

// HWY_EXPORT takes plain functions only.
PivotSet<std::int32_t> pivot_set_i32() { return operations_of_all<std::int32_t>(ChoosingTags<std::int32_t>()); }
PivotSet<std::int64_t> pivot_set_i64() { return operations_of_all<std::int64_t>(ChoosingTags<std::int64_t>()); }
PivotSet<float> pivot_set_f32() { return operations_of_all<float>(ChoosingTags<float>()); }
PivotSet<double> pivot_set_f64() { return operations_of_all<double>(ChoosingTags<double>()); }

}  // namespace warpfold::paths::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
