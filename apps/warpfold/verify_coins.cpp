#include <fmt/format.h>

#include <unordered_map>

#include "knapsack_input.hpp"
#include "recurrence_input.hpp"
#include "verify.hpp"
#include "warpfold/recurrence/verify.hpp"

namespace warpfold::app {

namespace {

using recurrence::Change;
using recurrence::CoinSystem;
using recurrence::FewestTable;
using recurrence::Ways;

/// The position of each coin in the system.
std::unordered_map<std::int64_t, std::size_t> kinds_of(const CoinSystem& system) {
  std::unordered_map<std::int64_t, std::size_t> kinds;
  for (std::size_t j = 0; j < system.coins().size(); ++j) kinds[system.coins()[j]] = j;
  return kinds;
}

/// How often each coin of the system is used.
std::vector<std::int64_t> read_used(const CoinSystem& system, int places, const Json& solution) {
  const auto kinds = kinds_of(system);
  std::vector<std::int64_t> used(kinds.size(), 0);
  for (const Json& pair : list_at(solution, "used")) {
    const std::int64_t coin = units(pair.at(0), places);
    const auto times = integer<std::int64_t>(pair.at(1));
    const auto at = kinds.find(coin);
    if (at == kinds.end()) throw MalformedSolution(fmt::format("{} is no coin of these", json_text(pair.at(0))));
    std::int64_t& used_of_coin = used[at->second];
    if (times < 1 || used_of_coin != 0)
      throw MalformedSolution(fmt::format("coin {} is listed {} times", json_text(pair.at(0)), times));
    used_of_coin = times;
  }
  return used;
}

/// Checks that 'coins' lists the coins that 'used' counts.
Violation find_list_violation(const CoinSystem& system, int places, std::vector<std::int64_t> used, const Json& list) {
  if (list.is_null()) return std::nullopt;
  const auto kinds = kinds_of(system);
  if (!list.is_array()) throw MalformedSolution(fmt::format("{} is no list", json_text(list).substr(0, 40)));
  for (const Json& coin : list) {
    const auto at = kinds.find(units(coin, places));
    if (at == kinds.end()) return fmt::format("{} is no coin of these", json_text(coin));
    --used[at->second];
  }
  for (std::size_t j = 0; j < used.size(); ++j) {
    if (used[j] != 0)
      return fmt::format("'coins' and 'used' differ in coin {}", amount_text(system.coins()[j], places));
  }
  return std::nullopt;
}

Verdict verdict_of_payment(const CoinSystem& system, const CoinsInput& input, const Json& solution,
                           const Options& limits) {
  const Change change{integer<std::int64_t>(value_at(solution, "fewest")), read_used(system, input.places, solution)};
  Verdict verdict = recurrence::verify(system, input.amount, change, limits);
  if (!verdict.is_feasible) return verdict;
  if (Violation violation = find_list_violation(system, input.places, change.used, value_at(solution, "coins")))
    return infeasible(*violation);
  return verdict;
}

/// Reads null, which means that no coins give the amount, as `unreachable`.
std::int32_t read_fewest(const Json& value) { return value.is_null() ? -1 : integer<std::int32_t>(value); }

Verdict verdict_of_table(const CoinSystem& system, std::int64_t amount, const Json& solution, const Options& limits) {
  const std::int32_t last = read_fewest(value_at(solution, "fewest"));
  FewestTable table{{last}};
  if (solution.contains("all_fewest")) {
    table.fewest.clear();
    for (const Json& value : list_at(solution, "all_fewest")) table.fewest.push_back(read_fewest(value));
    if (table.fewest.empty() || table.fewest.back() != last)
      return infeasible("'fewest' is not the last of 'all_fewest'");
  }
  return recurrence::verify(system, amount, table, limits);
}

Verdict verdict_of_ways(const CoinSystem& system, std::int64_t amount, const Json& solution, const Options& limits) {
  const bool is_exact = !solution.contains("modulus");
  const std::uint64_t modulus = is_exact ? 0 : integer<std::uint64_t>(value_at(solution, "modulus"));
  if (!is_exact && modulus == 0) return infeasible("'modulus' is 0");
  Ways ways;
  const auto add = [&](const Json& value) {
    if (is_exact) ways.exact.push_back(integer_text(value));
    if (!is_exact) ways.modulo.push_back(integer<std::uint64_t>(value));
  };
  if (solution.contains("all_ways")) {
    for (const Json& value : list_at(solution, "all_ways")) add(value);
    if (value_at(solution, "all_ways").empty() || value_at(solution, "all_ways").back() != value_at(solution, "ways")) {
      return wrong_cost("'ways' is not the last of 'all_ways'");
    }
  } else {
    add(value_at(solution, "ways"));
  }
  return recurrence::verify(system, amount, ways, modulus, limits);
}

}  // namespace

Verdict verify_coins(const Files& instance, const Json& solution, const Options& limits) {
  const CoinsInput input = read_coins(instance[0]);
  const CoinSystem system = with_file_context(instance[0], [&] { return CoinSystem(input.coins, input.stock); });
  if (Violation violation = find_run_violation(solution, static_cast<std::size_t>(input.amount)))
    return infeasible(*violation);
  const bool has_payment = solution.contains("used");
  if (!has_payment && solution.contains("coins")) {
    return infeasible("'used' is missing: what the command prints with --json is accepted");
  }
  Verdict verdict = has_payment ? verdict_of_payment(system, input, solution, limits)
                                : verdict_of_table(system, input.amount, solution, limits);
  if (!verdict) return verdict;
  if (has_payment && solution.contains("all_fewest")) {
    if (Verdict all = verdict_of_table(system, input.amount, solution, limits); !all) return all;
  }
  if (value_at(solution, "cost") != value_at(solution, "fewest")) return wrong_cost("the cost is not 'fewest'");
  if (!solution.contains("ways")) return verdict;
  const Verdict ways = verdict_of_ways(system, input.amount, solution, limits);
  if (!ways) return ways;
  if (!ways.is_complete()) verdict.unchecked += (verdict.is_complete() ? "" : ", and ") + ways.unchecked;
  return verdict;
}

}  // namespace warpfold::app
