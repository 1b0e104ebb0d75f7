#pragma once

#include "knapsack/items.hpp"
#include "warpfold/knapsack/solve.hpp"

namespace warpfold::knapsack {

/// best[c] for c = 0 .. capacity of an unbounded problem.
template <class T>
[[nodiscard]] Cells<T> unbounded_table(const Problem& problem, std::int64_t capacity, Watch& watch);

/// What the table of one capacity has: some capacities do not matter, nor do items that another one replaces.
struct UnboundedTable {
  std::int64_t capacity = 0;
  std::size_t rows = 0;
};
[[nodiscard]] UnboundedTable table_that_matters(const Problem& problem);

/// Solves an unbounded problem with solution.dtype. Only capacities below w (largest weight) matter, w the weight of
/// the item with the best value per weight: of any w other items some weigh a multiple of w together, and that item in
/// their place is worth no less.
void solve_unbounded(const Problem& problem, const Options& options, const Request& request, Solution& solution);

}  // namespace warpfold::knapsack
