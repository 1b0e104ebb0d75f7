#pragma once

#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "warpfold/core/arithmetic.hpp"
#include "warpfold/paths/all_pairs.hpp"
#include "warpfold/paths/from_sources.hpp"

namespace warpfold::test {

inline constexpr paths::Semiring choosing_semirings[] = {paths::Semiring::min_plus, paths::Semiring::max_plus,
                                                         paths::Semiring::min_max, paths::Semiring::max_min};

/// A graph in which every edge exists with probability `density`. In a semiring that adds, the lengths follow a random
/// potential, so that no cycle improves. Many lengths are negative or zero, and many paths tie.
template <class T>
Matrix<T> drawn_graph(std::size_t n, paths::Semiring semiring, double density, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Matrix<T> edges(n, n, semiring.zero<T>());
  std::vector<int> potential(n);
  for (int& p : potential) p = static_cast<int>(random() % 20);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (static_cast<double>(random() % 1000) >= 1000 * density) continue;
      const int cost = static_cast<int>(random() % 8);  // of (min,+), along the potential
      const int length = semiring.kind == paths::Semiring::max_plus ? potential[j] - potential[i] - cost
                                                                    : potential[j] - potential[i] + cost;
      edges(i, j) = static_cast<T>(length);
      if constexpr (std::is_floating_point_v<T>) {
        if (semiring.adds()) edges(i, j) += static_cast<T>(semiring.is_min() ? 0.1 : -0.1);
      }
    }
  }
  return edges;
}

/// Floats whose sums depend on the order of additions in nearly every case.
template <class T>
Matrix<T> graph_of_many_magnitudes(std::size_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> exponent(-8, 8);
  Matrix<T> edges(n, n, infinity<T>);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (random() % 4 == 0) edges(i, j) = static_cast<T>(std::pow(10.0, exponent(random)));
    }
  }
  return edges;
}

/// The edges of or-and.
inline Matrix<std::uint8_t> drawn_bits(std::size_t n, double density, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Matrix<std::uint8_t> edges(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) edges(i, j) = static_cast<double>(random() % 10000) < 10000 * density;
  }
  return edges;
}

/// The edges of a matrix: the entries that are not zero.
template <class T>
paths::SparseGraph<T> sparse(const Matrix<T>& edges, paths::Semiring semiring) {
  std::vector<paths::Edge<T>> list;
  for (std::uint32_t i = 0; i < edges.rows(); ++i) {
    for (std::uint32_t j = 0; j < edges.rows(); ++j) {
      if (edges(i, j) != semiring.zero<T>()) list.push_back({i, j, edges(i, j)});
    }
  }
  return {edges.rows(), list};
}

inline std::vector<std::uint32_t> every_vertex(std::size_t n) {
  std::vector<std::uint32_t> all(n);
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

}  // namespace warpfold::test
