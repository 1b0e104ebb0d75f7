// The triangulation of a regular polygon whose longest chord is as short as possible, on a GPU.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <numbers>
#include <span>
#include <vector>

#include "warpfold/interval/recurrence.cuh"

struct LongestChord {
  using Semiring = warpfold::MinMax<double>;
  std::span<const double> length;  // of a chord by the difference of its vertices

  constexpr double leaf(std::size_t) const { return 0; }  // an edge is no chord
  constexpr double close(std::size_t i, std::size_t j, double best) const {
    return i == 0 && j == length.size() - 1 ? best : std::max(best, length[j - i]);
  }
};

int main() try {
  std::vector<double> length(1000);
  for (std::size_t d = 0; d < length.size(); ++d) {
    length[d] = 2 * std::sin(std::numbers::pi * static_cast<double>(d) / static_cast<double>(length.size()));
  }
  const warpfold::interval::cuda::Array<double> on_device(length);
  const LongestChord polygon{on_device.span()};
  std::cout << warpfold::interval::cuda::solve_recurrence(polygon, length.size()).solution.value() << '\n';
} catch (const warpfold::Error& error) {
  std::cerr << "error: " << error.what() << '\n';
  return 1;
}
