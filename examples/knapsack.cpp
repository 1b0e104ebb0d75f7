// A bounded knapsack: what to pack, and what it is worth.
// --- snippet
#include <iostream>

#include "warpfold/knapsack/solve.hpp"

int main() {
  using namespace warpfold::knapsack;
  const Problem problem(Kind::bounded,
                        {{.value = 60, .weight = 10, .copies = 2},  //
                         {.value = 100, .weight = 20, .copies = 1},
                         {.value = 120, .weight = 30, .copies = 3}},
                        70);
  const auto [solution, report] = solve(problem);
  std::cout << "value " << solution.value << ", weight " << solution.weight << '\n';
  for (std::size_t i = 0; i < solution.copies.size(); ++i) {
    std::cout << solution.copies[i] << " of item " << i << '\n';
  }
}
