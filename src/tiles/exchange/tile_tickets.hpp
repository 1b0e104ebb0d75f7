#pragma once

#include <cstddef>

/// The order in which GPUs work on tiles, as plain arithmetic for hosts and devices.
///
/// Thread blocks take tiles in task order, diagonal by diagonal. A tile waits only for tiles with smaller task numbers.
/// So running blocks can always finish the tiles that others wait for. A tile's products run from the middle outwards.
/// The middle operands are final first, so a block ahead of its diagonal has work before the last two products are
/// ready.
namespace warpfold::tiles {

/// The state of a tile, as bits: it is final, it comes from elsewhere (device_exchange.hpp), all but its upper right
/// quarter is final, or a further copy of the table does not get it. There are up to 29 further copies, counted from 1.
inline constexpr unsigned is_final = 1, comes_from_elsewhere = 2, is_final_but_corner = 4, max_further_copies = 29;
[[nodiscard]] constexpr unsigned withheld_from(unsigned copy) { return 4U << copy; }

struct TilePlace {
  unsigned i;
  unsigned j;
};

/// The first task of tile diagonal d.
[[nodiscard]] constexpr unsigned first_task(unsigned diagonal, unsigned tiles) {
  return static_cast<unsigned>(std::size_t{diagonal} * (2 * std::size_t{tiles} - diagonal + 1) / 2);
}

/// The tile of a task; task < tiles * (tiles + 1) / 2. A binary search: 11 steps for n = 131072.
[[nodiscard]] constexpr TilePlace task_tile(unsigned task, unsigned tiles) {
  unsigned low = 0, high = tiles;  // first_task(low) <= task < first_task(high)
  while (high - low > 1) {
    const unsigned middle = (low + high) / 2;
    (first_task(middle, tiles) <= task ? low : high) = middle;
  }
  const unsigned i = task - first_task(low, tiles);
  return {i, i + low};
}

/// The middle tile of the step-th product of a tile on diagonal d is i + middle_out(step, d), step = 0 .. d-2.
[[nodiscard]] constexpr unsigned middle_out(unsigned step, unsigned diagonal) {
  const unsigned half = diagonal / 2;
  if (diagonal % 2 == 0) return step % 2 == 0 ? half + step / 2 : half - (step + 1) / 2;
  return step % 2 == 0 ? half - step / 2 : half + 1 + step / 2;
}

/// The same for tiles that are made in square groups of `group` tiles along a side (TileScheduler): the middle tiles
/// outside the two groups, from the middle outwards, then those inside, from the first.
class MiddlesOfGroup {
 public:
  constexpr MiddlesOfGroup(TilePlace tile, unsigned group) {
    const unsigned first = tile.j / group * group, after = (tile.i / group + 1) * group;
    between_ = first > after ? first - after : 0;
    before_ = after - 1 - tile.i;
    below_ = (after < tile.j ? after : tile.j) - tile.i;
  }
  /// The middle tile of the step-th product, counted from the tile's row.
  constexpr unsigned operator()(unsigned step) const {
    if (step < between_) return before_ + middle_out(step, between_ + 1);
    const unsigned inside = 1 + step - between_;
    return inside < below_ ? inside : inside + between_;
  }

 private:
  unsigned between_, before_, below_;
};

}  // namespace warpfold::tiles
