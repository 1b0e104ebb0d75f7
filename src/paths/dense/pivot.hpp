#pragma once

#include <array>
#include <cstddef>

#include "tiles/cpu/tile_products.hpp"

namespace warpfold::paths {

using tiles::noted_terms;
using tiles::tile_side;
using tiles::TileIndex;

/// The number of turns that are applied to a tile one by one, before a product applies the rest.
inline constexpr std::size_t strip = 8;

/// A tile of lengths, with successors or null. Two more tiles keep each turn's row and column as the turn found them.
/// Entry k of `rows` is row k of the lengths at turn k, and column k of `columns` is their column k.
template <class T>
struct PivotTile {
  T* lengths;
  TileIndex<T>* successors;
  T* rows;
  T* columns;
  TileIndex<T>* column_successors;
};

/// The turns first .. first + strip-1 of a pivot tile, for one semiring and instruction set.
template <class T>
struct PivotOperations {
  /// Applies them in the strip's rows. `lengths` are right or left of the diagonal tile, and `columns` are those of
  /// that tile. With `diagonal`, `lengths` are the diagonal tile, and `columns` is filled in for these rows.
  void (*rows)(const PivotTile<T>& tile, std::size_t first, bool diagonal);
  /// Applies them in the strip's columns. `lengths` are above or below the diagonal tile, `rows` are those of that
  /// tile, and `columns` is filled in. With `diagonal` this is done only in the rows outside the strip.
  void (*columns)(const PivotTile<T>& tile, std::size_t first, bool diagonal);
  /// Where `after` is better than `before`, `notes` become `note`: in the columns first .. end-1 of a tile, both
  /// multiples of noted_terms.
  void (*note)(const T* before, const T* after, TileIndex<T>* notes, TileIndex<T> note, std::size_t first,
               std::size_t end);
};

/// The functions of one type, in the order of its selective semirings.
template <class T>
using PivotSet = std::array<PivotOperations<T>, ChoosingTags<T>::size>;

/// Returns the functions for the processor's best instruction set, or the forced one. T is int32_t, int64_t, float or
/// double.
template <class T>
[[nodiscard]] PivotSet<T> pivot_set();

template <class Semiring>
[[nodiscard]] PivotOperations<typename Semiring::Value> pivot_operations() {
  return pivot_set<typename Semiring::Value>()[SemiringTraits<Semiring>::index];
}

}  // namespace warpfold::paths
