#pragma once

#include <cstddef>
#include <cstdint>

#include "paths/dense/in_core.hpp"

namespace warpfold::paths::device {

inline constexpr int pivots = 128;  ///< turns of a round
inline constexpr int pivot_words = pivots / 32;
inline constexpr int bits_threads = 256;  ///< threads of a block
inline constexpr int band_threads = 8;    ///< that share a row of a band
inline constexpr std::size_t band_words = 32;
inline constexpr std::size_t band_bits = 32 * band_words;  ///< the table's side is a multiple of it
inline constexpr std::size_t rows_a_bits_block = 256;      ///< rows of a block of take_up
static_assert(band_bits % pivots == 0 && band_bits % rows_a_bits_block == 0);

/// Rows of bits on the device, `stride` words apart.
struct BitTable {
  std::uint32_t* words;
  std::size_t stride;
};

/// The pivots of a round: their rows with all that they reach through each other, `BitTable::stride` words each, and
/// every row's words in their columns.
struct PivotLines {
  std::uint32_t* rows;
  std::uint32_t* columns;
};

}  // namespace warpfold::paths::device

namespace warpfold::paths::cuda {

/// Reachability on a GPU, 32 vertices per word.
template <>
class InCore<std::uint8_t> {
 public:
  /// Makes a solver without successors.
  InCore(std::size_t vertices, Semiring or_and, bool successors);

  [[nodiscard]] static std::size_t bytes(std::size_t vertices, bool successors);
  void take_edges(const std::uint8_t* edges, std::size_t first, std::size_t rows);
  double solve(SolveMonitor& monitor);
  void give_lengths(std::uint8_t* lengths, std::size_t first, std::size_t rows) const;

 private:
  using Words = warpfold::cuda::Buffer<std::uint32_t>;

  [[nodiscard]] device::BitTable table() const { return {words_.data(), side_ / 32}; }

  std::size_t vertices_, side_;
  Words words_, pivot_rows_, pivot_columns_;
  warpfold::cuda::Stream stream_;
};

}  // namespace warpfold::paths::cuda
