#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sequence/lanes/kernel.hpp"

namespace warpfold::sequence::lanes {

/// Bits of a byte that tell the symbols of an alphabet apart.
struct Planes {
  std::array<std::uint8_t, 8> bits = {1};  ///< each a power of two
  std::size_t count = 1;
};

/// The bytes that occur in some sequences.
class Alphabet {
 public:
  /// Most sequences have no new bytes, and a look at vectors of them is enough.
  void add(std::span<const std::uint8_t> symbols) {
    if (!has_all_(set_, symbols.data(), symbols.size())) add_each(symbols);
  }
  /// The fewest bits that tell the symbols apart.
  [[nodiscard]] const Planes& planes();

 private:
  void add_each(std::span<const std::uint8_t> symbols);
  [[nodiscard]] bool has(unsigned symbol) const;
  [[nodiscard]] bool is_told_apart_by(unsigned mask) const;
  [[nodiscard]] Planes fewest_planes() const;

  HasAll has_all_ = has_all();
  ByteSet set_ = {};
  bool has_planes_ = true;
  Planes planes_;
};

}  // namespace warpfold::sequence::lanes
