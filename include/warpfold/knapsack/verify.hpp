#pragma once

#include <cstdint>

#include "warpfold/knapsack/solve.hpp"
#include "warpfold/knapsack/subset_sum.hpp"
#include "warpfold/run/run.hpp"
#include "warpfold/run/verdict.hpp"

/// Checks of a given packing, table, subset or count. They share no code with the solvers. All raise Error{time_limit},
/// Error{cancelled} and Error{memory_limit} according to the options.
namespace warpfold::knapsack {

/// Checks a packing: the copies x_i exist, sum x_i * weight_i <= capacity, value = sum x_i * value_i, and weight = sum
/// x_i * weight_i. Any packing with these sums is accepted. It does not check that no packing is worth more. Cost:
/// O(n).
[[nodiscard]] Verdict verify(const Problem& problem, const Solution& solution, const Options& options = {});

/// Checks that the table has the best value for every capacity 0 .. problem.capacity(), by
///
///     best(0, c) = 0,   best(i, c) = max(best(i-1, c), best(i-1, c - x weight_i) + x value_i),
///
/// with x = 1, 2, 4, .. copies and a rest at a time. Cost: n (capacity + 1) operations, times log2 of the copies that
/// fit if there are several, and 8 bytes per capacity.
[[nodiscard]] Verdict verify(const Problem& problem, const CapacityTable& table, const Options& options = {});

/// Checks that the items are distinct numbers of the problem, in any order, that sum to `sum`, and that `sum` is at
/// most the target. It does not check that no other sum is closer to the target. Cost: O(n), and n bits.
[[nodiscard]] Verdict verify(const SubsetSum& problem, const SubsetSumSolution& solution, const Options& options = {});

/// Checks the number of subsets whose sum is exactly the target, by
///
///     count(0, 0) = 1,   count(i, s) = count(i-1, s) + count(i-1, s - number_i).
///
/// The numbers are taken modulo `modulus`. If that is 0, they are taken modulo the prime 2^61 - 1, which detects all
/// but one in 2^61 wrong counts. Cost: n (target + 1) additions and 8 (target + 1) bytes. Above 10^9 additions only the
/// form of the count is checked, unless the target exceeds the sum of all numbers.
[[nodiscard]] Verdict verify(const SubsetSum& problem, const SubsetCount& count, std::uint64_t modulus = 0,
                             const Options& options = {});

}  // namespace warpfold::knapsack
