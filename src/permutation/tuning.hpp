#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace warpfold::permutation {

/// Columns of a three-step plan for n words. The number is a power of two. A row and a block of columns both fit a
/// level-2 cache, and both index types are 16 bits wide.
constexpr std::size_t plan_columns(std::size_t n) {
  const std::size_t root = std::size_t{1} << (std::bit_width(n) / 2);
  return std::clamp<std::size_t>(root, 1, 65536);
}

/// Bytes of neighboring columns that the second step takes together. Measured 2026-11-20, epyc-2core, one thread: for n
/// = 2^24, 64 bytes take 88.6 ms, 128 bytes 87.1 ms, 256 bytes 84.3 ms. For n = 2^22 they take 24.0, 17.5 and 17.0 ms.
inline constexpr std::size_t column_block_bytes = 256;

/// Words between the end of a row of working memory and the next. Without them all places of a column would fall into
/// the same cache sets.
inline constexpr std::size_t row_gap = 16;

/// Words of a block of a two-pass plan on a CPU: with 4- to 8-byte words and the plan's entries it fits a level-2
/// cache.
inline constexpr std::uint32_t cache_block = 1 << 14;

}  // namespace warpfold::permutation
