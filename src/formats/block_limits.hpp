#pragma once

#include <cstddef>
#include <limits>

namespace warpfold::formats {

/// Where a block of sequences ends: with the one by which it has so many sequences, or so many symbols.
struct BlockLimits {
  std::size_t sequences = std::numeric_limits<std::size_t>::max();
  std::size_t symbols = std::numeric_limits<std::size_t>::max();

  /// Whether a block of so many sequences and symbols is complete.
  [[nodiscard]] bool are_reached(std::size_t sequences_read, std::size_t symbols_read) const {
    return sequences_read >= sequences || symbols_read >= symbols;
  }
};

}  // namespace warpfold::formats
