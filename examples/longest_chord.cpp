// The triangulation of a regular polygon whose longest chord is as short as possible.
#include <cmath>
#include <iostream>
#include <numbers>

#include "warpfold/interval/recurrence.hpp"

struct LongestChord {
  using Semiring = warpfold::MinMax<double>;
  std::size_t vertices;

  double length(std::size_t i, std::size_t j) const {
    return 2 * std::sin(std::numbers::pi * static_cast<double>(j - i) / static_cast<double>(vertices));
  }
  double leaf(std::size_t) const { return 0; }  // an edge is no chord
  double weight(std::size_t i, std::size_t j) const { return i == 0 && j == vertices - 1 ? 0 : length(i, j); }
};

int main() {
  const LongestChord polygon{1000};
  std::cout << warpfold::interval::solve_recurrence(polygon, polygon.vertices).solution.value() << '\n';
}
