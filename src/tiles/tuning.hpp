#pragma once

#include <cstddef>

/// Numbers that were measured, one dated row each.
namespace warpfold::tiles {

/// From how many tiles a side on a CPU thread's turn is a group of 2 x 2 tiles: half the traffic between the table and
/// the caches, but fewer turns. 2026-11-20, 2 cores, f32, one tile / 2 x 2: n = 2048 87 .. 97 / 95 .. 101 G splits/s,
/// 4096 82 / 106 .. 110, 8192 77 / 114 .. 118.
inline constexpr std::size_t grouped_from_tiles = 24;

}  // namespace warpfold::tiles
