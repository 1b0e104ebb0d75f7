#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "sequence/backends.hpp"
#include "sequence/gpu/layout.hpp"
#include "warpfold/run/run.hpp"
#include "warpfold/run/team.hpp"

/// The walk through the table of a GPU. Strips and kept columns cut the table into tiles. The host computes the tiles
/// that the walk comes to from their borders.
namespace warpfold::sequence::cuda {

struct Tile {
  std::size_t strip, column;  ///< from the strip's first row and from kept column `column` on; 0 is column 0
  bool operator==(const Tile&) const = default;
};

/// Memory on the host for the borders of `slots` tiles, one after the other.
struct Borders {
  std::size_t slots;
  const std::uint64_t* above;                                     ///< h: Layout::packets_of_a_tile() of each tile
  const std::uint32_t* left;                                      ///< v: Layout::words_of_a_column() of each tile
  std::function<void(std::size_t slot, const Tile& tile)> fetch;  ///< begins to copy those of a tile
  std::function<void()> wait;                                     ///< until they are there
};

[[nodiscard]] Script script_by_tiles(const Query& query, const Layout& layout, const Borders& borders, Team& team,
                                     const SolveMonitor& monitor);

/// On the host, for `slots` tiles at a time.
[[nodiscard]] std::size_t bytes_of_tiles(const Layout& layout, Measure measure, std::size_t slots);

}  // namespace warpfold::sequence::cuda
