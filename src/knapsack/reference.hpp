#pragma once

#include <cstdint>
#include <vector>

#include "warpfold/knapsack/problem.hpp"
#include "warpfold/run/run.hpp"

/// Plain loops in one thread: the oracle of every other backend.
namespace warpfold::knapsack::reference {

/// best[c] for c = 0 .. capacity: best(i, c) = max over x <= copies of best(i-1, c - x weight_i) + x value_i.
[[nodiscard]] std::vector<std::int64_t> every_capacity(const Problem& problem, const Options& options = {});

/// A best packing, from the complete table of (items + 1) x (capacity + 1) values. Of several it is the one with the
/// fewest copies of the heaviest item (of equal weights the last), then of the next, and so on.
[[nodiscard]] std::vector<std::int64_t> packing(const Problem& problem, const Options& options = {});

}  // namespace warpfold::knapsack::reference
