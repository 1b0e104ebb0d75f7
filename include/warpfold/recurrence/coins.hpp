#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "warpfold/run/estimate.hpp"
#include "warpfold/run/run.hpp"

namespace warpfold::recurrence {

/// The largest accepted coin and amount, 2^61 - 1.
inline constexpr std::int64_t max_amount = std::numeric_limits<std::int64_t>::max() / 4;

/// The kinds of coins, and the number of coins of each kind.
class CoinSystem {
 public:
  /// `coins`: at least one, each from 1 to `max_amount`. One that is given again counts once. `stock`: the number of
  /// coins of each kind, which then occurs once, or empty for no limit. Raises Error{input} for anything else.
  explicit CoinSystem(std::vector<std::int64_t> coins, std::vector<std::int64_t> stock = {});

  [[nodiscard]] const std::vector<std::int64_t>& coins() const { return coins_; }  ///< each once, in the given order
  [[nodiscard]] const std::vector<std::int64_t>& stock() const { return stock_; }
  [[nodiscard]] bool is_limited() const { return !stock_.empty(); }

 private:
  std::vector<std::int64_t> coins_;
  std::vector<std::int64_t> stock_;
};

/// A payment in the fewest coins.
struct Change {
  std::int64_t fewest = 0;         ///< number of coins
  std::vector<std::int64_t> used;  ///< number of coins of each kind, in the order of the system
};

/// Pays an amount in the fewest coins:
///
///     F(0) = 0,   F(a) = 1 + min over coins c of F(a - c).
///
/// Every algorithm gives the same number of coins. If several payments have that number, algorithms may give different
/// ones; each is deterministic.
///
/// Raises Error{input} for an amount below 0 or above `max_amount`, and Error{infeasible} if no coins give the amount.
///
/// Cost for k coins up to M:
///
/// * "residues", without a stock: O(k M) time and 16 M bytes for any amount. It always suffices from amount (M - 1) M
///   on; below, it depends on the coins. If it does not suffice, "table" runs.
/// * "table", without a stock: O(k amount) time and 4 * amount bytes.
/// * "stock", with a stock: O(k amount) time and 4 (k + 2) amount bytes.
[[nodiscard]] Outcome<Change> fewest_coins(const CoinSystem& system, std::int64_t amount, const Options& options = {});

/// Returns the algorithms for the fewest coins by name, with their purposes.
[[nodiscard]] std::vector<AlgorithmInfo> coin_algorithms();

/// The fewest coins for every amount.
struct FewestTable {
  std::vector<std::int32_t> fewest;  ///< for amounts 0 .. amount; -1 if no coins give the amount
};
/// Returns the fewest coins for the amounts 0 .. `amount`, without the payments. Raises Error{input} for an amount
/// below 0 or above `max_amount`.
[[nodiscard]] Outcome<FewestTable> fewest_coins_up_to(const CoinSystem& system, std::int64_t amount,
                                                      const Options& options = {});

/// Returns the time and memory that `fewest_coins` would take, or with `all` `fewest_coins_up_to`. Raises what they
/// raise for the options, and for a table that is too long. The coins decide whether "residues" suffices for an amount
/// below (M - 1) M.
[[nodiscard]] Estimate estimate_fewest(const CoinSystem& system, std::int64_t amount, bool all,
                                       const Options& options = {});

/// The number of ways in which coins give an amount, regardless of order. It is the coefficient of x^amount in the
/// product over coins c with stock s of 1 + x^c + .. + x^(s c).
struct Ways {
  std::vector<std::string> exact;     ///< in decimal
  std::vector<std::uint64_t> modulo;  ///< used instead of `exact` if a modulus is given
};

/// Counts the ways to pay an amount. With `modulus` 0 the numbers are exact, of any length; otherwise they are taken
/// modulo it. With `all` the result is for 0 .. amount, otherwise for amount only.
///
/// There is one algorithm. Options that name one for the fewest coins are accepted too. Raises Error{input} for an
/// amount below 0. Cost: O(k amount) additions.
[[nodiscard]] Outcome<Ways> count_ways(const CoinSystem& system, std::int64_t amount, std::uint64_t modulus, bool all,
                                       const Options& options = {});

/// Returns the time and memory that `count_ways` would take.
[[nodiscard]] Estimate estimate_ways(const CoinSystem& system, std::int64_t amount, std::uint64_t modulus, bool all);

}  // namespace warpfold::recurrence
