#pragma once

#include <bit>
#include <cstdint>

namespace warpfold::permutation {

/// The block that a place is in: place / block by a multiplication, exact for places below 2^31.
///
/// With l = ceil(log2 block) the factor exceeds 2^(31+l) / block by at most 1. So the product exceeds 2^(31+l) place /
/// block by less than 2^31 <= 2^(31+l) / block, the distance to the next multiple of 2^(31+l).
class BlockOf {
 public:
  constexpr explicit BlockOf(std::uint32_t block)
      : shift_(31 + static_cast<std::uint32_t>(std::bit_width(block - 1))),
        factor_((std::uint64_t{1} << shift_) / block + 1) {}

  constexpr std::uint32_t operator()(std::uint32_t place) const {
    return static_cast<std::uint32_t>(place * factor_ >> shift_);
  }

 private:
  std::uint32_t shift_;
  std::uint64_t factor_;
};

}  // namespace warpfold::permutation
