#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "core/quantity.hpp"
#include "recurrence/coins/payment.hpp"
#include "recurrence/coins/residues.hpp"
#include "recurrence/coins/stock.hpp"
#include "recurrence/coins/table.hpp"
#include "run/large_vector.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/recurrence/coins.hpp"
#include "warpfold/run/backend.hpp"

namespace warpfold::recurrence {

namespace {

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorKind::input, what); }

void check_amount(Amount amount) {
  if (amount < 0 || amount > max_amount) {
    refuse(fmt::format("the amount is {}: 0 to {} is accepted", amount, max_amount));
  }
}

std::size_t bytes_of_table(const Payment& payment, const Options& options) {
  return resources_of_table(payment, options).bytes;
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
  return payment.amount > longest_table ? 0
                                        : resources_of_table(payment, options).seconds;  // the table raises an error
}

/// The cost of residues. If they do not suffice, the table's cost is added, but they took less time than it.
double cost_of_residues(const Payment& payment, const Options& options) {
  return payment.amount > longest_table ? 0 : seconds_of_residues(payment, options);
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
       .run = [](const Payment& payment, Context& context) { return FewestTable{fewest_table(payment, context)}; },
       .unsupported_reason = limits_error,
       .seconds = [](const B&, const Payment& payment,
                     const Options& options) { return resources_of_table(payment, options).seconds; }},
      {.info = stock_info,
       .cost = second_choice,
       .bytes = [](const Payment& payment, const Options&) { return bytes_of_stock(payment, false); },
       .run = [](const Payment& payment, Context& context) { return FewestTable{fewest_by_stock(payment, context)}; },
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
    refuse(fmt::format("stock has {} for {}: none or one for each is accepted",
                       quantity(stock_.size(), "entry", "entries"), quantity(coins_.size(), "coin")));
  }
  for (const Amount coin : coins_) {
    if (coin < 1 || coin > max_amount) {
      refuse(fmt::format("coin {} is not accepted: 1 to {} is", coin, max_amount));
    }
  }
  for (const Amount pieces : stock_) {
    if (pieces < 0) refuse(fmt::format("a stock of {} is not accepted: 0 or more is", pieces));
  }
  std::unordered_set<Amount> met;
  const auto is_again = [&](Amount coin) { return !met.insert(coin).second; };
  if (stock_.empty()) {
    std::erase_if(coins_, is_again);
  } else if (const auto twice = std::find_if(coins_.begin(), coins_.end(), is_again); twice != coins_.end()) {
    refuse(fmt::format("coin {} occurs twice: with a stock each may occur once", *twice));
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
