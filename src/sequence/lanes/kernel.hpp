#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sequence/backends.hpp"

/// Many pairs at once, a bit of a vector each.
///
/// Differences between neighboring entries are one or two bits, as in slices/kernel.hpp. A vector holds one difference
/// of L pairs, so the entry above is the vector before, and nothing moves between bits. Tables of different sizes share
/// the vectors:
///
/// * Columns are aligned at the end. Before its column 0 a pair gets h = -1 (LCS: 1) from above, which keeps v = +1
///   (LCS: 0) as it is.
/// * Rows are aligned at the beginning. Those that a pair lacks are left out of its sum.
///
/// With a bound k, a column computes only the rows whose diagonals a script of cost k can reach. The entries above and
/// below such a band grow by one with each step, so they are the costs of some scripts.
namespace warpfold::sequence::lanes {

inline constexpr std::size_t columns_together = 4;  ///< C, which share the planes of a row
inline constexpr std::size_t max_planes = 8;
inline constexpr std::size_t block = 16;  ///< symbols that are transposed at once, of as many sequences

/// The tables of L pairs. All vectors have L bits.
struct Tables {
  std::size_t rows, columns;        ///< of the largest; columns is a multiple of C
  std::size_t planes;               ///< p, the bits of a symbol
  const std::uint64_t* a;           ///< row by row the planes of A; for common subsequences inverted
  const std::uint64_t* b;           ///< column by column the planes of B
  const std::uint64_t* has_row;     ///< row by row the pairs that have it
  const std::uint64_t* has_column;  ///< column by column the pairs that have it
  std::ptrdiff_t above, below;      ///< column t works on rows t + above to t + below - 1
  std::uint64_t* v;                 ///< of every row: +1, and of edits also -1
};

/// The functions of an instruction set.
struct Functions {
  std::size_t pairs;    ///< L
  std::size_t vectors;  ///< of v in a row
  /// Sets v of all rows to its values before column 0.
  void (*begin)(const Tables& tables);
  /// Advances from column `first` to column `end`.
  void (*advance)(const Tables& tables, std::size_t first, std::size_t end);
  /// Adds v, of edits v + 1, over the rows from 0 of which the pair has row i + `shift`. Sets `sums` of each pair.
  void (*sum)(const Tables& tables, std::size_t shift, std::uint32_t* sums);
};
[[nodiscard]] Functions functions(Measure measure, std::size_t planes);

/// Puts `block` symbols of `block` sequences side by side: symbol i of sequence s to `to[i * stride + s]`.
using Transpose = void (*)(const std::uint8_t* const* from, std::uint8_t* to, std::size_t stride);
[[nodiscard]] Transpose transpose();

/// Splits L bytes into vectors of bits: bit q of vector p says whether byte q has the bit `bits[p]`.
using Split = void (*)(const std::uint8_t* bytes, const std::uint8_t* bits, std::size_t planes, std::uint64_t* to);
[[nodiscard]] Split split();

/// A set of bytes: bit h % 8 of entry l + 16 (h / 8) says whether it has the byte of the low half l and the high half
/// h.
using ByteSet = std::array<std::uint8_t, 32>;
/// Whether a set has all of some bytes.
using HasAll = bool (*)(const ByteSet& set, const std::uint8_t* bytes, std::size_t count);
[[nodiscard]] HasAll has_all();

}  // namespace warpfold::sequence::lanes
