#pragma once

#include <cstddef>
#include <random>

#include "warpfold/core/matrix.hpp"

namespace warpfold::bench {

/// Every vertex has an edge to every other.
template <class T>
Matrix<T> complete_graph(std::size_t n) {
  std::mt19937_64 random(1);
  Matrix<T> edges(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) edges(i, j) = static_cast<T>(1 + random() % 10000);
  }
  return edges;
}

}  // namespace warpfold::bench
