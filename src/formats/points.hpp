#pragma once

#include <cstdint>
#include <vector>

#include "warpfold/formats/sequences.hpp"

/// Symbols of sequences as numbers.
namespace warpfold::formats {

/// The code points of text, the bytes of bytes and FASTA.
[[nodiscard]] inline std::vector<std::uint32_t> points_of(const SymbolSequence& sequence) {
  if (sequence.unit == SymbolSequence::Unit::point) return sequence.points;
  std::vector<std::uint32_t> points;
  for (const char c : sequence.content) points.push_back(static_cast<unsigned char>(c));
  return points;
}

/// The capital of a letter from a to z. Any other point stays as it is.
[[nodiscard]] constexpr std::uint32_t capital(std::uint32_t point) {
  return point >= 'a' && point <= 'z' ? point - ('a' - 'A') : point;
}

}  // namespace warpfold::formats
