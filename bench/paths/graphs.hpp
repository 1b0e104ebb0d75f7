#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

#include "warpfold/core/matrix.hpp"
#include "warpfold/run/run.hpp"

namespace warpfold::bench {

inline double seconds_of(const Report& report) { return report.prepare_seconds + report.solve_seconds; }

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

/// A graph in which every vertex has that many edges. With two edges each, nearly every vertex reaches nearly all
/// others, by long paths.
inline Matrix<std::uint8_t> graph_of_bits(std::size_t n, std::size_t edges_a_vertex) {
  std::mt19937_64 random(1);
  Matrix<std::uint8_t> edges(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t e = 0; e < edges_a_vertex; ++e) edges(i, random() % n) = 1;
  }
  return edges;
}

}  // namespace warpfold::bench
