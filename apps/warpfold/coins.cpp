#include "warpfold/recurrence/coins.hpp"

#include <fmt/format.h>

#include "algorithms.hpp"
#include "arguments.hpp"
#include "core/quantity.hpp"
#include "dtypes.hpp"
#include "estimate.hpp"
#include "io/decimal.hpp"
#include "io/printable.hpp"
#include "io/text.hpp"
#include "knapsack_input.hpp"
#include "outputs.hpp"
#include "recurrence_input.hpp"
#include "result.hpp"
#include "solve_options.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/io/file.hpp"
#include "warpfold/io/npy.hpp"

namespace warpfold::app {

using io::with_file_context;

namespace {

constexpr std::int64_t printable_amounts = 1000;
constexpr std::int64_t printable_coins = 10'000'000;

struct CoinsOptions {
  SolveOptions solve;
  std::string instance;
  std::string coins;
  std::string stock;
  std::optional<std::string> amount;
  std::uint64_t modulus = 0;  ///< 0: no modulus
  bool ways = false;
  bool all = false;
};

io::Decimal parse_amount(const std::string& word) {
  const auto amount = io::parse_decimal(word);
  const auto units = amount ? io::in_units(*amount, amount->places) : std::nullopt;
  if (units && *units >= 0 && *units <= recurrence::max_amount) return *amount;
  throw Error(ErrorKind::usage, fmt::format("--amount is '{}': a number from 0 to {} is accepted", io::printable(word),
                                            recurrence::max_amount));
}

CoinsInput read_input(const CoinsOptions& options) {
  if (!options.instance.empty()) {
    if (!options.coins.empty() || !options.stock.empty() || options.amount) {
      throw Error(ErrorKind::usage,
                  "an instance file states coins and amount: no --coins, --stock or --amount beside it is accepted");
    }
    return read_coins(options.instance);
  }
  if (options.coins.empty() || !options.amount) {
    throw Error(ErrorKind::usage, "an instance file, or --coins and --amount are needed");
  }
  CoinsInput input = scaled_coins("--coins", list_of_decimals("--coins", options.coins), parse_amount(*options.amount));
  if (options.stock.empty()) return input;
  input.stock = numbers_as<std::int64_t>("--stock", list_of_numbers("--stock", options.stock), false);
  return input;
}

void check(const CoinsOptions& options) {
  if (!options.solve.dtype.empty()) check_dtype(options.solve.dtype, {"i64"});
  check_algorithm(options.solve, recurrence::coin_algorithms());
  if (options.modulus != 0 && !options.ways) {
    throw Error(ErrorKind::usage, "--modulus counts ways: --ways is needed beside it");
  }
  const std::string& output = options.solve.output;
  if (options.all && options.ways && options.modulus == 0 && !output.empty()) {
    throw Error(ErrorKind::usage,
                "exact ways of all amounts fit no .npy: --modulus, or --json up to 1000, is accepted");
  }
  require_extension("--output", output, options.all ? ".npy" : ".json", options.all ? "" : " (with --all in .npy)");
}

/// Every coin that is used, the largest first.
Json every_coin(const std::vector<std::int64_t>& coins, int places, const std::vector<std::int64_t>& used,
                std::int64_t fewest) {
  if (fewest > printable_coins) return nullptr;
  std::vector<std::int64_t> all;
  for (std::size_t j = 0; j < coins.size(); ++j) all.insert(all.end(), static_cast<std::size_t>(used[j]), coins[j]);
  std::sort(all.begin(), all.end(), std::greater<>());
  if (places == 0) return all;
  Json amounts = Json::array();
  for (const std::int64_t coin : all) amounts.push_back(amount_json(coin, places));
  return amounts;
}

Json pairs(const std::vector<std::int64_t>& coins, int places, const std::vector<std::int64_t>& used) {
  Json object = Json::array();
  for (std::size_t j = 0; j < coins.size(); ++j) {
    if (used[j] > 0) object.push_back({amount_json(coins[j], places), used[j]});
  }
  return object;
}

Json ways_of(const recurrence::Ways& ways, std::size_t a) {
  return ways.exact.empty() ? Json(ways.modulo[a]) : exact_number(ways.exact[a]);
}

/// The number of ways for the largest amount.
std::string last_of(const recurrence::Ways& ways) {
  return ways.exact.empty() ? std::to_string(ways.modulo.back()) : ways.exact.back();
}

void add_ways(Json& object, const CoinsOptions& options, const recurrence::Ways& ways, bool list) {
  object["ways"] = ways_of(ways, std::max(ways.exact.size(), ways.modulo.size()) - 1);
  if (options.modulus != 0) object["modulus"] = options.modulus;
  if (!list) return;
  object["all_ways"] = Json::array();
  for (std::size_t a = 0; a < std::max(ways.exact.size(), ways.modulo.size()); ++a) {
    object["all_ways"].push_back(ways_of(ways, a));
  }
}

Summary summary_of(const CoinsInput& input, const Report& change, const Report& ways, double read_seconds,
                   const Stopwatch& total) {
  Summary summary{.command = "coins", .n = static_cast<std::size_t>(input.amount), .dtype = "i64"};
  summary.of(change, read_seconds, total);
  summary.report.solve_seconds += ways.solve_seconds;
  summary.report.peak_bytes = std::max(change.peak_bytes, ways.peak_bytes);
  return summary;
}

void print_payment(const recurrence::CoinSystem& system, int places, const recurrence::Change& change,
                   const Report& report) {
  fmt::print("{} ({}, {:.3g} s):", quantity(change.fewest, "coin"), report.algorithm, report.solve_seconds);
  for (std::size_t j = 0; j < change.used.size(); ++j) {
    if (change.used[j] > 0) fmt::print(" {} x {}", change.used[j], amount_text(system.coins()[j], places));
  }
  fmt::print("\n");
}

/// Names the amount in the user's unit where no coins give it.
Outcome<recurrence::Change> fewest_coins(const recurrence::CoinSystem& system, const CoinsInput& input,
                                         const Options& limits) {
  try {
    return recurrence::fewest_coins(system, input.amount, limits);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::infeasible || input.places == 0) throw;
    throw Error(ErrorKind::infeasible,
                fmt::format("no coins of these give the amount {}", amount_text(input.amount, input.places)));
  }
}

void pay_one(const CoinsOptions& options, const CoinsInput& input, const recurrence::CoinSystem& system,
             const Options& limits, const Stopwatch& total) {
  const double read_seconds = total.seconds();
  const auto [change, report] =
      with_file_context(options.instance, [&] { return fewest_coins(system, input, limits); });
  Outcome<recurrence::Ways> ways;
  if (options.ways) ways = recurrence::count_ways(system, input.amount, options.modulus, false, limits);
  Summary summary = summary_of(input, report, ways.report, read_seconds, total);
  summary.cost = change.fewest;
  Json object = common_keys(summary);
  if (options.solve.json || !options.solve.output.empty()) {
    object["fewest"] = change.fewest;
    object["coins"] = every_coin(system.coins(), input.places, change.used, change.fewest);
    object["used"] = pairs(system.coins(), input.places, change.used);
    if (options.ways) add_ways(object, options, ways.solution, false);
  }
  finish(options.solve, std::move(object), [&, &paid = change, &ran = report] {
    print_payment(system, input.places, paid, ran);
    if (options.ways) fmt::print("number of ways: {}\n", last_of(ways.solution));
  });
}

void write_all(const CoinsOptions& options, const recurrence::FewestTable& table, const recurrence::Ways& ways) {
  const std::string& output = options.solve.output;
  if (output.empty()) return;
  if (options.ways) {
    io::write_npy<std::uint64_t>(output, ways.modulo, {ways.modulo.size()});
  } else {
    io::write_npy<std::int32_t>(output, table.fewest, {table.fewest.size()});
  }
}

/// Notes that some requested results are printed nowhere.
void note_dropped(const CoinsOptions& options, std::int64_t amount) {
  if (!options.solve.output.empty() || (options.solve.json && amount <= printable_amounts)) return;
  const bool fits_npy = !options.ways || options.modulus != 0;
  note_unlisted(static_cast<std::size_t>(amount) + 1, printable_amounts + 1,
                fits_npy ? "-o FILE.npy holds all" : "-o FILE.npy holds all without --ways, or with --modulus");
}

void pay_all(const CoinsOptions& options, const CoinsInput& input, const recurrence::CoinSystem& system,
             const Options& limits, const Stopwatch& total) {
  const double read_seconds = total.seconds();
  const auto [table, report] =
      with_file_context(options.instance, [&] { return recurrence::fewest_coins_up_to(system, input.amount, limits); });
  Outcome<recurrence::Ways> ways;
  if (options.ways) ways = recurrence::count_ways(system, input.amount, options.modulus, true, limits);
  write_all(options, table, ways.solution);
  Summary summary = summary_of(input, report, ways.report, read_seconds, total);
  const std::int32_t fewest = table.fewest.back();
  summary.cost = fewest < 0 ? Json(nullptr) : Json(fewest);
  Json object = common_keys(summary);
  if (options.solve.json) {
    const bool list = input.amount <= printable_amounts;
    object["fewest"] = summary.cost;
    if (list) {
      object["all_fewest"] = Json::array();
      for (const std::int32_t count : table.fewest)
        object["all_fewest"].push_back(count < 0 ? Json(nullptr) : Json(count));
    }
    if (options.ways) add_ways(object, options, ways.solution, list);
  }
  note_dropped(options, input.amount);
  finish(options.solve, std::move(object), [&, &ran = report] {
    fmt::print("amounts 0 .. {} ({}, {:.3g} s), the last: {}\n", amount_text(input.amount, input.places), ran.algorithm,
               ran.solve_seconds, fewest < 0 ? "impossible" : quantity(fewest, "coin"));
    if (options.ways) fmt::print("number of ways: {}\n", last_of(ways.solution));
  });
}

/// The bytes of the used coins as JSON, if they are printed. Nearly all of them are the largest coin.
std::size_t payment_bytes(const CoinsOptions& options, const recurrence::CoinSystem& system, std::int64_t amount) {
  if (!options.solve.json && options.solve.output.empty()) return 0;
  std::int64_t largest = 1;
  for (const std::int64_t coin : system.coins()) largest = coin <= amount ? std::max(largest, coin) : largest;
  const std::int64_t fewest = amount / largest;
  if (fewest > printable_coins) return 0;
  const auto count = static_cast<std::size_t>(fewest);
  JsonSize json;
  json.add_list(count, 0, static_cast<std::size_t>(largest));
  return json.bytes();
}

/// Ways are counted after the payment is found. For all amounts, their table exists at the same time as that of the
/// coins.
void print_estimate(const CoinsOptions& options, const recurrence::CoinSystem& system, std::int64_t amount,
                    const Options& limits, const Stopwatch& total) {
  const Spent before = spent(total);
  const auto size = static_cast<std::size_t>(amount) + 1;
  Expected expected{.command = "coins", .n = static_cast<std::size_t>(amount)};
  expected.solve = with_file_context(options.instance,
                                     [&] { return recurrence::estimate_fewest(system, amount, options.all, limits); });
  if (options.ways) {
    Estimate ways = recurrence::estimate_ways(system, amount, options.modulus, options.all);
    if (options.all) ways.bytes += size * sizeof(std::int32_t);
    expected.solve = one_after_the_other(expected.solve, ways);
  }
  if (!options.all) {
    expected.after_bytes = payment_bytes(options, system, amount);
  } else if (!options.solve.output.empty()) {
    expected.file_bytes = size * (options.ways ? sizeof(std::uint64_t) : sizeof(std::int32_t));
  }
  print_estimate(options.solve, before, expected);
}

void run(const CoinsOptions& options) {
  const Stopwatch total;
  check(options);
  const Options limits = options.solve.resolve();
  const CoinsInput input = read_input(options);
  const auto system =
      with_file_context(options.instance, [&] { return recurrence::CoinSystem(input.coins, input.stock); });
  if (options.solve.estimate) return print_estimate(options, system, input.amount, limits, total);
  if (options.all) return pay_all(options, input, system, limits, total);
  pay_one(options, input, system, limits, total);
}

}  // namespace

void add_coins(Command command) {
  command.examples("warpfold coins --coins 1,5,10,25 --amount 99 --ways", "warpfold coins coins.json --json");
  auto options = std::make_shared<CoinsOptions>();
  command.option("INPUT", options->instance, "instance as JSON: coins, amount and, where limited, stock");
  command
      .option("--coins", options->coins, "values of the coins: 1,5,10 or 0.05,0.1, or a file of numbers: .npy or text")
      .takes("LIST|FILE");
  command.option("--amount", options->amount, "amount to pay").takes("NUMBER");
  command.option("--stock", options->stock, "number of pieces of each coin; default: no limit").takes("LIST|FILE");
  const Command output = command.in(Group::output);
  output.flag("--ways", options->ways, "also the number of ways to pay, exactly");
  output.number("--modulus", options->modulus, "modulus for the number of ways; default: none", 1);
  output.flag("--all", options->all, "answers for every amount from 0 to --amount");
  add_solve_options(command, options->solve, ".json, with --all .npy", "i64", {.gpu = false});
  command.runs([options] { run(*options); });
}

}  // namespace warpfold::app
