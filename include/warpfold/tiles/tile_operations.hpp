#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/semiring.hpp"
#include "warpfold/tiles/tile_table.hpp"

/// The operations on tiles that the library has vector code for: functions behind pointers, so that a user's file needs
/// no SIMD header and runs at the speed of the machine's best instruction set.
namespace warpfold::tiles {

template <class T, class... Types>
inline constexpr bool is_one_of = (std::is_same_v<T, Types> || ...);

/// What joining value(i,k) and value(k,j) costs besides: left[i] * (middle[k] * right[j]). Each list has a number for
/// every point; the largest of `middle` times the largest of `right` has to fit T, however small `left` is.
/// `fused` lets the sum be rounded once instead of twice, where the processor can: exact for integers whose every
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

/// (min,+) for integers up to max/4 instead of max/16: for a problem that proves 4 W < max of its largest total W,
/// as Triangulation does.
template <class T>
struct BoundedMinPlus : MinPlus<T> {};

/// What closing a tile needs besides its entries and its two diagonal tiles. Tiles are row-major, contiguous and
/// aligned to 64 bytes.
template <class T>
struct Closing {
  const T* weight;        ///< a tile of them; one() where an entry has none
  T zero;                 ///< as it is stored
  T infinite;             ///< what is no better than this becomes zero; of integers under sums
  ProductSplit<T> split;  ///< the lists, from their beginning; null where there is no split
  std::size_t first_i;    ///< the point of the tile's first row
  std::size_t first_j;    ///< and column
};

/// The operations for one semiring. A tile's entries start out as zero, but for its leaves; on and below the diagonal
/// of a diagonal tile they stay zero.
template <class T>
struct TileOperations {
  /// c = plus(c, a (x) b) for whole tiles; meanwhile it asks for the two tiles that the next call will read. The
  /// split's pointers stand at the first row of a, the first column of a and the first column of b.
  void (*product)(T* c, const T* a, const T* b, const ProductSplit<T>& split, const T* next_a, const T* next_b);
  /// The same for one block of c, from `depth` entries of a block row of a and of a block column of b.
  void (*block_product)(T* c, const T* a, const T* b, std::size_t depth, const ProductSplit<T>& split);
  /// Finishes a tile on the diagonal: every entry becomes times(best, weight).
  void (*close_diagonal)(T* c, const Closing<T>& closing);
  /// Finishes an off-diagonal tile that has all its products, against the diagonal tile in its rows (`left`) and the
  /// one in its columns (`below`).
  void (*close)(T* c, const T* left, const T* below, const Closing<T>& closing);
};

/// Those of one type, in the order of its semirings that choose. A struct, because compilers give functions of arrays
/// of a computed size different symbols.
template <class T>
struct TileOperationSet {
  std::array<TileOperations<T>, ChoosingTags<T>::size> of_semirings;
};

/// For the processor's best instruction set, or for the forced one: of int32_t, int64_t, float or double. Each type has
/// a file of its own, tile_operations_<type>.cpp, so that they compile side by side.
template <class T>
[[nodiscard]] TileOperationSet<T> tile_operation_set();

/// Whether the library has them: the semirings that choose, over these types. Those whose times adds take a split.
template <class Semiring, class T = typename Semiring::Value>
inline constexpr bool has_tile_operations = is_one_of<T, std::int32_t, std::int64_t, float, double> &&
                                            (SemiringTraits<Semiring>::is_selective ||
                                             std::is_same_v<Semiring, BoundedMinPlus<T>>);

/// The operations of a semiring, for this processor's instruction set.
template <class Semiring, class T = typename Semiring::Value>
[[nodiscard]] TileOperations<T> tile_operations() {
  using Listed = std::conditional_t<std::is_same_v<Semiring, BoundedMinPlus<T>>, MinPlus<T>, Semiring>;
  return tile_operation_set<T>().of_semirings[SemiringTraits<Listed>::index];
}

}  // namespace warpfold::tiles
