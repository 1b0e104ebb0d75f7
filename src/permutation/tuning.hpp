#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>

namespace warpfold::permutation {

/// Columns of a three-step plan for n words: a power of two, so that a row and a block of columns both fit a level-2
/// cache and both index types are 16 bits wide.
constexpr std::size_t plan_columns(std::size_t n) {
  const std::size_t root = std::size_t{1} << (std::bit_width(n) / 2);
  return std::clamp<std::size_t>(root, 1, 65536);
}

/// Bytes of neighbouring columns that the second step takes together: a cache line.
inline constexpr std::size_t column_block_bytes = 64;

}  // namespace warpfold::permutation
