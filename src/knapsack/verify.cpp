#include "warpfold/knapsack/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/quantity.hpp"
#include "core/residue.hpp"
#include "warpfold/run/budget.hpp"

namespace warpfold::knapsack {

namespace {

__extension__ using Wide = __int128;

Violation find_copies_violation(const Problem& problem, const std::vector<std::int64_t>& copies) {
  if (copies.size() != problem.items().size()) {
    return fmt::format("{} of copies for {}", quantity(copies.size(), "number"),
                       quantity(problem.items().size(), "item"));
  }
  for (std::size_t i = 0; i < copies.size(); ++i) {
    const std::int64_t most = problem.kind() == Kind::unbounded ? copies[i] : problem.items()[i].copies;
    if (copies[i] >= 0 && copies[i] <= most) continue;
    return fmt::format("item {} is packed {} times, {} are there", i, copies[i], problem.items()[i].copies);
  }
  return std::nullopt;
}

struct Totals {
  Wide weight = 0;  ///< exact up to `max_weight`; if larger, at least that
  Wide value = 0;
};

/// A problem guarantees this for every packing within its capacity, so no value of one overflows.
constexpr Wide max_weight = std::numeric_limits<std::int64_t>::max();

Totals totals_of(const std::vector<Item>& items, const std::vector<std::int64_t>& copies) {
  Totals totals;
  for (std::size_t i = 0; i < copies.size() && totals.weight <= max_weight; ++i) {
    totals.weight += Wide{copies[i]} * items[i].weight;
    totals.value += Wide{copies[i]} * items[i].value;
  }
  return totals;
}

}  // namespace

Verdict verify(const Problem& problem, const Solution& solution, const Options& options) {
  const SolveMonitor monitor(options, 0);
  if (Violation violation = find_copies_violation(problem, solution.copies)) return infeasible(*violation);
  const auto [weight, value] = totals_of(problem.items(), solution.copies);
  if (weight > problem.capacity()) {
    return infeasible(fmt::format("the packed weight is {}, the capacity {}",
                                  weight > max_weight ? "2^63 or more" : fmt::format("{}", weight),
                                  problem.capacity()));
  }
  if (value != solution.value) {
    return wrong_cost(fmt::format("the packed value is {}, {} is claimed", value, solution.value));
  }
  if (weight != solution.weight) {
    return wrong_cost(fmt::format("the packed weight is {}, {} is claimed", weight, solution.weight));
  }
  return {};
}

namespace {

using BestValues = std::vector<std::int64_t>;

/// Adds that many copies together: all of them or none.
void add_together(BestValues& best, const Item& item, std::int64_t copies) {
  const auto shift = static_cast<std::size_t>(copies * item.weight);
  for (std::size_t c = best.size(); c-- > shift;) {
    best[c] = std::max(best[c], best[c - shift] + copies * item.value);
  }
}

BestValues best_values(const Problem& problem, SolveMonitor& monitor) {
  BestValues best(static_cast<std::size_t>(problem.capacity()) + 1, 0);
  for (std::size_t i = 0; i < problem.items().size(); ++i) {
    monitor.check();
    // Pieces of 1, 2, 4, .. copies and a rest give every number up to the largest.
    for (std::int64_t left = problem.max_copies(i), piece = 1; left > 0;
         left -= piece, piece = std::min(2 * piece, left)) {
      add_together(best, problem.items()[i], piece);
    }
    monitor.advance(static_cast<double>(best.size()));
  }
  return best;
}

}  // namespace

Verdict verify(const Problem& problem, const CapacityTable& table, const Options& options) {
  const std::size_t size = static_cast<std::size_t>(problem.capacity()) + 1;
  if (table.values.size() != size) {
    return infeasible(
        fmt::format("{} for the capacities 0 .. {}", quantity(table.values.size(), "value"), problem.capacity()));
  }
  SolveMonitor monitor(options, static_cast<double>(problem.items().size()) * static_cast<double>(size));
  Budget budget(options);
  const Budget::Reservation taken = budget.reserve(size, sizeof(std::int64_t));
  const BestValues best = best_values(problem, monitor);
  for (std::size_t c = 0; c < size; ++c) {
    if (table.values[c] == best[c]) continue;
    return wrong_cost(fmt::format("the best value of capacity {} is {}, {} is claimed", c, best[c], table.values[c]));
  }
  return {.is_optimal = true};
}

Verdict verify(const SubsetSum& problem, const SubsetSumSolution& solution, const Options& options) {
  const SolveMonitor monitor(options, 0);
  const std::size_t n = problem.numbers().size();
  Budget budget(options);
  const Budget::Reservation taken = budget.reserve(n / 8 + 1);
  std::vector<bool> chosen(n);
  std::int64_t sum = 0;  // a sum of distinct numbers, which fits
  for (const std::size_t item : solution.items) {
    if (item >= n) return infeasible(fmt::format("number {} is not there, {} are", item, n));
    if (chosen[item]) return infeasible(fmt::format("number {} is there once", item));
    chosen[item] = true;
    sum += problem.numbers()[item];
  }
  if (sum > problem.target()) {
    return infeasible(fmt::format("the sum is {}, the target {}", sum, problem.target()));
  }
  if (sum == solution.sum) return {};
  return wrong_cost(fmt::format("the numbers sum to {}, {} is claimed", sum, solution.sum));
}

namespace {

constexpr std::int64_t max_additions = 1'000'000'000;

/// The number of sums from the least one, of all negative numbers, to the target; 0 if no subset reaches the target.
Wide sums_of(const SubsetSum& problem) {
  Wide least = 0, largest = 0;
  for (const std::int64_t number : problem.numbers()) (number < 0 ? least : largest) += number;
  return problem.target() > largest ? 0 : problem.target() - least + 1;
}

std::uint64_t count_modulo(const SubsetSum& problem, std::uint64_t modulus, const Options& options) {
  const auto size = static_cast<std::size_t>(sums_of(problem));
  SolveMonitor monitor(options, static_cast<double>(problem.numbers().size()) * static_cast<double>(size));
  Budget budget(options);
  const Budget::Reservation taken = budget.reserve(size, sizeof(std::uint64_t));
  std::vector<std::uint64_t> table(size, 0);
  table[0] = 1 % modulus;  // with all negative numbers; to leave one out adds its magnitude
  for (const std::int64_t number : problem.numbers()) {
    const auto shift = static_cast<std::size_t>(number < 0 ? -number : number);
    for (std::size_t sum = size; sum-- > shift;) {
      table[sum] = static_cast<std::uint64_t>((static_cast<Wide>(table[sum]) + table[sum - shift]) % modulus);
    }
    monitor.check();
    monitor.advance(static_cast<double>(size));
  }
  return table.back();
}

}  // namespace

Verdict verify(const SubsetSum& problem, const SubsetCount& count, std::uint64_t modulus, const Options& options) {
  const std::uint64_t compared_modulo = modulus == 0 ? comparing_prime : modulus;
  const std::optional<std::uint64_t> stated = residue(count.digits, compared_modulo);
  if (!stated) return wrong_cost(fmt::format("'{}' is no number of subsets", count.digits));
  if (modulus != 0 && count.digits != std::to_string(*stated)) {
    return wrong_cost(fmt::format("the count is {}, not below the modulus {}", count.digits, modulus));
  }
  const Wide sums = sums_of(problem);
  if (sums == 0) {  // no subset has this sum
    return count.digits == "0" ? Verdict{.is_optimal = true} : wrong_cost("the number of subsets is wrong");
  }
  if (sums > max_additions / (std::ssize(problem.numbers()) + 1)) {
    return {.unchecked = "the number of subsets"};
  }
  if (count_modulo(problem, compared_modulo, options) != *stated) {
    return wrong_cost("the number of subsets is wrong");
  }
  return {.is_optimal = true};
}

}  // namespace warpfold::knapsack
