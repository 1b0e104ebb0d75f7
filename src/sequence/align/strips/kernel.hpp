#pragma once

#include <cstddef>
#include <cstdint>

#include "sequence/align/strips/narrow.hpp"

/// The kernel for affine gaps, row by row of lanes. A strip of the table is two halves of K words; lane q of a half
/// holds its rows q K .. q K + K - 1, one in each word. A column of a half is one pass over its words, in which all
/// lanes compute their rows at the same time. So a deletion that goes on from one lane to the next comes too late. The
/// scan at the column's end computes `carried`, the best such deletion at the first row of each lane, and the pass of
/// the next column adds it to H as it loads H: it changes no other value of its column, because a gap that is opened
/// from it is worse than the gap itself. The halves take turns, the second one a column behind, so that the scan of one
/// is computed beside the pass of the other.
///
/// Values are unsigned, relative to a base, and 0 is less than all of them. With `extend` = e they are biased by
/// e (i + j), so that to extend a gap costs nothing; those of local alignments are not:
///
///     h = max(H[k], carried),  E[k] = max(E[k], h - open),  t = max(diagonal + score, E[k]),
///     H[k] = max(t, F),        F = max(F, t - open).
///
/// Eight operations for a vector of cells, three loads and two stores. Local alignments take five more.
namespace warpfold::sequence::alignment::strips {

inline constexpr std::size_t max_vector_bytes = 64;

/// One half of a strip. Pointers are to vectors but for the borders.
template <class T>
struct Half {
  /// H of the column before the chunk, word by word. Column j of the chunk, from 0, is stored Chunk::column_size (j +
  /// 1) behind it.
  T* best;
  T* inserted;  ///< E of the column before, then of the last one
  T* carried;   ///< Chunk::zero for the column before; column j is stored Chunk::carried_size (j + 1) behind it
  /// The scores of a code and each row, word by word and code by code; or the rows' codes.
  const T* profile;
  const T* above_best;     ///< H of the row above, of the column before and of all columns
  const T* above_deleted;  ///< F of the first row, of all columns
  T* below_best;           ///< the same of a row of the half, and F of the row below the half
  T* below_deleted;
  std::size_t last_word, last_lane;  ///< the row of `below_best`
};

/// What the kernel takes and gives.
template <class T>
struct Chunk {
  Half<T> half[2];
  std::size_t halves, words, columns;
  std::size_t column_size, carried_size;  ///< 0 each if only the last column is kept
  std::size_t profile_size;               ///< between two codes of a profile
  const T* symbols;                       ///< the codes of B
  T open;                                 ///< to open a gap, and for local alignments to extend it by its first symbol
  T extend, zero;                         ///< of local alignments, otherwise 0: to extend a gap; the value of 0
  T match, mismatch;                      ///< if `profile` has codes
  NarrowStrip narrow;                     ///< for the kernel of 8 bits
  T best;                                 ///< set to the largest H of a local alignment, if there is one
};

/// Advances a strip by a chunk of columns.
template <class T>
using Advance = void (*)(Chunk<T>& chunk);

/// The kernel for the best instruction set of this processor. `compares`: whether Half::profile has codes.
template <class T>
[[nodiscard]] Advance<T> kernel(bool is_local, bool compares);
/// The kernel of narrow.hpp, or null where there is none.
[[nodiscard]] Advance<std::uint16_t> narrow_kernel(bool compares);
/// The lanes of a vector.
template <class T>
[[nodiscard]] std::size_t lanes();

/// The cells of the kernel in registers, 8 or 16 bits each: what no arrangement of them exceeds.
struct CeilingLoop {
  double cells;          ///< of one call
  std::uint64_t result;  ///< of all cells, so that a compiler keeps them
};
[[nodiscard]] CeilingLoop run_ceiling_loop(std::size_t bits, std::size_t rounds);

}  // namespace warpfold::sequence::alignment::strips
