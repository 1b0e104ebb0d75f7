#include "knapsack/reference.hpp"

#include <algorithm>
#include <numeric>

namespace warpfold::knapsack::reference {

namespace {

using Row = std::vector<std::int64_t>;

constexpr std::size_t cells_between_checks = 1 << 22;

Row next_row(const Problem& problem, std::size_t i, const Row& before, PeriodicCheck& ticker) {
  const Item& item = problem.items()[i];
  Row after = before;
  for (std::int64_t c = 0; c <= problem.capacity(); ++c) {
    ticker.tick();  // counts also capacities where no copy fits
    std::int64_t copies = problem.max_copies(i);
    if (item.weight > 0) copies = std::min(copies, c / item.weight);
    for (std::int64_t x = item.weight == 0 ? copies : 1; x <= copies; ++x) {
      ticker.tick();
      after[c] = std::max(after[c], before[c - x * item.weight] + x * item.value);
    }
  }
  return after;
}

/// Their positions by ascending weight. Those of one weight keep their order.
std::vector<std::size_t> by_weight(const std::vector<Item>& items) {
  std::vector<std::size_t> order(items.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return items[a].weight < items[b].weight; });
  return order;
}

}  // namespace

std::vector<std::int64_t> every_capacity(const Problem& problem, const Options& options) {
  const SolveMonitor monitor(options, 0);
  PeriodicCheck ticker(monitor, cells_between_checks);
  Row best(static_cast<std::size_t>(problem.capacity()) + 1, 0);
  for (std::size_t i = 0; i < problem.items().size(); ++i) best = next_row(problem, i, best, ticker);
  return best;
}

std::vector<std::int64_t> packing(const Problem& problem, const Options& options) {
  const SolveMonitor monitor(options, 0);
  PeriodicCheck ticker(monitor, cells_between_checks);
  const std::vector<std::size_t> order = by_weight(problem.items());
  std::vector<Row> table = {Row(static_cast<std::size_t>(problem.capacity()) + 1, 0)};
  for (const std::size_t i : order) table.push_back(next_row(problem, i, table.back(), ticker));
  std::vector<std::int64_t> copies(problem.items().size(), 0);
  std::int64_t c = problem.capacity();
  for (std::size_t row = order.size(); row-- > 0;) {
    const std::size_t i = order[row];
    const Item& item = problem.items()[i];
    const std::int64_t best = table[row + 1][c];
    if (item.weight == 0) {
      if (best > table[row][c]) copies[i] = problem.max_copies(i);
      continue;
    }
    while (table[row][c - copies[i] * item.weight] + copies[i] * item.value != best) ++copies[i];
    c -= copies[i] * item.weight;
  }
  return copies;
}

}  // namespace warpfold::knapsack::reference
