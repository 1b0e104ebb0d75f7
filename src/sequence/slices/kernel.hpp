#pragma once

#include <cstddef>
#include <cstdint>

#include "sequence/backends.hpp"

/// The dense kernel: differences of neighboring cells as bits, in skewed stripes, without an adder.
///
/// A vector of L bits and K words hold L K rows, a strip. Stripe q is one bit, with the K rows q K .. q K + K - 1 of
/// the strip. It is bit q / lanes of lane q mod lanes. In step t it works on the columns (t - q) C .. (t - q) C + C
/// - 1. So the row above is the word before in the same bit; once in K words the bits move to the next stripe.
///
/// With n = "the symbols differ", h the difference from the column before, v the one from the row above:
///
///     LCS:            h' = (h or not n) and not v,   v' = (v or not n) and not h.
///     edit distance:  s = n and not (v = -1) and not (h = -1), the cell is one more than its diagonal neighbor;
///                     h' = +1 if v = -1 or s and v <= 0,   h' = -1 if v = +1 and not s,   and v' with h and v swapped.
///
/// Before its column 0 a stripe gets h = -1 (LCS: 1) from the stripe before, which keeps its rows as they are: v = +1
/// (LCS: 0). A strip with other v at its left border sets those of a stripe in its first step. Rows above the first row
/// of A have v = -1 (LCS: 1) there, keep it, and hand on h = +1 (LCS: 0).
namespace warpfold::sequence::slices {

inline constexpr std::size_t columns = 4;                               ///< C, the columns of a stripe in one step
inline constexpr std::size_t chunk_steps = 32;                          ///< steps in one call of the kernel
inline constexpr std::size_t chunk_words = chunk_steps * columns / 64;  ///< words of the bits of a row in a chunk
inline constexpr std::size_t max_lanes = 8;                             ///< words of a vector

/// What the kernel takes and gives.
struct Chunk {
  const std::uint64_t* rows;  ///< the planes of A, word by word; for common subsequences inverted
  std::size_t words;          ///< K
  std::size_t planes;
  /// Between two chunks, in vectors: v of word 0, .., v of word K - 1, then h of the C columns as it left word K - 1.
  /// Of edits v and h are two vectors each, +1 first.
  std::uint64_t* state;
  /// The planes of B: column by column, the planes of each, `window_words` words of each.
  const std::uint64_t* window;
  std::uint64_t above[2][chunk_words];  ///< h above the strip, for the columns of stripe 0
  std::uint64_t below[2][chunk_words];  ///< set to h of the last row, for the columns of the last stripe
  /// If not null, set to what a walk needs: of every step, word and column s and v = +1 (LCS: v).
  std::uint64_t* steps;
  std::size_t first_step;
  const std::uint64_t* left;  ///< v at the left border as in `state`, or null: +1 (LCS: 0)
  /// If not null, set to v at the left of a column, for those stripes that come to it. `right_step`: stripe 0 does.
  std::uint64_t* right;
  std::size_t right_step;
};

/// Words in the window: those of the chunk's steps, last to first, and of the `max_lanes` steps before.
inline constexpr std::size_t window_words = chunk_steps + max_lanes;

/// Advances a strip by one chunk of steps.
using Advance = void (*)(Chunk& chunk);

/// The planes that the kernel works on: at least those of the codes.
[[nodiscard]] constexpr std::size_t planes_of_kernel(std::size_t planes) { return planes == 7 ? 8 : planes; }

/// The kernel for the best instruction set of this processor. Fetch it once per solve. `keeps_steps`: whether
/// Chunk::steps is set.
[[nodiscard]] Advance kernel(Measure measure, std::size_t planes, bool keeps_steps);
[[nodiscard]] std::size_t lanes();

}  // namespace warpfold::sequence::slices
