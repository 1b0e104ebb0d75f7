// Merging piles of stones. A step merges two neighboring piles and costs their stones. The cheapest order, verified.
#include <cstdint>
#include <iostream>
#include <numeric>
#include <vector>

#include "warpfold/interval/recurrence.hpp"
#include "warpfold/interval/verify_recurrence.hpp"

// Point i stands before pile i: interval (i,j) is the piles i .. j-1.
struct Piles {
  using Semiring = warpfold::MinPlus<std::int64_t>;
  std::vector<std::int64_t> before;  // stones in the piles 0 .. i-1

  std::int64_t leaf(std::size_t) const { return 0; }  // one pile
  std::int64_t weight(std::size_t i, std::size_t j) const { return before[j] - before[i]; }
};

int main() {
  namespace interval = warpfold::interval;
  const std::vector<std::int64_t> stones = {4, 1, 1, 4};
  const std::size_t points = stones.size() + 1;
  Piles piles{std::vector<std::int64_t>(points)};
  std::partial_sum(stones.begin(), stones.end(), piles.before.begin() + 1);

  const warpfold::Estimate estimate = interval::estimate_recurrence(piles, points);
  std::cout << "estimated: " << estimate.bytes << " bytes\n";
  const auto [table, report] = interval::solve_recurrence(piles, points);
  std::cout << "cost " << table.value() << '\n';
  for (const auto& [i, k, j] : interval::structure(piles, table)) {
    std::cout << "piles " << i << ".." << j - 1 << " from " << i << ".." << k - 1 << " and " << k << ".." << j - 1
              << '\n';
  }
  const warpfold::Verdict verdict = interval::verify_recurrence(piles, table);
  std::cout << (verdict ? "every value is right" : *verdict.violation) << '\n';
}
