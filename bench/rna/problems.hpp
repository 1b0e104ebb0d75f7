#pragma once

#include <cstddef>
#include <random>
#include <string>

#include "warpfold/rna/sequence.hpp"

namespace warpfold::bench {

inline rna::Sequence drawn_sequence(std::size_t size) {
  std::mt19937 random(1);
  std::string letters;
  for (std::size_t t = 0; t < size; ++t) letters += "ACGU"[random() % 4];
  return rna::Sequence(letters);
}

/// The products and the interior loops of one pass.
inline double folding_operations(std::size_t n) {
  const auto bases = static_cast<double>(n);
  return bases * bases * (bases / 6 + 248);
}

}  // namespace warpfold::bench
