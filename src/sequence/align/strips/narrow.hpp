#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

/// The kernel for global and semi-global alignments in 8 bits: the passes of kernel.hpp by vectors of twice the lanes,
/// each the lanes of both halves. The words of a lane are cut into groups. The values of a group are relative to a base
/// of its own, which moves every few columns, so that H of the group's first row is `corner` again. From group to group
/// and from lane to lane, values move to the next base.
///
/// Between two chunks a strip keeps its values in 16 bits, as the other kernel does. So borders, states and walks are
/// the same.
namespace warpfold::sequence::alignment::strips {

/// How a strip is computed in 8 bits.
struct NarrowStrip {
  std::size_t group;          ///< words that have a base
  std::size_t columns;        ///< between two moves of the bases
  std::uint8_t corner;        ///< H of a group's first row after a move
  std::int64_t least_score;   ///< scores below it count as this one
  const std::uint8_t* codes;  ///< the scores of a code and each row, word by word and code by code; or the rows' codes
  std::uint8_t* memory;       ///< that the kernel works in
  // What is kept of all columns for a walk, or null. Column 0 is the one before the chunk, where `kept_carried` is 0.
  std::uint8_t* kept_best;     ///< H column by column, word by word
  std::uint8_t* kept_carried;  ///< the best deletions into the lanes, column by column
  std::uint16_t* kept_bases;   ///< of all groups: at first, and after each move

  [[nodiscard]] std::size_t groups(std::size_t words) const { return (words + group - 1) / group; }
  /// The moves up to a column and with it, from 0 for the column before the chunk.
  [[nodiscard]] std::size_t moves(std::size_t column) const { return column == 0 ? 0 : (column - 1) / columns; }
  /// The bytes of `memory`, for vectors of so many lanes.
  [[nodiscard]] static constexpr std::size_t memory_bytes(std::size_t words, std::size_t lanes) {
    constexpr std::size_t costs = 6, others = 10;
    return (4 * words + costs + others) * lanes;
  }
};

/// The largest groups and the fewest moves for which no value leaves 8 bits. Nothing: there are none. `rise`: what H,
/// with its bias, rises at most from a row or column to the next one, besides a gap that was opened once. `min_score`:
/// the least score with its bias. `slack`: what H may rise or fall besides, once.
[[nodiscard]] std::optional<NarrowStrip> narrow_strip(std::int64_t open, std::int64_t rise, std::int64_t min_score,
                                                      std::int64_t slack = 0);

}  // namespace warpfold::sequence::alignment::strips
