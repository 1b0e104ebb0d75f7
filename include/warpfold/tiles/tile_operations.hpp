#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/semiring.hpp"
#include "warpfold/tiles/row_operations.hpp"
#include "warpfold/tiles/tile_table.hpp"

/// Vector code for the operations on tiles. A user's file calls it through function pointers. So it needs no SIMD
/// header and runs with the machine's best instruction set.
namespace warpfold::tiles {

template <class T, class... Types>
inline constexpr bool is_one_of = (std::is_same_v<T, Types> || ...);

/// The split of a join: left[i] * (middle[k] * right[j]), added to value(i,k) and value(k,j).
///
/// Each list has a number for every point. The largest `middle` times the largest `right` must fit T, however small
/// `left` is. `fused` allows one rounding of the sum instead of two, where the processor can do so, at twice the speed.
/// It is exact for integers if every total is below 2^53 (double) or 2^24 (float).
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

/// (min,+) for integers up to max/4 instead of max/16. The problem must prove 4 W < max for its largest total W, as
/// Triangulation does.
template <class T>
struct BoundedMinPlus : MinPlus<T> {};

/// What closing a tile needs besides its entries and its two diagonal tiles. Tiles are row-major, contiguous and
/// aligned to 64 bytes.
template <class T>
struct Closing {
  const T* weight;        ///< a tile of weights; one() for an entry without weight
  T zero;                 ///< zero() as it is stored
  T infinite;             ///< anything not better than this becomes zero; for integers whose times is a sum
  ProductSplit<T> split;  ///< the lists from their beginning; null without a split
  std::size_t first_i;    ///< the point of the tile's first row
  std::size_t first_j;    ///< the point of its first column
};

/// The operations on tiles for one semiring. Before its products, a tile's entries are zero except for its leaves.
/// Entries on and below the diagonal of a diagonal tile stay zero.
template <class T>
struct TileOperations {
  /// c = plus(c, a (x) b) for whole tiles. Prefetches the two tiles that the next call reads. The split's pointers
  /// point to the first row of a, the first column of a and the first column of b.
  void (*product)(T* c, const T* a, const T* b, const ProductSplit<T>& split, const T* next_a, const T* next_b);
  /// The same for one block of c: the first `depth` entries of a block row of a and of a block column of b.
  void (*block_product)(T* c, const T* a, const T* b, std::size_t depth, const ProductSplit<T>& split);
  RowOperations<T> rows;
  /// Finishes a diagonal tile: every entry becomes times(best, weight).
  void (*close_diagonal)(T* c, const Closing<T>& closing);
  /// Finishes an off-diagonal tile that has all its products. `left` is the diagonal tile in its rows, `below` the one
  /// in its columns.
  void (*close)(T* c, const T* left, const T* below, const Closing<T>& closing);
};

/// The operations of one value type, in the order of ChoosingTags. It is a struct because compilers give functions that
/// return arrays of a computed size different symbols.
template <class T>
struct TileOperationSet {
  std::array<TileOperations<T>, ChoosingTags<T>::size> of_semirings;
};

/// The operations for the processor's best instruction set, or for the forced one. T is int32_t, int64_t, float or
/// double. Each type has a file tile_operations_<type>.cpp, so that they compile in parallel.
template <class T>
[[nodiscard]] TileOperationSet<T> tile_operation_set();

/// Whether the library has vector code for this semiring over T. Semirings whose times is a sum take a split.
template <class Semiring, class T = typename Semiring::Value>
inline constexpr bool has_tile_operations = is_one_of<T, std::int32_t, std::int64_t, float, double> &&
                                            (SemiringTraits<Semiring>::is_selective ||
                                             std::is_same_v<Semiring, BoundedMinPlus<T>>);

/// The operations of one semiring, as `tile_operation_set` selects them.
template <class Semiring, class T = typename Semiring::Value>
[[nodiscard]] TileOperations<T> tile_operations() {
  using Listed = std::conditional_t<std::is_same_v<Semiring, BoundedMinPlus<T>>, MinPlus<T>, Semiring>;
  return tile_operation_set<T>().of_semirings[SemiringTraits<Listed>::index];
}

}  // namespace warpfold::tiles
