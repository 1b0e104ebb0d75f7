#include "sequence/lanes/alphabet.hpp"

#include <bit>

namespace warpfold::sequence::lanes {

namespace {

Planes planes_of(unsigned mask) {
  Planes planes{{}, 0};
  for (unsigned bit = 1; bit < 256; bit *= 2) {
    if (mask & bit) planes.bits[planes.count++] = static_cast<std::uint8_t>(bit);
  }
  return planes;
}

}  // namespace

void Alphabet::add_each(std::span<const std::uint8_t> symbols) {
  for (const unsigned symbol : symbols) {
    set_[symbol % 16 + symbol / 128 * 16] |= static_cast<std::uint8_t>(1 << (symbol / 16 % 8));
  }
  has_planes_ = false;
}

bool Alphabet::has(unsigned symbol) const {
  return (set_[symbol % 16 + symbol / 128 * 16] >> (symbol / 16 % 8) & 1) != 0;
}

bool Alphabet::is_told_apart_by(unsigned mask) const {
  std::array<bool, 256> is_taken = {};
  for (unsigned symbol = 0; symbol < 256; ++symbol) {
    if (!has(symbol)) continue;
    if (is_taken[symbol & mask]) return false;
    is_taken[symbol & mask] = true;
  }
  return true;
}

const Planes& Alphabet::planes() {
  if (!has_planes_) planes_ = fewest_planes();
  has_planes_ = true;
  return planes_;
}

Planes Alphabet::fewest_planes() const {
  unsigned every = 0xFF, any = 0, symbols = 0;
  for (unsigned symbol = 0; symbol < 256; ++symbol) {
    if (!has(symbol)) continue;
    every &= symbol, any |= symbol, ++symbols;
  }
  const unsigned varying = any & ~every;
  unsigned best = varying;
  for (unsigned mask = (varying - 1) & varying; varying != 0 && mask != 0; mask = (mask - 1) & varying) {
    const bool is_less = std::popcount(mask) < std::popcount(best);
    if (is_less && (1u << std::popcount(mask)) >= symbols && is_told_apart_by(mask)) best = mask;
  }
  return planes_of(best == 0 ? 1 : best);
}

}  // namespace warpfold::sequence::lanes
