#include "recurrence/coins/table.hpp"

#include <algorithm>
#include <utility>

#include "recurrence/tuning.hpp"
#include "run/large_vector.hpp"
#include "warpfold/recurrence/solve.hpp"

namespace warpfold::recurrence {

namespace {

/// Whether blocks of amounts, with vectors and threads, are faster than one amount after another.
bool gains_from_blocks(const std::vector<Amount>& coins, Amount amount) {
  constexpr Amount most = Amount{1} << 28;  // so that weights of 1 stay within Problem's bound
  return coins.size() >= tuning::worth_blocks && amount + 1 < most - *std::max_element(coins.begin(), coins.end());
}

/// The table as an S-DP problem: amounts below 0 have no value, and amount 0 is the last initial value.
Problem<std::int32_t> as_recurrence(const std::vector<Amount>& coins, Amount amount) {
  const auto largest = static_cast<std::size_t>(*std::max_element(coins.begin(), coins.end()));
  Statement<std::int32_t> statement{Op::min, coins, {}, largest + static_cast<std::size_t>(amount), {}, 0};
  statement.initial.assign(largest, unreachable);
  statement.initial.back() = 0;
  statement.weights.assign(coins.size(), 1);
  return Problem<std::int32_t>(std::move(statement));
}

/// Fills the table by the blocks of a recurrence.
std::vector<std::int32_t> table_by_blocks(const std::vector<Amount>& coins, Amount amount, Context& context) {
  auto [solution, report] = solve(as_recurrence(coins, amount), with_algorithm("", context.options));
  add_part(context.report, report);
  context.report.algorithm = "table";
  solution.values.erase(solution.values.begin(), solution.values.end() - static_cast<std::ptrdiff_t>(amount + 1));
  return std::move(solution.values);
}

/// Fills the table amount by amount.
std::vector<std::int32_t> table_by_amounts(const std::vector<Amount>& coins, Amount amount, Context& context) {
  const auto size = static_cast<std::size_t>(amount) + 1;
  const Budget::Reservation taken = take_table(amount, sizeof(std::int32_t), context.budget);
  SolveMonitor monitor(context.options, static_cast<double>(size) * static_cast<double>(coins.size()));
  std::vector<std::int32_t> table;
  grow(table, size, unreachable, monitor);
  table[0] = 0;
  constexpr std::size_t between_checks = 1 << 16;
  for (std::size_t start = 1; start < size; start += between_checks) {
    monitor.check();
    monitor.advance(static_cast<double>(between_checks * coins.size()));
    for (std::size_t a = start; a < std::min(size, start + between_checks); ++a) {
      std::int32_t best = unreachable - 1;
      for (const Amount coin : coins) {
        if (static_cast<std::size_t>(coin) <= a) best = std::min(best, table[a - static_cast<std::size_t>(coin)]);
      }
      table[a] = best + 1;
    }
  }
  return table;
}

std::vector<Amount> walk(const std::vector<std::int32_t>& table, const std::vector<Amount>& coins, Amount amount) {
  std::vector<Amount> used(coins.size(), 0);
  while (amount > 0) {
    const auto next = std::find_if(coins.begin(), coins.end(), [&](Amount coin) {
      return coin <= amount &&
             table[static_cast<std::size_t>(amount - coin)] + 1 == table[static_cast<std::size_t>(amount)];
    });
    ++used[static_cast<std::size_t>(next - coins.begin())];
    amount -= *next;
  }
  return used;
}

}  // namespace

std::vector<std::int32_t> fewest_table(const Payment& payment, Context& context) {
  const std::vector<Amount> coins = payment.coins();
  const bool by_blocks = !coins.empty() && gains_from_blocks(coins, payment.amount);
  return by_blocks ? table_by_blocks(coins, payment.amount, context) : table_by_amounts(coins, payment.amount, context);
}

Change pay_by_table(const Payment& payment, Context& context) {
  const auto& [system, amount] = payment;
  const std::vector<Amount> coins = payment.coins();
  const std::vector<std::int32_t> table = fewest_table(payment, context);
  if (table[static_cast<std::size_t>(amount)] >= unreachable) no_coins_give(amount);
  return change_of(spread_over(system, coins, walk(table, coins, amount)));
}

ResourceEstimate resources_of_table(const Payment& payment, const Options& options) {
  const auto& [system, amount] = payment;
  const std::vector<Amount> coins = payment.coins();
  if (!coins.empty() && gains_from_blocks(coins, amount)) {
    return estimate(as_recurrence(coins, amount), with_algorithm("", options));
  }
  const double of_each = tuning::amount_seconds + tuning::coin_seconds * static_cast<double>(coins.size());
  return {"table", of_each * static_cast<double>(amount), table_bytes(amount, sizeof(std::int32_t))};
}

}  // namespace warpfold::recurrence
