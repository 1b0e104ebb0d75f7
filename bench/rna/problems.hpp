#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "warpfold/rna/sequence.hpp"

namespace warpfold::bench {

inline rna::Sequence drawn_sequence(std::size_t size) {
  std::mt19937 random(1);
  std::string letters;
  for (std::size_t t = 0; t < size; ++t) letters += "ACGU"[random() % 4];
  return rna::Sequence(letters);
}

inline std::vector<rna::Sequence> drawn_sequences(std::size_t count, std::size_t n) {
  std::mt19937 random(1);
  std::vector<rna::Sequence> sequences;
  sequences.reserve(count);
  std::string letters(n, ' ');
  for (std::size_t t = 0; t < count; ++t) {
    for (char& letter : letters) letter = "ACGU"[random() >> 30];
    sequences.emplace_back(letters);
  }
  return sequences;
}

/// The products and the interior loops of one pass.
inline double folding_operations(std::size_t n) {
  const auto bases = static_cast<double>(n);
  return bases * bases * (bases / 6 + 248);
}

}  // namespace warpfold::bench
