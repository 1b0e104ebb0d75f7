#include "knapsack/reference.hpp"

#include <algorithm>

namespace warpfold::knapsack::reference {

namespace {

using Row = std::vector<std::int64_t>;

Row next_row(const Problem& problem, std::size_t i, const Row& before) {
  const Item& item = problem.items()[i];
  Row after = before;
  for (std::int64_t c = 0; c <= problem.capacity(); ++c) {
    std::int64_t copies = problem.most_copies(i);
    if (item.weight > 0) copies = std::min(copies, c / item.weight);
    for (std::int64_t x = item.weight == 0 ? copies : 1; x <= copies; ++x) {
      after[c] = std::max(after[c], before[c - x * item.weight] + x * item.value);
    }
  }
  return after;
}

}  // namespace

std::vector<std::int64_t> every_capacity(const Problem& problem) {
  Row best(static_cast<std::size_t>(problem.capacity()) + 1, 0);
  for (std::size_t i = 0; i < problem.items().size(); ++i) best = next_row(problem, i, best);
  return best;
}

std::vector<std::int64_t> packing(const Problem& problem) {
  std::vector<Row> table = {Row(static_cast<std::size_t>(problem.capacity()) + 1, 0)};
  for (std::size_t i = 0; i < problem.items().size(); ++i) table.push_back(next_row(problem, i, table.back()));
  std::vector<std::int64_t> copies(problem.items().size(), 0);
  std::int64_t c = problem.capacity();
  for (std::size_t i = problem.items().size(); i-- > 0;) {
    const Item& item = problem.items()[i];
    const std::int64_t best = table[i + 1][c];
    if (item.weight == 0) {
      if (best > table[i][c]) copies[i] = problem.most_copies(i);
      continue;
    }
    while (table[i][c - copies[i] * item.weight] + copies[i] * item.value != best) ++copies[i];
    c -= copies[i] * item.weight;
  }
  return copies;
}

std::size_t packing_bytes(const Problem& problem) {
  return (problem.items().size() + 1) * (static_cast<std::size_t>(problem.capacity()) + 1) * sizeof(std::int64_t);
}

}  // namespace warpfold::knapsack::reference
