#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace warpfold::sequence::lanes {

/// Bits of a byte that tell the symbols of an alphabet apart.
struct Planes {
  std::array<std::uint8_t, 8> bits = {1};  ///< each a power of two
  std::size_t count = 1;
};

/// The bytes that occur in some sequences.
class Alphabet {
 public:
  void add(std::span<const std::uint8_t> symbols) {
    for (const std::uint8_t symbol : symbols) present_[symbol] = 1;
  }
  void clear() { present_ = {}; }
  /// The fewest bits that tell the symbols apart.
  [[nodiscard]] Planes planes() const;

 private:
  [[nodiscard]] bool is_told_apart_by(unsigned mask) const;

  std::array<std::uint8_t, 256> present_ = {};
};

}  // namespace warpfold::sequence::lanes
