#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "warpfold/core/arithmetic.hpp"
#include "warpfold/recurrence/coins.hpp"
#include "warpfold/run/budget.hpp"

/// What the algorithms for coins share.
namespace warpfold::recurrence {

using Amount = std::int64_t;

/// Counts of coins stay below infinity<int32_t>, and residues' costs below infinity<int64_t>.
inline constexpr Amount longest_table = (Amount{1} << 30) - 2;

/// In tables of counts: no coins give the amount.
inline constexpr std::int32_t unreachable = infinity<std::int32_t>;

inline constexpr std::size_t steps_between_checks = 1 << 18;  // 50 ms where each misses every cache

/// An amount to pay.
struct Payment {
  const CoinSystem& system;
  Amount amount;

  /// Coins of at most the amount.
  [[nodiscard]] std::vector<Amount> coins() const;
};

/// Raises Error{infeasible}.
[[noreturn]] void no_coins_give(Amount amount);

/// Of a table for 0 .. amount; refuses one that is too long.
[[nodiscard]] std::size_t table_bytes(Amount amount, std::size_t bytes_each);
[[nodiscard]] Budget::Reservation take_table(Amount amount, std::size_t bytes_each, Budget& budget);

/// How often each coin of the system is used.
[[nodiscard]] Change change_of(std::vector<Amount> used);

/// The numbers used of `coins`, some of the system's in its order, spread over all of them.
[[nodiscard]] std::vector<Amount> spread_over(const CoinSystem& system, const std::vector<Amount>& coins,
                                              const std::vector<Amount>& used);

}  // namespace warpfold::recurrence
