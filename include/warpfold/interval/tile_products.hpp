#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "warpfold/core/semiring.hpp"

/// The products of tiles that the library has vector code for, for `recurrence.hpp`: functions behind pointers, so that
/// a user's file needs no SIMD header and runs at the speed of the machine's best instruction set.
namespace warpfold::interval {

template <class T, class... Types>
inline constexpr bool is_one_of = (std::is_same_v<T, Types> || ...);

/// Entries along a side of a tile, and of the blocks by which a tile is closed.
inline constexpr std::size_t recurrence_tile_side = 64;
inline constexpr std::size_t recurrence_block_side = 8;

/// What joining value(i,k) and value(k,j) costs besides: left[i] * (middle[k] * right[j]). Null: nothing.
/// `fused` lets the sum be rounded once instead of twice, where the processor can: exact for whole numbers whose every
/// total stays below 2^53 (double) or 2^24 (float), and then twice as fast.
template <class T>
struct ProductSplit {
  const T* left = nullptr;
  const T* middle = nullptr;
  const T* right = nullptr;
  bool fused = false;

  [[nodiscard]] T operator()(std::size_t i, std::size_t k, std::size_t j) const {
    return static_cast<T>(left[i] * static_cast<T>(middle[k] * right[j]));
  }
};

/// c = plus(c, a (x) b). Tiles are row-major and contiguous, aligned to 64 bytes. The split's pointers stand at the
/// first row of a, the first column of a and the first column of b.
template <class T>
struct TileProducts {
  /// Whole tiles; meanwhile it asks for the two tiles that the next call will read.
  void (*tile)(T* c, const T* a, const T* b, const ProductSplit<T>& split, const T* next_a, const T* next_b);
  /// One block of c, from `depth` entries of a block row of a and of a block column of b; rows are a tile side apart.
  void (*block)(T* c, const T* a, const T* b, std::size_t depth, const ProductSplit<T>& split);
};

/// Those of one type, for the semirings that the library has.
template <class T>
struct TileProductSet {
  TileProducts<T> min_plus;
  TileProducts<T> max_plus;
  TileProducts<T> min_max;
  TileProducts<T> max_min;
};

/// Whether the library has them: (min,+), (max,+), (min,max) and (max,min) over int32_t, int64_t, float and double.
/// Only the first two take a split.
template <class Semiring>
inline constexpr bool has_tile_products = false;
template <template <class> class Semiring, class T>
inline constexpr bool has_tile_products<Semiring<T>> = is_one_of<T, std::int32_t, std::int64_t, float, double>&&
    is_one_of<Semiring<T>, MinPlus<T>, MaxPlus<T>, MinMax<T>, MaxMin<T>>;
/// For the semirings above.
template <class Semiring>
[[nodiscard]] TileProducts<typename Semiring::Value> tile_products();

}  // namespace warpfold::interval
