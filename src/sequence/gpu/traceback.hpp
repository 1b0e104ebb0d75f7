#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sequence/gpu/layout.hpp"

/// The walk back through the table of a GPU, in rounds. The table is cut into segments of some rows. A round computes
/// the choices of cells again, where the walk may come to, in many segments at the same time. From each column in which
/// the walk may enter a segment, a thread finds where it leaves it. Then the true walk is followed from segment to
/// segment by one look each, and all segments on it write their edits at the same time. The path that the walk is
/// expected on is a straight line to cell (0,0). Where it leaves the segments' columns, the next round begins.
namespace warpfold::sequence::cuda {

/// A cell.
struct Position {
  std::uint32_t i, j;
  bool operator==(const Position&) const = default;
};

/// The columns of a strip whose choices are kept.
struct Window {
  std::uint32_t strip;
  std::uint32_t left, right;          ///< columns `left` + 1 .. `right` of the table
  std::uint32_t first_chunk, chunks;  ///< that compute them, from a kept state on
  std::uint64_t choices;              ///< where the window's begin, see `choice_of`

  [[nodiscard]] constexpr std::uint32_t columns() const { return right - left; }
};

/// Rows `top` + 1 .. `bottom` of the table.
struct Segment {
  std::uint32_t window;
  std::uint32_t top, bottom;
  std::uint32_t left;                  ///< the walk stops at this column
  std::uint32_t first_entry, entries;  ///< columns in which the walk may enter row `bottom`
  std::uint32_t exits, runs;           ///< where the segment's begin
};

struct Round {
  std::vector<Window> windows;
  std::vector<Segment> segments;  ///< the walk's own first
};

/// The first choice of a window from its begin: of lane `lane` in a step in which its first stripe is in column `step`
/// of the window, for K rows.
constexpr std::uint64_t choice_of(std::uint32_t lane, std::uint32_t step, std::uint32_t columns, unsigned rows) {
  return (std::uint64_t{lane} * (columns + warp) + step) * rows;
}

/// The round that begins at a cell, for i, j > 0. `max_segments`: at least 1.
[[nodiscard]] Round round_from(const Position& at, const Layout& layout, std::size_t max_segments);

/// The choices that a round can keep, each 8 bytes.
[[nodiscard]] std::size_t max_choices(const Layout& layout);
/// On the device, for a round.
[[nodiscard]] std::size_t traceback_bytes(const Layout& layout);

}  // namespace warpfold::sequence::cuda
