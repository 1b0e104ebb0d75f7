#pragma once

#include <cstdint>

#include "warpfold/recurrence/coins.hpp"
#include "warpfold/recurrence/solve.hpp"
#include "warpfold/run/run.hpp"
#include "warpfold/run/verdict.hpp"

/// Checks of somebody's table, payment or count that share no code with the solvers, and find every value anew: what
/// they accept is an optimum. All raise Error{time_limit}, Error{cancelled} and Error{memory_limit} as the options ask.
namespace warpfold::recurrence {

/// Whether the initial values are the problem's and every other one follows from those before it,
///
///     ST[i] = op over j of (ST[i - a_j] + c_j)   for a_0 <= i < n:
///
/// exactly, but for sums of floats, which may have been added in any order. (n - a_0) k operations, no memory.
template <class T>
[[nodiscard]] Verdict verify(const Problem<T>& problem, const Solution<T>& solution, const Options& options = {});

/// Up to this amount the checks of coins compute what they check. Above it, a payment has to add up and to be there,
/// and the rest is unchecked.
inline constexpr std::int64_t largest_checked_amount = 100'000'000;

/// Whether `used` pays the amount from the stock in `fewest` coins, and no payment takes fewer, by the table of
///
///     F(0) = 0,   F(a) = 1 + min over coins c of F(a - c),
///
/// a coin and with a stock a piece at a time. O(k amount) operations, times log2 of the stock where there is one; 4
/// bytes an amount. These checks all raise Error{input} for an amount below 0.
[[nodiscard]] Verdict verify(const CoinSystem& system, std::int64_t amount, const Change& change,
                             const Options& options = {});

/// The same for the amounts 0 .. `amount`, or where it has one entry for the amount alone.
[[nodiscard]] Verdict verify(const CoinSystem& system, std::int64_t amount, const FewestTable& table,
                             const Options& options = {});

/// Whether coins give the amounts 0 .. `amount`, or where there is one entry the amount alone, in so many ways:
///
///     W_0(0) = 1,   W_j(a) = W_j(a - c) + W_(j-1)(a) - W_(j-1)(a - (s+1) c)   for coin j = c with stock s,
///
/// modulo `modulus` or, where that is 0, modulo the prime 2^61 - 1, which tells all but one in 2^61 wrong counts. O(k
/// amount) operations, 16 bytes an amount.
[[nodiscard]] Verdict verify(const CoinSystem& system, std::int64_t amount, const Ways& ways, std::uint64_t modulus,
                             const Options& options = {});

}  // namespace warpfold::recurrence
