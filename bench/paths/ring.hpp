#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "../question.hpp"
#include "warpfold/core/matrix.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold::bench {

/// A graph in which nearly every length becomes better in every few steps. The vertices are points of a ring, and an
/// edge is as long as the square of its distance clockwise, so that each vertex in between shortens a path. Vertices
/// that follow each other are spread evenly. With a potential, many edges are negative, but no cycle is. n is a power
/// of two and at most 8192, so that f32 has the exact lengths of shortest paths.
class Ring {
 public:
  explicit Ring(std::size_t n, bool with_potential = false)
      : n_(n), stride_(static_cast<std::size_t>(0.618 * static_cast<double>(n)) | 1), with_potential_(with_potential) {}

  template <class T>
  [[nodiscard]] Matrix<T> edges() const {
    return filled<T>([](std::int64_t distance) { return distance * distance; });
  }

  /// Checks all entries by the formula: a shortest path visits every vertex in between.
  template <class T>
  void expect_shortest(const Matrix<T>& lengths, const Matrix<std::uint32_t>& successors) const {
    const Matrix<T> expected = filled<T>([](std::int64_t distance) { return distance; });
    require(lengths == expected, "a length is not the shortest path's at n = " + std::to_string(n_));
    bool right = true;
    for (std::size_t i = 0; i < successors.rows(); ++i) {
      for (std::size_t j = 0; j < n_; ++j) right = right && (i == j || distance(i, successors(i, j)) == 1);
    }
    require(right, "a successor is wrong at n = " + std::to_string(n_));
  }

  /// The share of entries that each group of `steps` steps improves: those farther from their vertex than the nearest
  /// vertex of each group.
  [[nodiscard]] double share_improved_in_each(std::size_t steps) const {
    std::size_t farthest = 0;
    for (std::size_t first = 0; first < n_; first += steps) {
      std::size_t nearest = n_;
      for (std::size_t k = std::max<std::size_t>(first, 1); k < first + steps; ++k) {
        nearest = std::min(nearest, distance(0, k));
      }
      farthest = std::max(farthest, nearest);
    }
    return 1 - static_cast<double>(farthest) / static_cast<double>(n_);
  }

 private:
  [[nodiscard]] std::size_t distance(std::size_t i, std::size_t j) const { return (n_ + j - i) * stride_ % n_; }

  template <class T, class Length>
  [[nodiscard]] Matrix<T> filled(const Length& length) const {
    Matrix<T> values(n_, n_);
    Team(thread_count(0)).parallel_for(n_, [&](std::size_t i, int) {
      for (std::size_t j = 0; j < n_; ++j) {
        const auto raised = with_potential_ ? static_cast<std::int64_t>(j) - static_cast<std::int64_t>(i) : 0;
        values(i, j) = static_cast<T>(length(static_cast<std::int64_t>(distance(i, j))) + raised);
      }
    });
    return values;
  }

  std::size_t n_, stride_;
  bool with_potential_;
};

}  // namespace warpfold::bench
