#pragma once

#include <cstdint>

namespace warpfold::permutation {

/// A word of 16 bytes, for moving entries of that size.
struct Wide {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  friend bool operator==(const Wide&, const Wide&) = default;
};

}  // namespace warpfold::permutation
