#pragma once

#include <cstddef>

/// The vector loops of kernels-inl.h for this processor's best instruction set. Fetch them once per solve.
namespace warpfold::interval::sparse {

/// Vertices along a side of a tile. Its values are row-major.
inline constexpr std::size_t tile_side = 8;
inline constexpr std::size_t tile_size = tile_side * tile_side;

/// One k of a product of tiles.
template <class T>
struct Step {
  const T* left;   ///< value(i,k) at left[tile_side * i]
  const T* right;  ///< value(k,j) at right[j]
};

template <class T>
struct Kernels {
  /// best(i,j) = min(best(i,j), value(i,k) + value(k,j)) for every step's k and all i, j of a tile.
  void (*accumulate)(const Step<T>* steps, std::size_t count, T* best);
  /// Finishes a tile. `best` has the least candidates of all k between the tile's rows and columns. `tile` has the
  /// weights and, afterwards, the values. `rows` is the finished diagonal tile of its rows; it is null for a diagonal
  /// tile, which is its own. `columns` is that of its columns. Sums from `lowest_infinity` on contain an infinity.
  void (*close)(const T* rows, const T* columns, T lowest_infinity, T* best, T* tile);
};

template <class T>
[[nodiscard]] Kernels<T> kernels();

}  // namespace warpfold::interval::sparse
