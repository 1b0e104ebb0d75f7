#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace warpfold::bench {

/// A random walk.
template <class T>
std::vector<T> walked_series(std::size_t length, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> step;
  std::vector<T> values(length);
  double value = 0;
  for (T& entry : values) entry = static_cast<T>(value += step(random));
  return values;
}

}  // namespace warpfold::bench
