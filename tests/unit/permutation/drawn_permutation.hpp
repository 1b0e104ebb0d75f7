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

}  // namespace warpfold::permutation
