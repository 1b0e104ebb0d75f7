#include "knapsack/unbounded.hpp"

#include <algorithm>

#include "core/number_types.hpp"
#include "knapsack/table.hpp"

namespace warpfold::knapsack {

namespace {

/// The item with the largest value per weight, and of several the lightest. Nothing if no item has a value and fits.
std::size_t best_ratio(const Problem& problem) {
  const std::vector<Item>& items = problem.items();
  std::size_t best = items.size();
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].value == 0 || items[i].weight > problem.capacity()) continue;
    if (best == items.size()) {
      best = i;
      continue;
    }
    const __int128 mine = static_cast<__int128>(items[i].value) * items[best].weight;
    const __int128 other = static_cast<__int128>(items[best].value) * items[i].weight;
    if (mine > other || (mine == other && items[i].weight < items[best].weight)) best = i;
  }
  return best;
}

/// The items that no number of copies of the best one replaces, by ascending weight.
template <class T>
std::vector<Row<T>> useful_rows(const Problem& problem) {
  std::vector<Row<T>> rows;
  const std::size_t best = best_ratio(problem);
  if (best == problem.items().size()) return rows;
  const Item& leader = problem.items()[best];
  for (std::size_t i = 0; i < problem.items().size(); ++i) {
    const Item& item = problem.items()[i];
    if (item.value == 0 || item.weight > problem.capacity()) continue;
    if (i != best && item.weight / leader.weight * leader.value >= item.value) continue;
    rows.push_back({item.weight, static_cast<T>(item.value)});
  }
  std::sort(rows.begin(), rows.end(), [](const Row<T>& a, const Row<T>& b) {
    return a.weight != b.weight ? a.weight < b.weight : a.value > b.value;
  });
  const auto same_weight = [](const Row<T>& a, const Row<T>& b) { return a.weight == b.weight; };
  rows.erase(std::unique(rows.begin(), rows.end(), same_weight), rows.end());
  return rows;
}

/// Every item is checked once: if no best packing of c has item i, none of a smaller capacity on the way does.
template <class T>
void trace(const Problem& problem, const T* best, std::int64_t capacity, std::vector<std::int64_t>& copies) {
  for (std::size_t i = 0; i < copies.size(); ++i) {
    const Item& item = problem.items()[i];
    if (item.value == 0) continue;
    while (item.weight <= capacity && best[capacity] == best[capacity - item.weight] + item.value) {
      ++copies[i];
      capacity -= item.weight;
    }
  }
}

/// The number of copies of the best item that some best packing surely has.
std::int64_t sure_copies(const Problem& problem, std::size_t best) {
  std::int64_t heaviest = 0;
  for (const Item& item : problem.items()) {
    if (item.weight <= problem.capacity()) heaviest = std::max(heaviest, item.weight);
  }
  const std::int64_t weight = problem.items()[best].weight;
  const __int128 matters = static_cast<__int128>(weight) * heaviest;
  return problem.capacity() > matters ? (problem.capacity() - static_cast<std::int64_t>(matters)) / weight : 0;
}

}  // namespace

template <class T>
Cells<T> unbounded_table(const Problem& problem, std::int64_t capacity, SolveMonitor& monitor) {
  Cells<T> best = allocate_cells<T>(padded_cells(capacity));
  const std::vector<Row<T>> rows = useful_rows<T>(problem);
  cpu::unbounded_rows<T>({rows, capacity}, best.get(), monitor);
  return best;
}

UnboundedTable aperiodic_prefix(const Problem& problem) {
  const std::size_t best = best_ratio(problem);
  if (best == problem.items().size()) return {};
  return {problem.capacity() - sure_copies(problem, best) * problem.items()[best].weight,
          useful_rows<std::int64_t>(problem).size()};
}

template <class T>
Solution solve_unbounded(const Problem& problem, const Request& request, Context& context) {
  const std::vector<Item>& items = problem.items();
  std::vector<std::int64_t> copies(items.size(), 0);
  std::int64_t capacity = 0;
  Solution solution;
  if (const std::size_t best = best_ratio(problem); best < items.size()) {
    copies[best] = sure_copies(problem, best);
    capacity = problem.capacity() - copies[best] * items[best].weight;
    solution.value += copies[best] * items[best].value;
  }
  SolveMonitor monitor(context.options, static_cast<double>(items.size()) * static_cast<double>(capacity));
  const Budget::Reservation taken = context.budget.reserve(padded_cells(capacity), sizeof(T));
  const Cells<T> table = unbounded_table<T>(problem, capacity, monitor);
  solution.value += table[static_cast<std::size_t>(capacity)];
  if (request.items) {
    trace(problem, table.get(), capacity, copies);
    solution.copies = std::move(copies);
  }
  solution.reason = "unbounded problems run in tables";
  return solution;
}

#define WARPFOLD_INSTANTIATE(T)                                                   \
  template Cells<T> unbounded_table(const Problem&, std::int64_t, SolveMonitor&); \
  template Solution solve_unbounded<T>(const Problem&, const Request&, Context&);
WARPFOLD_FOR_EACH_INTEGER_TYPE(WARPFOLD_INSTANTIATE)
#undef WARPFOLD_INSTANTIATE

}  // namespace warpfold::knapsack
