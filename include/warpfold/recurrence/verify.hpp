#pragma once

#include <cstdint>

#include "warpfold/recurrence/coins.hpp"
#include "warpfold/recurrence/solve.hpp"
#include "warpfold/run/run.hpp"
#include "warpfold/run/verdict.hpp"

/// Checks of a given table, payment or count. They share no code with the solvers, and compute every value again, so an
/// accepted result is an optimum. All raise Error{time_limit}, Error{cancelled} and Error{memory_limit} according to
/// the options.
namespace warpfold::recurrence {

/// Checks that the initial values are the problem's, and that every other value follows from those before it:
///
///     ST[i] = op over j of (ST[i - a_j] + c_j)   for a_0 <= i < n.
///
/// The check is exact, except for sums of floats, which may have been added in any order. Cost: (n - a_0) k operations,
/// and no memory.
template <class T>
[[nodiscard]] Verdict verify(const Problem<T>& problem, const Solution<T>& solution, const Options& options = {});

/// The largest amount for which the checks of coins compute the result. Above it, a payment must add up and respect the
/// stock, and the rest is reported as unchecked.
inline constexpr std::int64_t largest_checked_amount = 100'000'000;

/// Checks that `used` pays the amount from the stock in `fewest` coins, and that no payment takes fewer:
///
///     F(0) = 0,   F(a) = 1 + min over coins c of F(a - c).
///
/// Raises Error{input} for an amount below 0, as the checks below do. Cost: O(k amount) operations, times log2 of the
/// stock if there is one, and 4 bytes per amount.
[[nodiscard]] Verdict verify(const CoinSystem& system, std::int64_t amount, const Change& change,
                             const Options& options = {});

/// Checks the fewest coins for the amounts 0 .. `amount`, or for the amount only if the table has one entry.
[[nodiscard]] Verdict verify(const CoinSystem& system, std::int64_t amount, const FewestTable& table,
                             const Options& options = {});

/// Checks the number of ways for the amounts 0 .. `amount`, or for the amount only if there is one entry:
///
///     W_0(0) = 1,   W_j(a) = W_j(a - c) + W_(j-1)(a) - W_(j-1)(a - (s+1) c)   for coin j = c with stock s.
///
/// The numbers are taken modulo `modulus`. If that is 0, they are taken modulo the prime 2^61 - 1, which detects all
/// but one in 2^61 wrong counts. Cost: O(k amount) operations, 16 bytes per amount.
[[nodiscard]] Verdict verify(const CoinSystem& system, std::int64_t amount, const Ways& ways, std::uint64_t modulus,
                             const Options& options = {});

}  // namespace warpfold::recurrence
