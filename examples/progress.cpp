// How far a solve has come, some 20 times a second and at its end.
// --- snippet
#include <iostream>
#include <vector>

#include "warpfold/interval/solve.hpp"

int main() {
  const std::size_t n = 3000;
  const std::vector<float> weights(n * n, 1);
  const warpfold::interval::Triangulation<float> polygon({weights.data(), n, n, n});
  warpfold::Options options;
  options.progress = [](const warpfold::Progress& progress) {
    std::cout << static_cast<int>(100 * progress.done / progress.total) << " %\n";
  };
  const auto [solution, report] = warpfold::interval::solve(polygon, options);
  std::cout << "cost " << solution.cost << '\n';
}
