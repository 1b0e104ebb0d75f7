#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

namespace warpfold::permutation {

using Permutation = std::vector<std::uint32_t>;

inline Permutation drawn_permutation(std::size_t n, std::uint64_t seed) {
  Permutation permutation(n);
  std::iota(permutation.begin(), permutation.end(), 0);
  std::shuffle(permutation.begin(), permutation.end(), std::mt19937_64(seed));
  return permutation;
}

inline Permutation transpose(std::uint32_t rows, std::uint32_t columns) {
  Permutation permutation;
  for (std::uint32_t r = 0; r < rows; ++r) {
    for (std::uint32_t c = 0; c < columns; ++c) permutation.push_back(c * rows + r);
  }
  return permutation;
}

inline Permutation rotated(std::uint32_t n, std::uint32_t places) {
  Permutation permutation(n);
  for (std::uint32_t i = 0; i < n; ++i) permutation[i] = (i + places) % n;
  return permutation;
}

}  // namespace warpfold::permutation
