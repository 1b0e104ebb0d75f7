// Options and problems by designated initializers, with all warnings. Members that are not named have their defaults.
#include <cstdio>

#include "warpfold/knapsack/solve.hpp"
#include "warpfold/recurrence/solve.hpp"

int main() {
  using namespace warpfold;
  const knapsack::Problem packing(knapsack::Kind::zero_one, {{.value = 3, .weight = 2}, {.value = 4, .weight = 3}}, 5);
  const auto best = knapsack::solve(packing, Options{.threads = 1}, knapsack::Request{.items = false});
  const recurrence::Problem<double> fibonacci(
      {.op = recurrence::Op::sum, .offsets = {1, 2}, .initial = {1, 1}, .n = 5});
  const auto table = recurrence::solve(fibonacci, {.threads = 1});
  if (best.solution.value == 7 && table.solution.values.back() == 5) return 0;
  std::printf("%lld, %g\n", static_cast<long long>(best.solution.value), table.solution.values.back());
  return 1;
}
