#pragma once

#include <cstddef>
#include <cstdint>

/// The kernel for time warping, in skewed lanes. A strip of the table has L K rows: lane q of a vector has the rows
/// q K .. q K + K - 1, one in each of K words. Counted over all strips, lane g works C columns behind lane g - 1. So
/// the row above is the word before in the same lane, and only between the last word and the first one values move on
/// by a lane, C times in K words. A step is C columns of all rows: in each row the C cells follow each other, and the
/// processor overlaps them with those of the next rows.
///
///     D = distance + min(min(diagonal, above), left)
///
/// Five operations for a vector of cells of one dimension, three loads and stores for C of them. Before its first
/// column a lane has infinity, which stays infinity: no masks.
namespace warpfold::sequence::warp::strips {

inline constexpr std::size_t columns_together = 4;  ///< C

/// What the kernel takes and gives.
template <class T>
struct Steps {
  std::size_t words, steps, dimensions;
  /// D of the column before, word by word; then the last row's C columns of the step before; then D above the first
  /// row in the last of these columns.
  T* state;
  const T* rows;                     ///< the points of all rows: word by word, dimension by dimension
  T* columns;                        ///< the points of the step before: column by column, dimension by dimension
  const T* points;                   ///< the points of lane 0, column by column
  const T* above;                    ///< D of the row above lane 0, of its columns
  T* below;                          ///< set to D of a row of the strip, of its lane's columns
  std::size_t last_word, last_lane;  ///< the row of `below`
  /// Null, or set to D of all cells: step by step, word by word, column by column, with one more word before the first,
  /// for the row above. The first step is the one before.
  T* tile;
  /// Null, or by how much a lane's first row in the first column may move on in the band: to the right, and down. A
  /// cell is in the band if both are at least 0.
  T* right;
  T* down;
};

/// Advances a strip by some steps.
template <class T>
using Advance = void (*)(const Steps<T>& steps);

/// The kernel for the best instruction set of this processor.
template <class T>
[[nodiscard]] Advance<T> kernel(bool is_squared, bool is_one_dimensional, bool is_banded);
/// The lanes of a vector.
template <class T>
[[nodiscard]] std::size_t lanes();

/// The cells of the kernel in registers: what no arrangement of them exceeds.
struct CeilingLoop {
  double cells;   ///< of one call
  double result;  ///< of all cells, so that a compiler keeps them
};
template <class T>
[[nodiscard]] CeilingLoop run_ceiling_loop(std::size_t rounds);

}  // namespace warpfold::sequence::warp::strips
