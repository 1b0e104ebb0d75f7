#pragma once

#include "knapsack/items.hpp"
#include "warpfold/knapsack/solve.hpp"
#include "warpfold/run/backend.hpp"

namespace warpfold::knapsack {

/// best[c] for c = 0 .. capacity of an unbounded problem.
template <class T>
[[nodiscard]] Cells<T> unbounded_table(const Problem& problem, std::int64_t capacity, SolveMonitor& monitor);

/// The table of one capacity. It leaves out capacities that do not matter, and items that another one replaces.
struct UnboundedTable {
  std::int64_t capacity = 0;
  std::size_t rows = 0;
};
[[nodiscard]] UnboundedTable aperiodic_prefix(const Problem& problem);

/// Solves an unbounded problem with cells of T. Only capacities below w (largest weight) matter, where w is the weight
/// of the item with the best value per weight. Of any w other items some together weigh a multiple of w, and that item
/// in their place is worth no less.
template <class T>
[[nodiscard]] Solution solve_unbounded(const Problem& problem, const Request& request, Context& context);

}  // namespace warpfold::knapsack
