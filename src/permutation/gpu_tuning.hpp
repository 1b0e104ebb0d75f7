#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

/// Sizes of the moves on a GPU.
namespace warpfold::permutation {

/// Words of a row of a tile: 256 bytes, at most 128 words.
constexpr std::uint32_t tile_row(std::size_t word_bytes) {
  return static_cast<std::uint32_t>(std::min<std::size_t>(256 / word_bytes, 128));
}

constexpr std::uint32_t threads_of_block(std::uint32_t block) { return block > 14336 ? 1024 : 512; }

/// Words of a block of two passes. Runs have 32 bytes or more on average, as far as shared memory allows.
inline std::uint32_t gpu_block(std::size_t n, std::size_t word_bytes, std::size_t shared_bytes) {
  const double run_words = std::max(32.0 / static_cast<double>(word_bytes), 1.0);
  const auto wanted = static_cast<std::size_t>(std::sqrt(run_words * static_cast<double>(n)));
  const std::size_t most = std::min<std::size_t>(shared_bytes / word_bytes, 65536);
  return static_cast<std::uint32_t>(std::clamp<std::size_t>((wanted + 31) / 32 * 32, 4096, most / 32 * 32));
}

/// Whether two passes are faster than a gather: in arrays that do not fit a level-2 cache.
constexpr bool two_passes_pay(std::size_t n, std::size_t word_bytes, std::uint32_t block) {
  return block > 0 && word_bytes <= 8 && n * word_bytes > std::size_t{1} << 24;
}

}  // namespace warpfold::permutation
