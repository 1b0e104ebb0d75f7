// Many small problems at once, each on one thread.
// --- snippet
#include <iostream>
#include <span>
#include <vector>

#include "warpfold/interval/matrix_chain.hpp"
#include "warpfold/run/batch.hpp"

int main() {
  using warpfold::interval::MatrixChain;
  const std::vector<MatrixChain> chains = {MatrixChain({10, 30, 5, 60}),  //
                                           MatrixChain({30, 35, 15, 5, 10, 20, 25}),
                                           MatrixChain({2, 1000, 2, 1000, 2})};
  const auto [solutions, report] = warpfold::solve_batch(std::span(chains));
  for (const auto& solution : solutions) {
    std::cout << static_cast<long long>(solution.cost) << ' ' << warpfold::interval::parentheses(solution) << '\n';
  }
  std::cout << report.threads << " threads\n";
}
