#include "recurrence/coins/payment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "warpfold/core/error.hpp"

namespace warpfold::recurrence {

std::vector<Amount> Payment::coins() const {
  std::vector<Amount> coins;
  std::ranges::copy_if(system.coins(), std::back_inserter(coins), [&](Amount coin) { return coin <= amount; });
  return coins;
}

void no_coins_give(Amount amount) {
  throw Error(ErrorKind::infeasible, fmt::format("no coins of these give the amount {}", amount));
}

std::size_t table_bytes(Amount amount, std::size_t bytes_each) {
  if (amount > longest_table) {
    throw Error(ErrorKind::memory_limit,
                fmt::format("a table up to {} is too long: up to {} is accepted", amount, longest_table));
  }
  return (static_cast<std::size_t>(amount) + 1) * bytes_each;
}

Budget::Reservation take_table(Amount amount, std::size_t bytes_each, Budget& budget) {
  Budget::Reservation taken = budget.reserve(static_cast<std::size_t>(std::min(amount, longest_table)) + 1, bytes_each);
  static_cast<void>(table_bytes(amount, bytes_each));
  return taken;
}

Change change_of(std::vector<Amount> used) {
  const Amount fewest = std::accumulate(used.begin(), used.end(), Amount{0});
  return {fewest, std::move(used)};
}

std::vector<Amount> spread_over(const CoinSystem& system, const std::vector<Amount>& coins,
                                const std::vector<Amount>& used) {
  std::vector<Amount> all(system.coins().size(), 0);
  std::size_t next = 0;
  for (std::size_t j = 0; j < all.size() && next < coins.size(); ++j) {
    if (system.coins()[j] == coins[next]) all[j] = used[next++];
  }
  return all;
}

}  // namespace warpfold::recurrence
