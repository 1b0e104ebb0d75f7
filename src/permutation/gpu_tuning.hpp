#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

/// Sizes of the moves on a GPU, measured on an H100 (docs/explanation/kernels/permutation.md).
namespace warpfold::permutation {

/// Threads for a block of two passes, so that the blocks of a multiprocessor have as many as it holds.
constexpr std::uint32_t threads_of_block(std::size_t block_bytes) { return block_bytes > 56 * 1024 ? 1024 : 512; }

/// Words of a block of two passes. Runs have 64 bytes on average, as long as two blocks fit a multiprocessor.
inline std::uint32_t gpu_block(std::size_t n, std::size_t word_bytes) {
  const double run_words = std::max(64.0 / static_cast<double>(word_bytes), 4.0);
  const auto wanted = static_cast<std::size_t>(std::sqrt(run_words * static_cast<double>(n)));
  const std::size_t most = std::min<std::size_t>(96 * 1024 / word_bytes, 65536);
  return static_cast<std::uint32_t>(std::clamp<std::size_t>((wanted + 31) / 32 * 32, 4096, most));
}

/// Whether two passes are faster than a gather: for arrays beyond a level-2 cache, and for many short words.
constexpr bool two_passes_pay(std::size_t n, std::size_t word_bytes) {
  return n >= std::size_t{1} << 23 || n * word_bytes > std::size_t{1} << 25;
}

}  // namespace warpfold::permutation
