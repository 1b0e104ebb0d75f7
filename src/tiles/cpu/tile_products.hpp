#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "tiles/tuning.hpp"
#include "warpfold/core/semiring.hpp"
#include "warpfold/tiles/tile_table.hpp"

namespace warpfold::tiles {

/// An index as wide as T, so that vectors of both have the same number of lanes.
template <class T>
using TileIndex = std::conditional_t<(sizeof(T) < 8), std::int32_t, std::int64_t>;

/// Products of tiles for one semiring and instruction set. Tiles are tile_side x tile_side, row-major, contiguous and
/// aligned to 64 bytes. The first `depth` columns of a and rows of b take part.
template <class T>
struct TileProducts {
  /// c = plus(c, a (x) b). Prefetches the two whole tiles that the next call reads.
  void (*accumulate)(T* c, const T* a, const T* b, std::size_t depth, const T* next_a, const T* next_b);
  /// The same with argmin: where a candidate is better, index becomes the first such k, counted from first_k. This one
  /// and the next ones are null for counting semirings and for types below 32 bits.
  void (*accumulate_argmin)(T* c, TileIndex<T>* index, const T* a, const T* b, std::size_t depth,
                            std::size_t first_k) = nullptr;
  /// The same, but `label` becomes the entry of `labels` that is where a's is.
  void (*accumulate_labels)(T* c, TileIndex<T>* label, const T* a, const T* b, std::size_t depth,
                            const TileIndex<T>* labels) = nullptr;
  /// The same, but where results become better, `note` tells the `noted_terms` terms that did it last: their offset
  /// from the line's first entry, counted from `first`. It takes less time, and one of the searches the rest.
  void (*accumulate_noting)(T* c, TileIndex<T>* note, const T* a, const T* b, std::size_t depth, TileIndex<T> first,
                            const T* next_a, const T* next_b) = nullptr;
  /// Makes the notes of a tile's results the first k whose term is the result. Negative notes stay. a: the first middle
  /// tile; b: the first, transposed. The other middle tiles follow each.
  void (*find_first)(const T* c, TileIndex<T>* note, const T* a, const T* b) = nullptr;
  /// The same, but makes them the entry of `labels` that is where a's is.
  void (*find_labels)(const T* c, TileIndex<T>* note, const T* a, const T* b, const TileIndex<T>* labels) = nullptr;
};

/// The products of one value type, in the order of its semirings.
template <class T>
using TileProductSet = std::array<TileProducts<T>, Tags<T>::size>;

/// The products for the processor's best instruction set, or for the forced one. T is uint8_t, int16_t, int32_t,
/// int64_t, uint64_t, float or double. Counting wraps (uint64_t) or rounds (double).
template <class T>
[[nodiscard]] TileProductSet<T> tile_product_set();

template <class Semiring>
[[nodiscard]] TileProducts<typename Semiring::Value> tile_products() {
  return tile_product_set<typename Semiring::Value>()[SemiringTraits<Semiring>::index];
}

}  // namespace warpfold::tiles
