#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "warpfold/minplus/semiring.hpp"

namespace warpfold::minplus {

/// Entries along a side of a tile on the CPU: three tiles of f32 fill the first level of cache (48 KiB) of Zen 5.
inline constexpr std::size_t tile_side = 64;

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

/// The products for the processor's best instruction set, or for the forced one. T: uint8_t for or_and, int16_t,
/// int32_t (or_and too, on 0 and 1), int64_t, float, double (count too), uint64_t for count, which wraps.
template <class T>
[[nodiscard]] TileProducts<T> tile_products(Semiring::Kind kind = Semiring::min_plus);

}  // namespace warpfold::minplus
