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

bool Alphabet::is_told_apart_by(unsigned mask) const {
  std::array<bool, 256> is_taken = {};
  for (unsigned symbol = 0; symbol < 256; ++symbol) {
    if (!present_[symbol]) continue;
    if (is_taken[symbol & mask]) return false;
    is_taken[symbol & mask] = true;
  }
  return true;
}

Planes Alphabet::planes() const {
  unsigned every = 0xFF, any = 0, symbols = 0;
  for (unsigned symbol = 0; symbol < 256; ++symbol) {
    if (!present_[symbol]) continue;
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
