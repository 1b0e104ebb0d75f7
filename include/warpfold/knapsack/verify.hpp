#pragma once

#include <cstdint>

#include "warpfold/knapsack/solve.hpp"
#include "warpfold/knapsack/subset_sum.hpp"
#include "warpfold/run/run.hpp"
#include "warpfold/run/verdict.hpp"

/// Checks of somebody's packing, table, subset or count that share no code with the solvers. All raise
/// Error{time_limit}, Error{cancelled} and Error{memory_limit} as the options ask.
namespace warpfold::knapsack {

/// Whether the copies x_i are there, sum x_i * weight_i <= capacity, and both sums are what the solution says: value =
/// sum x_i * value_i, weight = sum x_i * weight_i. Any packing of that value is right, whichever algorithm found it.
/// Whether another packing is worth more is not checked. O(n).
[[nodiscard]] Verdict verify(const Problem& problem, const Solution& solution, const Options& options = {});

/// Whether the table has the best value for every capacity 0 .. problem.capacity(), by
///
///     best(0, c) = 0,   best(i, c) = max(best(i-1, c), best(i-1, c - x weight_i) + x value_i),
///
/// x = 1, 2, 4, .. copies and a rest at a time. n (capacity + 1) operations, times log2 of the copies that fit where
/// there are several; 8 bytes a capacity.
[[nodiscard]] Verdict verify(const Problem& problem, const CapacityTable& table, const Options& options = {});

/// Whether the items are distinct numbers of the problem, in any order, that sum to `sum` and not beyond the target.
/// Any choice of that sum is right; whether another sum is closer to the target is not checked. O(n), n bits.
[[nodiscard]] Verdict verify(const SubsetSum& problem, const SubsetSumSolution& solution, const Options& options = {});

/// Whether that is the number of subsets whose sum is exactly the target, by
///
///     count(0, 0) = 1,   count(i, s) = count(i-1, s) + count(i-1, s - number_i),
///
/// modulo `modulus` or, where that is 0, modulo the prime 2^61 - 1, which tells all but one in 2^61 wrong counts. It
/// takes n (target + 1) additions and 8 (target + 1) bytes; above 10^9 additions the count is unchecked but for its
/// form, unless the target is beyond the sum of all.
[[nodiscard]] Verdict verify(const SubsetSum& problem, const SubsetCount& count, std::uint64_t modulus = 0,
                             const Options& options = {});

}  // namespace warpfold::knapsack
