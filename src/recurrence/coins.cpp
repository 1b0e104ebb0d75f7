#include "warpfold/recurrence/coins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <optional>

#include "recurrence/tuning.hpp"
#include "run/large_vector.hpp"
#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/recurrence/solve.hpp"
#include "warpfold/run/clock.hpp"

namespace warpfold::recurrence {

namespace {

using Amount = std::int64_t;

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorKind::input, what); }

[[noreturn]] void no_coins_give(Amount amount) {
  throw Error(ErrorKind::infeasible, fmt::format("no coins of these give the amount {}", amount));
}

void check_amount(Amount amount) {
  if (amount < 0 || amount > max_amount) {
    refuse(fmt::format("the amount is {}: 0 to {} is accepted", amount, max_amount));
  }
}

/// Limits that keep numbers of coins below infinity<int32_t>, and the costs of residues below infinity<int64_t>.
constexpr Amount longest = (Amount{1} << 30) - 2;

constexpr std::size_t steps_between_checks = 1 << 18;  // 50 ms where each misses every cache

/// The bytes of a table for 0 .. amount. Rejects a table that is too long.
std::size_t table_bytes(Amount amount, std::size_t bytes_each) {
  if (amount > longest) {
    throw Error(ErrorKind::memory_limit,
                fmt::format("a table up to {} is too long: up to {} is accepted", amount, longest));
  }
  return (static_cast<std::size_t>(amount) + 1) * bytes_each;
}

Budget::Reservation take_table(Amount amount, std::size_t bytes_each, Budget& budget) {
  Budget::Reservation taken = budget.reserve(static_cast<std::size_t>(std::min(amount, longest)) + 1, bytes_each);
  static_cast<void>(table_bytes(amount, bytes_each));
  return taken;
}

std::vector<Amount> usable(const CoinSystem& system, Amount amount) {
  std::vector<Amount> coins;
  std::copy_if(system.coins().begin(), system.coins().end(), std::back_inserter(coins),
               [&](Amount coin) { return coin <= amount; });
  return coins;
}

// The method of residues. M is the largest coin. An optimal payment has fewer than M coins that are not M. Of M others,
// some add up to a multiple q M, by the pigeonhole principle on the sums of the first few of them modulo M. As each is
// below M, the q coins M are fewer. So only the others' sum s modulo M matters. With m others it costs m + (amount - s)
// / M coins, which is (amount + sum over the others of (M - c)) / M. Hence the shortest path by costs M - c > 0 among
// the M residues is optimal if its s is at most the amount. Of equal costs the one with fewer coins (and so the smaller
// s) is taken.

constexpr std::uint32_t no_coin = std::numeric_limits<std::uint32_t>::max();

struct Residue {
  Amount cost = infinity<Amount>;  ///< the least sum of M - c over others whose sum is this residue modulo M
  std::uint32_t count = 0;         ///< of them
  std::uint32_t last = no_coin;    ///< one of them, by index

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
  if (largest > longest) return std::nullopt;
  SolveMonitor monitor(context.options, static_cast<double>(largest) * static_cast<double>(coins.size()));
  const Budget::Reservation taken = take_table(largest, sizeof(Residue), context.budget);
  const std::vector<Residue> residues = residues_of(coins, largest, monitor);
  const Residue& end = residues[static_cast<std::size_t>(amount % largest)];
  if (end.cost == infinity<Amount>) no_coins_give(amount);
  const auto sum_of_others = static_cast<__int128>(end.count) * largest - end.cost;
  if (sum_of_others > amount) return std::nullopt;
  return walk(residues, coins, amount);
}

constexpr std::int32_t unreachable = infinity<std::int32_t>;

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

/// F(0) .. F(amount) by the recurrence itself.
std::vector<std::int32_t> fewest_table(const std::vector<Amount>& coins, Amount amount, Context& context) {
  const auto size = static_cast<std::size_t>(amount) + 1;
  if (!coins.empty() && gains_from_blocks(coins, amount)) {
    auto [solution, report] = solve(as_recurrence(coins, amount), with_algorithm("", context.options));
    add_part(context.report, report);
    context.report.algorithm = "table";
    solution.values.erase(solution.values.begin(), solution.values.end() - static_cast<std::ptrdiff_t>(size));
    return std::move(solution.values);
  }
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

/// Limited stock, one coin at a time: G'(a) = min over t <= s of G(a - t c) + t. Along the amounts of one residue
/// modulo c this is the minimum of G(a_i) - i over a sliding window. A queue holds the candidates that may still win.
class StockTable {
 public:
  StockTable(const CoinSystem& system, Amount amount, bool keeps_choices, Context& context)
      : system_(system),
        size_(static_cast<std::size_t>(amount) + 1),
        budget_(context.budget),
        taken_(take_table(amount, bytes_an_amount(system, keeps_choices), context.budget)),
        monitor_(context.options, static_cast<double>(size_) * static_cast<double>(system.coins().size())),
        ticker_(monitor_, steps_between_checks),
        choices_(keeps_choices ? system.coins().size() : 0) {
    grow(fewest_, size_, unreachable, monitor_);
    fewest_[0] = 0;
    for (std::size_t j = 0; j < system.coins().size(); ++j) {
      if (keeps_choices) grow(choices_[j], size_, 0, monitor_);
      add_coin(j);
    }
  }

  /// The bytes besides the queue.
  [[nodiscard]] static std::size_t bytes_an_amount(const CoinSystem& system, bool keeps_choices) {
    return sizeof(std::int32_t) * (1 + (keeps_choices ? system.coins().size() : 0));
  }
  /// The bytes of the first queue, with which every coin of at most the amount begins.
  [[nodiscard]] static std::size_t min_queue_bytes(const CoinSystem& system, Amount amount) {
    return smallest_coin(system) <= amount ? first_queue * sizeof(Waiting) : 0;
  }
  /// The bytes of the largest queue for amounts up to this, and of the one before its last growth.
  [[nodiscard]] static std::size_t max_queue_bytes(const CoinSystem& system, Amount amount) {
    const auto steps = static_cast<std::size_t>(amount / smallest_coin(system) + 1);
    return steps <= first_queue ? min_queue_bytes(system, amount) : 3 * std::bit_ceil(steps) / 2 * sizeof(Waiting);
  }

  [[nodiscard]] const std::vector<std::int32_t>& fewest() const { return fewest_; }
  [[nodiscard]] std::vector<std::int32_t> take_fewest() { return std::move(fewest_); }

  [[nodiscard]] std::vector<Amount> walk(Amount amount) const {
    std::vector<Amount> used(system_.coins().size(), 0);
    for (std::size_t j = used.size(); j-- > 0;) {
      used[j] = choices_[j][static_cast<std::size_t>(amount)];
      amount -= used[j] * system_.coins()[j];
    }
    return used;
  }

 private:
  using Waiting = std::pair<std::int64_t, std::size_t>;
  static constexpr std::size_t first_queue = 1024;

  [[nodiscard]] static Amount smallest_coin(const CoinSystem& system) {
    return *std::min_element(system.coins().begin(), system.coins().end());
  }

  void add_coin(std::size_t j) {
    const auto coin = static_cast<std::uint64_t>(system_.coins()[j]);
    const auto stock = static_cast<std::uint64_t>(system_.stock()[j]);
    if (coin >= size_) return;
    for (std::size_t residue = 0; residue < std::min<std::uint64_t>(coin, size_); ++residue) {
      add_along(residue, static_cast<std::size_t>(coin), stock, j);
    }
    monitor_.advance(static_cast<double>(size_));
  }

  void add_along(std::size_t residue, std::size_t coin, std::uint64_t stock, std::size_t j) {
    queue_.clear();
    std::size_t front = 0;
    for (std::size_t i = 0, a = residue; a < size_; ++i, a += coin) {
      ticker_.tick();
      if (fewest_[a] < unreachable) {
        const std::int64_t value = fewest_[a] - static_cast<std::int64_t>(i);
        while (queue_.size() > front && queue_.back().first > value) queue_.pop_back();
        if (queue_.size() == queue_.capacity()) grow_queue();
        queue_.emplace_back(value, i);
      }
      while (front < queue_.size() && i - queue_[front].second > stock) ++front;
      if (front == queue_.size()) continue;
      const std::size_t taken = i - queue_[front].second;
      fewest_[a] = static_cast<std::int32_t>(queue_[front].first + static_cast<std::int64_t>(i));
      if (!choices_.empty()) choices_[j][a] = static_cast<std::int32_t>(taken);
    }
  }

  /// Both queues exist while it grows.
  void grow_queue() {
    const std::size_t larger = std::max(first_queue, 2 * queue_.capacity());
    Budget::Reservation taken = budget_.reserve(larger, sizeof(Waiting));
    queue_.reserve(larger);
    queue_taken_ = std::move(taken);
  }

  const CoinSystem& system_;
  const std::size_t size_;
  Budget& budget_;
  Budget::Reservation taken_;        // the tables
  Budget::Reservation queue_taken_;  // and the queue
  SolveMonitor monitor_;
  PeriodicCheck ticker_;
  std::vector<std::int32_t> fewest_;
  std::vector<std::vector<std::int32_t>> choices_;  // how many of coin j the best payment of a with coins 0 .. j has
  std::vector<Waiting> queue_;                      // G(a_i) - i, and i
};

/// An amount to pay.
struct Payment {
  const CoinSystem& system;
  Amount amount;

  /// Coins of at most the amount.
  [[nodiscard]] std::vector<Amount> coins() const { return usable(system, amount); }
};

Amount count(const std::vector<Amount>& used) { return std::accumulate(used.begin(), used.end(), Amount{0}); }

/// Spreads the numbers of `coins`, some of the system's coins in its order, over all of its coins.
std::vector<Amount> spread_over(const CoinSystem& system, const std::vector<Amount>& coins,
                                const std::vector<Amount>& used) {
  std::vector<Amount> all(system.coins().size(), 0);
  std::size_t next = 0;
  for (std::size_t j = 0; j < all.size() && next < coins.size(); ++j) {
    if (system.coins()[j] == coins[next]) all[j] = used[next++];
  }
  return all;
}

std::size_t bytes_of_stock(const Payment& payment, bool keeps_choices) {
  const auto& [system, amount] = payment;
  return table_bytes(amount, StockTable::bytes_an_amount(system, keeps_choices)) +
         StockTable::min_queue_bytes(system, amount);
}

double seconds_of_stock(const Payment& payment) {
  return tuning::stock_step_seconds * static_cast<double>(payment.amount) *
         static_cast<double>(payment.system.coins().size());
}

/// The coins and the amount decide how long the queue becomes.
ResourceEstimate worst_case_of_stock(const ResourceEstimate& expected, const Payment& payment, const Options&,
                                     const std::optional<ResourceEstimate>&) {
  const auto& [system, amount] = payment;
  ResourceEstimate most = expected;
  most.bytes += StockTable::max_queue_bytes(system, amount) - StockTable::min_queue_bytes(system, amount);
  return most;
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

/// Fills the table by the blocks of a recurrence, or amount by amount.
ResourceEstimate needs_of_table(const Payment& payment, const Options& options) {
  const auto& [system, amount] = payment;
  const std::vector<Amount> coins = payment.coins();
  if (!coins.empty() && gains_from_blocks(coins, amount)) {
    return estimate(as_recurrence(coins, amount), with_algorithm("", options));
  }
  const double of_each = tuning::amount_seconds + tuning::coin_seconds * static_cast<double>(coins.size());
  return {"table", of_each * static_cast<double>(amount), table_bytes(amount, sizeof(std::int32_t))};
}

std::size_t bytes_of_table(const Payment& payment, const Options& options) {
  return needs_of_table(payment, options).bytes;
}

Change change_of(std::vector<Amount> used) {
  const Amount fewest = count(used);
  return {fewest, std::move(used)};
}

Change pay_by_stock(const Payment& payment, Context& context) {
  const auto& [system, amount] = payment;
  __int128 total = 0;
  for (std::size_t j = 0; j < system.coins().size(); ++j) {
    total += static_cast<__int128>(system.coins()[j]) * system.stock()[j];
  }
  if (total < amount) no_coins_give(amount);
  const StockTable table(system, amount, true, context);
  if (table.fewest()[static_cast<std::size_t>(amount)] == unreachable) no_coins_give(amount);
  return change_of(table.walk(amount));
}

Change pay_by_table(const Payment& payment, Context& context) {
  const auto& [system, amount] = payment;
  const std::vector<Amount> coins = payment.coins();
  const std::vector<std::int32_t> table = fewest_table(coins, amount, context);
  if (table[static_cast<std::size_t>(amount)] >= unreachable) no_coins_give(amount);
  return change_of(spread_over(system, coins, walk(table, coins, amount)));
}

/// Whether residues may not suffice for the amount, while a table is possible.
bool may_need_table(const Payment& payment, std::size_t) {
  const std::vector<Amount> coins = payment.coins();
  if (coins.empty() || payment.amount > longest) return false;
  const Amount largest = *std::ranges::max_element(coins);
  return static_cast<__int128>(largest - 1) * largest > static_cast<__int128>(payment.amount);
}

Change pay_by_residues(const Payment& payment, Context& context) {
  const auto& [system, amount] = payment;
  const std::vector<Amount> coins = payment.coins();
  if (coins.empty()) {
    if (amount > 0) no_coins_give(amount);
    return change_of(std::vector<Amount>(system.coins().size(), 0));
  }
  if (const auto used = used_by_residues(coins, amount, context)) return change_of(spread_over(system, coins, *used));
  if (context.next) Context::give_up("residues do not settle this amount");
  static_cast<void>(table_bytes(amount, sizeof(std::int32_t)));  // refuses an amount that is too large for a table, too
  throw Error(ErrorKind::usage, "algorithm 'residues' does not settle this amount: 'table' is accepted");
}

void mark_unreachable(FewestTable& table, const SolveMonitor& monitor) {
  in_pieces<std::int32_t>(table.fewest.size(), monitor, [&](std::size_t first, std::size_t last) {
    for (std::size_t a = first; a < last; ++a) table.fewest[a] = table.fewest[a] >= unreachable ? -1 : table.fewest[a];
  });
}

std::string stock_unsupported(const Payment& payment) {
  return payment.system.is_limited() ? "" : "is for coins of which there are so many: residues and table are accepted";
}
std::string limits_error(const Payment& payment) {
  return payment.system.is_limited() ? "does not know how many of each coin there are: stock is accepted" : "";
}

double cost_of_table(const Payment& payment, const Options& options) {
  return payment.amount > longest ? 0 : needs_of_table(payment, options).seconds;  // too long: it says why it cannot
}

/// The cost of residues. If they do not suffice, the table's cost is added, but they took less time than it.
double cost_of_residues(const Payment& payment, const Options& options) {
  return payment.amount > longest ? 0 : seconds_of_residues(payment, options);
}

double second_choice(const Payment&, const Options&) { return 1; }

const AlgorithmInfo residues_info{"residues", "cpu",
                                  "one amount, no limit: shortest paths among the residues of the largest coin",
                                  "2 k M operations for k coins up to M, 16 M bytes"};
const AlgorithmInfo table_info{"table", "cpu", "no limit, one amount or all: the recurrence itself",
                               "k n operations, 4 n bytes"};
const AlgorithmInfo stock_info{"stock", "cpu", "limited coins: a coin at a time by a sliding-window minimum",
                               "k n operations, 4 (k + 2) n bytes"};

const auto& change_backends() {
  using B = Backend<Payment, Payment, Change>;
  static const std::vector<B> list = {
      {.info = residues_info,
       .cost = cost_of_residues,
       .bytes = bytes_of_residues,
       .run = pay_by_residues,
       .unsupported_reason = limits_error,
       .seconds = [](const B&, const Payment& payment,
                     const Options& options) { return seconds_of_residues(payment, options); },
       .hands_on_to = table_info.name,
       .may_hand_on = may_need_table},
      {.info = table_info,
       .cost = cost_of_table,
       .bytes = bytes_of_table,
       .run = pay_by_table,
       .unsupported_reason = limits_error},
      {.info = stock_info,
       .cost = second_choice,
       .bytes = [](const Payment& payment, const Options&) { return bytes_of_stock(payment, true); },
       .run = pay_by_stock,
       .unsupported_reason = stock_unsupported,
       .seconds = [](const B&, const Payment& payment, const Options&) { return seconds_of_stock(payment); },
       .worst_case = worst_case_of_stock}};
  return list;
}

const auto& table_makers() {
  using B = Backend<Payment, Payment, FewestTable>;
  static const std::vector<B> list = {
      {.info = table_info,
       .bytes = bytes_of_table,
       .run = [](const Payment& payment,
                 Context& context) { return FewestTable{fewest_table(payment.coins(), payment.amount, context)}; },
       .unsupported_reason = limits_error,
       .seconds = [](const B&, const Payment& payment,
                     const Options& options) { return needs_of_table(payment, options).seconds; }},
      {.info = stock_info,
       .cost = second_choice,
       .bytes = [](const Payment& payment, const Options&) { return bytes_of_stock(payment, false); },
       .run =
           [](const Payment& payment, Context& context) {
             return FewestTable{StockTable(payment.system, payment.amount, false, context).take_fewest()};
           },
       .unsupported_reason = stock_unsupported,
       .seconds = [](const B&, const Payment& payment, const Options&) { return seconds_of_stock(payment); },
       .worst_case = worst_case_of_stock},
      {.info = residues_info, .unsupported_reason = [](const Payment&) -> std::string {
         return "pays one amount: table and, of limited coins, stock pay all";
       }}};
  return list;
}

}  // namespace

CoinSystem::CoinSystem(std::vector<std::int64_t> coins, std::vector<std::int64_t> stock)
    : coins_(std::move(coins)), stock_(std::move(stock)) {
  if (coins_.empty()) refuse("there are no coins: at least one is needed");
  if (!stock_.empty() && stock_.size() != coins_.size()) {
    refuse(fmt::format("stock has {} entries for {} coins: none or one for each is accepted", stock_.size(),
                       coins_.size()));
  }
  for (const Amount coin : coins_) {
    if (coin < 1 || coin > max_amount) {
      refuse(fmt::format("coin {} is not accepted: 1 to {} is", coin, max_amount));
    }
  }
  for (const Amount pieces : stock_) {
    if (pieces < 0) refuse(fmt::format("a stock of {} is not accepted: 0 or more is", pieces));
  }
  std::vector<Amount> sorted = coins_;
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end()) {
    refuse(fmt::format("coin {} occurs twice: each may occur once", *twice));
  }
}

std::vector<AlgorithmInfo> coin_algorithms() { return infos(change_backends()); }

Estimate estimate_fewest(const CoinSystem& system, std::int64_t amount, bool all, const Options& options) {
  check_amount(amount);
  const Payment payment{system, amount};
  return all ? estimate_by(std::span(table_makers()), payment, options)
             : estimate_by(std::span(change_backends()), payment, options);
}

Outcome<Change> fewest_coins(const CoinSystem& system, std::int64_t amount, const Options& options) {
  check_amount(amount);
  const Payment payment{system, amount};
  return solve_by(std::span(change_backends()), payment, payment, options);
}

Outcome<FewestTable> fewest_coins_up_to(const CoinSystem& system, std::int64_t amount, const Options& options) {
  check_amount(amount);
  const Payment payment{system, amount};
  auto outcome = solve_by(std::span(table_makers()), payment, payment, options);
  mark_unreachable(outcome.solution, SolveMonitor(options, 0));
  return outcome;
}

}  // namespace warpfold::recurrence
