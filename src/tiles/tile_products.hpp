#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "warpfold/core/semiring.hpp"
#include "warpfold/tiles/tile_table.hpp"

namespace warpfold::tiles {

/// An index as wide as T, so that both have the same number of lanes.
template <class T>
using TileIndex = std::conditional_t<(sizeof(T) < 8), std::int32_t, std::int64_t>;

/// Products of tiles for one semiring and instruction set. Tiles are tile_side x tile_side, row-major, contiguous and
/// aligned to 64 bytes; the first `depth` columns of a and rows of b take part.
template <class T>
struct TileProducts {
  /// c = plus(c, a (x) b); meanwhile it asks for the two whole tiles that the next call will read.
  void (*accumulate)(T* c, const T* a, const T* b, std::size_t depth, const T* next_a, const T* next_b);
  /// The same, and where a candidate was better, index becomes the first such k, counted from first_k. Null for count
  /// and for types below 32 bits.
  void (*accumulate_argmin)(T* c, TileIndex<T>* index, const T* a, const T* b, std::size_t depth, std::size_t first_k);
};

/// Those of one signed type, for the semirings that choose.
template <class T>
struct TileProductSet {
  TileProducts<T> min_plus;
  TileProducts<T> max_plus;
  TileProducts<T> min_max;
  TileProducts<T> max_min;
};

/// The products for the processor's best instruction set, or for the forced one: MinPlus, MaxPlus, MinMax and MaxMin of
/// int16_t, int32_t, int64_t, float and double; OrAnd; Counting of uint64_t, which wraps, and double, which rounds.
template <class Semiring>
[[nodiscard]] TileProducts<typename Semiring::Value> tile_products();

}  // namespace warpfold::tiles
