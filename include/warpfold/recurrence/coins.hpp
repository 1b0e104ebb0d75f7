#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "warpfold/run/estimate.hpp"
#include "warpfold/run/run.hpp"

namespace warpfold::recurrence {

/// What coins and amounts may be: 2^61 - 1.
inline constexpr std::int64_t max_amount = std::numeric_limits<std::int64_t>::max() / 4;

/// Kinds of coins, and how many of each there are.
class CoinSystem {
 public:
  /// `coins`: at least one, each from 1 to `max_amount`, none twice. `stock`: empty (no limit), or how many of each
  /// coin there are. Raises Error{input} for anything else.
  explicit CoinSystem(std::vector<std::int64_t> coins, std::vector<std::int64_t> stock = {});

  [[nodiscard]] const std::vector<std::int64_t>& coins() const { return coins_; }  ///< as given
  [[nodiscard]] const std::vector<std::int64_t>& stock() const { return stock_; }
  [[nodiscard]] bool is_limited() const { return !stock_.empty(); }

 private:
  std::vector<std::int64_t> coins_;
  std::vector<std::int64_t> stock_;
};

/// Every call here refuses an amount below 0, and for the fewest coins one above `max_amount`, with Error{input} and
/// is deterministic.

struct Change {
  std::int64_t fewest = 0;         ///< coins
  std::vector<std::int64_t> used;  ///< how many of each coin of the system
};

/// An amount in the fewest coins: F(0) = 0, F(a) = 1 + min over coins c of F(a - c). Every algorithm gives the same
/// number of coins; of several payments with that number each algorithm may give another. Raises Error{infeasible}
/// where no coins give the amount. Without a limit: "residues", O(k M) time and 16 M bytes for k coins up to M,
/// whatever the amount, where that suffices (always from (M - 1) M on); else "table", O(k amount) time and 4 * amount
/// bytes. With a limit: "stock", O(k amount) time and 4 (k + 2) amount bytes.
[[nodiscard]] Outcome<Change> fewest_coins(const CoinSystem& system, std::int64_t amount, const Options& options = {});

/// The algorithms for the fewest coins by name, with what each is for.
[[nodiscard]] std::vector<AlgorithmInfo> coin_algorithms();

/// The fewest coins of every amount.
struct FewestTable {
  std::vector<std::int32_t> fewest;  ///< of amounts 0 .. amount; -1 where no coins give it
};
/// Them for the amounts 0 .. `amount`, without the coins themselves.
[[nodiscard]] Outcome<FewestTable> fewest_coins_up_to(const CoinSystem& system, std::int64_t amount,
                                                      const Options& options = {});

/// What `fewest_coins` would take or, for `all`, `fewest_coins_up_to`; raises what they raise for the options and for a
/// table that is too long. Whether "residues" settle an amount below (M - 1) M depends on the coins.
[[nodiscard]] Estimate estimate_fewest(const CoinSystem& system, std::int64_t amount, bool all,
                                       const Options& options = {});

/// In how many ways coins give an amount, order apart: the coefficient of x^amount in the product over coins c with
/// stock s of 1 + x^c + .. + x^(s c). O(k amount) additions.
struct Ways {
  std::vector<std::string> exact;     ///< decimal
  std::vector<std::uint64_t> modulo;  ///< instead of `exact`, where a modulus was given
};

/// `modulus` 0: exact, of any length; otherwise modulo it. `all`: for 0 .. amount instead of amount alone.
/// There is one algorithm, and options that name one for the fewest coins are accepted, too.
[[nodiscard]] Outcome<Ways> count_ways(const CoinSystem& system, std::int64_t amount, std::uint64_t modulus, bool all,
                                       const Options& options = {});

/// What `count_ways` would take.
[[nodiscard]] Estimate estimate_ways(const CoinSystem& system, std::int64_t amount, std::uint64_t modulus, bool all);

}  // namespace warpfold::recurrence
