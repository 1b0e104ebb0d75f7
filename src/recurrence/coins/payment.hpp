#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "warpfold/core/arithmetic.hpp"
#include "warpfold/recurrence/coins.hpp"
#include "warpfold/run/budget.hpp"

/// The parts that the algorithms for coins share.
namespace warpfold::recurrence {

using Amount = std::int64_t;

/// Limits that keep numbers of coins below infinity<int32_t>, and the costs of residues below infinity<int64_t>.
inline constexpr Amount longest_table = (Amount{1} << 30) - 2;

/// The entry of an amount that no coins give, in tables of counts.
inline constexpr std::int32_t unreachable = infinity<std::int32_t>;

inline constexpr std::size_t steps_between_checks = 1 << 18;  // 50 ms if every step misses the caches

/// An amount to pay.
struct Payment {
  const CoinSystem& system;
  Amount amount;

  /// Coins of at most the amount.
  [[nodiscard]] std::vector<Amount> coins() const;
};

/// Raises Error{infeasible}.
[[noreturn]] void no_coins_give(Amount amount);

/// The bytes of a table for 0 .. amount. Rejects a table that is too long.
[[nodiscard]] std::size_t table_bytes(Amount amount, std::size_t bytes_each);
[[nodiscard]] Budget::Reservation take_table(Amount amount, std::size_t bytes_each, Budget& budget);

/// The payment that uses each coin of the system so often.
[[nodiscard]] Change change_of(std::vector<Amount> used);

/// Spreads the numbers of `coins`, some of the system's coins in its order, over all of its coins.
[[nodiscard]] std::vector<Amount> spread_over(const CoinSystem& system, const std::vector<Amount>& coins,
                                              const std::vector<Amount>& used);

}  // namespace warpfold::recurrence
