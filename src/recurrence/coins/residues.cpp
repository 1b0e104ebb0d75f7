#include "recurrence/coins/residues.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include "recurrence/tuning.hpp"
#include "run/large_vector.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::recurrence {

namespace {

// The method of residues. M is the largest coin. An optimal payment has fewer than M coins that are not M. Of M others,
// some add up to a multiple q M, by the pigeonhole principle on the sums of the first few of them modulo M. As each is
// below M, the q coins M are fewer. So only the others' sum s modulo M matters. With m others it costs m + (amount - s)
// / M coins, which is (amount + sum over the others of (M - c)) / M. Hence the shortest path by costs M - c > 0 among
// the M residues is optimal if its s is at most the amount. Of equal costs the one with fewer coins (and so the smaller
// s) is taken.

constexpr std::uint32_t no_coin = std::numeric_limits<std::uint32_t>::max();

struct Residue {
  Amount cost = infinity<Amount>;  ///< the least sum of M - c over others whose sum is this residue modulo M
  std::uint32_t count = 0;         ///< the number of these others
  std::uint32_t last = no_coin;    ///< one of them, by its index

  [[nodiscard]] bool worse_than(Amount other_cost, std::uint32_t other_count) const {
    return cost > other_cost || (cost == other_cost && count > other_count);
  }
};

/// Lets every residue of one cycle of + coin modulo M improve the next one. It goes round the cycle twice: the first
/// round reaches its best residue, and the second carries this one to all others.
void improve_cycle(std::vector<Residue>& residues, std::size_t start, Amount coin, std::uint32_t index,
                   PeriodicCheck& ticker) {
  const auto largest = static_cast<Amount>(residues.size());
  const Amount cycle = largest / std::gcd(coin, largest);
  auto at = static_cast<Amount>(start);
  for (Amount step = 0; step < 2 * cycle; ++step) {
    ticker.tick();
    const Residue from = residues[static_cast<std::size_t>(at)];
    at += coin;
    if (at >= largest) at -= largest;
    Residue& to = residues[static_cast<std::size_t>(at)];
    if (from.cost < infinity<Amount> && to.worse_than(from.cost + largest - coin, from.count + 1)) {
      to = {from.cost + largest - coin, from.count + 1, index};
    }
  }
}

std::vector<Residue> residues_of(const std::vector<Amount>& coins, Amount largest, SolveMonitor& monitor) {
  std::vector<Residue> residues;
  grow(residues, static_cast<std::size_t>(largest), Residue(), monitor);
  residues[0] = {0, 0, no_coin};
  PeriodicCheck ticker(monitor, steps_between_checks);
  for (std::uint32_t index = 0; index < coins.size(); ++index) {
    if (coins[index] == largest) continue;
    const Amount cycles = std::gcd(coins[index], largest);
    for (Amount start = 0; start < cycles; ++start) {
      improve_cycle(residues, static_cast<std::size_t>(start), coins[index], index, ticker);
    }
    monitor.advance(static_cast<double>(largest));
  }
  return residues;
}

/// Reads a payment from the table: how often each coin is used.
std::vector<Amount> walk(const std::vector<Residue>& residues, const std::vector<Amount>& coins, Amount amount) {
  const auto largest = static_cast<Amount>(residues.size());
  std::vector<Amount> used(coins.size(), 0);
  Amount rest = amount;
  for (std::uint32_t last; (last = residues[static_cast<std::size_t>(rest % largest)].last) != no_coin;) {
    ++used[last];
    rest -= coins[last];
  }
  used[static_cast<std::size_t>(std::find(coins.begin(), coins.end(), largest) - coins.begin())] += rest / largest;
  return used;
}

/// Returns the number of each coin by residues, or nothing if the table is needed.
std::optional<std::vector<Amount>> used_by_residues(const std::vector<Amount>& coins, Amount amount, Context& context) {
  const Amount largest = *std::max_element(coins.begin(), coins.end());
  if (largest > longest_table) return std::nullopt;
  SolveMonitor monitor(context.options, static_cast<double>(largest) * static_cast<double>(coins.size()));
  const Budget::Reservation taken = take_table(largest, sizeof(Residue), context.budget);
  const std::vector<Residue> residues = residues_of(coins, largest, monitor);
  const Residue& end = residues[static_cast<std::size_t>(amount % largest)];
  if (end.cost == infinity<Amount>) no_coins_give(amount);
  const auto sum_of_others = static_cast<__int128>(end.count) * largest - end.cost;
  if (sum_of_others > amount) return std::nullopt;
  return walk(residues, coins, amount);
}

}  // namespace

Change pay_by_residues(const Payment& payment, Context& context) {
  const auto& [system, amount] = payment;
  const std::vector<Amount> coins = payment.coins();
  if (coins.empty()) {
    if (amount > 0) no_coins_give(amount);
    return change_of(std::vector<Amount>(system.coins().size(), 0));
  }
  if (const auto used = used_by_residues(coins, amount, context)) return change_of(spread_over(system, coins, *used));
  if (context.next) Context::give_up("residues do not settle this amount");
  // raises an error if the amount is too large for a table, too
  static_cast<void>(table_bytes(amount, sizeof(std::int32_t)));
  throw Error(ErrorKind::usage, "algorithm 'residues' does not settle this amount: 'table' is accepted");
}

std::size_t bytes_of_residues(const Payment& payment, const Options&) {
  const std::vector<Amount> coins = payment.coins();
  return coins.empty() ? 0 : table_bytes(*std::ranges::max_element(coins), sizeof(Residue));
}

double seconds_of_residues(const Payment& payment, const Options& options) {
  const std::vector<Amount> coins = payment.coins();
  if (coins.empty()) return 0;
  const double steps =
      2 * static_cast<double>(*std::ranges::max_element(coins)) * static_cast<double>(coins.size() - 1);
  const bool cached = bytes_of_residues(payment, options) <= tuning::cached_bytes;
  return steps * (cached ? tuning::residue_seconds : tuning::far_residue_seconds);
}

bool may_need_table(const Payment& payment, std::size_t) {
  const std::vector<Amount> coins = payment.coins();
  if (coins.empty() || payment.amount > longest_table) return false;
  const Amount largest = *std::ranges::max_element(coins);
  return static_cast<__int128>(largest - 1) * largest > static_cast<__int128>(payment.amount);
}

}  // namespace warpfold::recurrence
