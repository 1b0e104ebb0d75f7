#pragma once

#include <array>
#include <cstddef>

#include "tiles/cpu/tile_products.hpp"

namespace warpfold::paths {

using tiles::tile_side;
using tiles::TileIndex;

/// Turns of the recurrence that a tile takes one by one before a product does the rest of them.
inline constexpr std::size_t strip = 8;

/// A tile of lengths, with successors or null, and the tiles that keep each turn's row and column as it found them:
/// entry k of `rows` is row k of the lengths at turn k, column k of `columns` their column k.
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
  /// In the strip's rows: `lengths` lie right or left of the diagonal tile, and `columns` are its own, or, where
  /// `diagonal`, they are the diagonal tile and `columns` is filled in, for these rows.
  void (*rows)(const PivotTile<T>& tile, std::size_t first, bool diagonal);
  /// In the strip's columns: `lengths` lie above or below the diagonal tile, `rows` are its own, and `columns` is
  /// filled in; where `diagonal`, in the rows alone that the strip does not have.
  void (*columns)(const PivotTile<T>& tile, std::size_t first, bool diagonal);
  /// After a product with argmin: where a intermediate vertex is not below 0, the successors become those of the
  /// product's left factor, whose column it is.
  void (*take)(TileIndex<T>* successors, const TileIndex<T>* middle, const TileIndex<T>* left_successors);
};

/// Those of one type, in the order of its semirings that choose.
template <class T>
using PivotSet = std::array<PivotOperations<T>, ChoosingTags<T>::size>;

/// Those of the processor's best instruction set, or of the forced one: of int32_t, int64_t, float or double.
template <class T>
[[nodiscard]] PivotSet<T> pivot_set();

template <class Semiring>
[[nodiscard]] PivotOperations<typename Semiring::Value> pivot_operations() {
  return pivot_set<typename Semiring::Value>()[SemiringTraits<Semiring>::index];
}

}  // namespace warpfold::paths
