#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

/// Algorithm UMM-OPT (umm-dynamic-programming-2013, section IV) on tiles instead of numbers, as plain arithmetic for
/// hosts and devices. Tile (i,j) lies on tile diagonal j-i. Stage r = 2 .. tiles-1 starts once diagonal r-1 is final
/// and applies every product tile(i,k) (x) tile(k,j), i < k < j, whose larger operand lies on diagonal r-1; they go to
/// the diagonals r .. 2r-2, each product exactly once over all stages. Diagonal r of them is on the critical path:
/// closed first, it lets stage r+1 start while the rest of stage r runs. Products with a tile on the diagonal belong to
/// `close`.
namespace warpfold::interval {

/// The last tile diagonal that stage r reaches.
[[nodiscard]] constexpr std::size_t last_target(std::size_t stage, std::size_t tiles) {
  return std::min(2 * stage - 2, tiles - 1);
}

/// The middle tiles k of the products that a stage applies to one target tile: one or two.
struct StageSplits {
  std::array<std::size_t, 2> k;
  std::size_t count;
};

/// The products of stage r for target (i,j), r <= j-i <= last_target(r).
[[nodiscard]] constexpr StageSplits stage_splits(std::size_t i, std::size_t j, std::size_t stage) {
  const std::size_t left = j - (stage - 1);   // the right operand lies on diagonal stage-1
  const std::size_t right = i + (stage - 1);  // the left operand does
  if (left == right) return {{left, left}, 1};
  return {{left, right}, 2};
}

/// Calls visit(i, k, j) for every product of stage r, the critical diagonal first.
template <class Visit>
constexpr void for_each_product(std::size_t stage, std::size_t tiles, Visit&& visit) {
  for (std::size_t d = stage; d <= last_target(stage, tiles); ++d) {
    for (std::size_t i = 0; i + d < tiles; ++i) {
      const StageSplits splits = stage_splits(i, i + d, stage);
      for (std::size_t s = 0; s < splits.count; ++s) visit(i, splits.k[s], i + d);
    }
  }
}

}  // namespace warpfold::interval
