#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "warpfold/sequence/time_warping.hpp"

/// Series for tests.
namespace warpfold::sequence::test {

inline Options warping_by(const std::string& algorithm, int threads = 1) {
  Options options;
  options.algorithm = algorithm;
  options.threads = threads;
  return options;
}

/// Values of a random walk. Few different ones, so that many paths are equal, if `step` is small.
template <class T>
std::vector<T> drawn_series(std::size_t length, std::mt19937_64& random, int step = 3) {
  std::vector<T> values(length);
  int value = 0;
  for (T& entry : values) {
    value += static_cast<int>(random() % static_cast<unsigned>(2 * step + 1)) - step;
    entry = static_cast<T>(value);
    if constexpr (std::is_floating_point_v<T>) {
      if (step > 3) entry += static_cast<T>(random() % 1000) / 777;
    }
  }
  return values;
}

/// Every point once to three times.
template <class T>
std::vector<T> stretched(const std::vector<T>& values, std::mt19937_64& random) {
  std::vector<T> result;
  for (const T value : values) result.insert(result.end(), 1 + random() % 3, value);
  return result;
}

}  // namespace warpfold::sequence::test
