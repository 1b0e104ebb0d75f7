#pragma once

#include "fuzz/drawn.hpp"
#include "warpfold/minplus/multiply.hpp"
#include "warpfold/paths/all_pairs.hpp"

namespace warpfold::fuzz {

/// A selective semiring of T.
template <class T>
paths::Semiring drawn_semiring(Bytes& bytes) {
  using paths::Semiring;
  if constexpr (std::is_same_v<T, std::uint8_t>) return Semiring::or_and;
  return bytes.pick<Semiring::Kind>(
      {Semiring::min_plus, Semiring::min_plus, Semiring::max_plus, Semiring::min_max, Semiring::max_min});
}

/// A graph. In (min,+) and (max,+) no cycle improves, except in a few graphs.
template <class T>
Matrix<T> drawn_graph(Bytes& bytes, Numbers numbers, std::size_t n, paths::Semiring semiring) {
  numbers.one_in = bytes.pick<std::uint64_t>({0, 2, 2, 4});
  const bool any_cycle = !semiring.adds() || bytes.one_in(8);
  numbers.negative &= any_cycle;
  const auto most = static_cast<T>(sizeof(T) == 1 ? 1 : minplus::largest_factor<T> / static_cast<T>(n + 1));
  Matrix<T> edges = numbers.matrix<T>(bytes, n, n, most, semiring.zero<T>());
  if (any_cycle) return edges;
  const std::int64_t slope = numbers.are_small() ? bytes.below(5) : 0;  // added to each edge to a higher vertex
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (edges(i, j) == semiring.zero<T>()) continue;
      const auto climb = static_cast<T>(slope * (static_cast<std::int64_t>(j) - static_cast<std::int64_t>(i)));
      edges(i, j) = static_cast<T>((semiring.is_min() ? edges(i, j) : -edges(i, j)) + climb);
    }
  }
  return edges;
}

/// The graph whose vertex i was order[i].
template <class T>
Matrix<T> renumbered(const Matrix<T>& matrix, const std::vector<std::size_t>& order) {
  Matrix<T> other = matrix;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = 0; j < order.size(); ++j) other(i, j) = matrix(order[i], order[j]);
  }
  return other;
}

}  // namespace warpfold::fuzz
