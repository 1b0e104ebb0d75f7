// The example of the README. It is also the consumer of the installed package (tests/consumer).
// --- snippet
#include <iostream>
#include <vector>

#include "warpfold/interval/solve.hpp"

int main() {
  const std::vector<double> weights = {0, 0, 4, 9, 0,  // row i, column j: the weight of chord (i,j) of a pentagon
                                       0, 0, 0, 2, 7,  //
                                       0, 0, 0, 0, 3,  //
                                       0, 0, 0, 0, 0,  //
                                       0, 0, 0, 0, 0};
  const warpfold::interval::Triangulation<double> pentagon({weights.data(), 5, 5, 5});
  const auto [solution, report] = warpfold::interval::solve(pentagon);
  for (auto [i, j] : solution.chords) std::cout << i << '-' << j << ' ';
  std::cout << "cost " << solution.cost << ", by " << report.algorithm << '\n';
}
