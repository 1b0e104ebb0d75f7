#include <fmt/format.h>

#include "core/quantity.hpp"
#include "io/decimal.hpp"
#include "knapsack_input.hpp"
#include "verify.hpp"
#include "warpfold/knapsack/solve.hpp"
#include "warpfold/knapsack/verify.hpp"

namespace warpfold::app {

namespace {

/// A listed item, and how often it is packed.
struct Listed {
  std::size_t item;
  std::int64_t copies;
};

/// The items that a solution of n items lists.
std::vector<Listed> read_items(const Json& solution, std::size_t n) {
  if (!solution.contains("items")) {
    throw MalformedSolution("no items are listed: a solution without --value-only and --every-capacity is accepted");
  }
  const auto items = integers<std::int64_t>(value_at(solution, "items"));
  std::vector<std::int64_t> copies(items.size(), 1);
  if (solution.contains("copies")) copies = integers<std::int64_t>(value_at(solution, "copies"));
  if (copies.size() != items.size()) {
    throw MalformedSolution(fmt::format("'copies' has {} for {}", quantity(copies.size(), "entry", "entries"),
                                        quantity(items.size(), "item")));
  }
  std::vector<Listed> list;
  for (std::size_t k = 0; k < items.size(); ++k) {
    if (items[k] < 0 || items[k] >= static_cast<std::int64_t>(n)) {
      throw MalformedSolution(
          fmt::format("item {} is not there: 0 .. {} are", items[k], static_cast<std::int64_t>(n) - 1));
    }
    if (copies[k] < 1) throw MalformedSolution(fmt::format("item {} is listed {} times", items[k], copies[k]));
    list.push_back({static_cast<std::size_t>(items[k]), copies[k]});
  }
  return list;
}

knapsack::Solution read_packing(const formats::KnapsackInstance& instance, const Json& solution) {
  knapsack::Solution stated;
  stated.copies.assign(instance.items.size(), 0);
  for (const auto& [item, copies] : read_items(solution, instance.items.size())) {
    if (stated.copies[item] != 0) throw MalformedSolution(fmt::format("item {} is listed twice", item));
    stated.copies[item] = copies;
  }
  stated.value = units(value_at(solution, "value"), instance.value_places);
  stated.weight = units(value_at(solution, "weight"), instance.weight_places);
  return stated;
}

/// The problem of an instance, of the kind that the solution states.
knapsack::Problem stated_problem(const std::string& path, const formats::KnapsackInstance& instance,
                                 const Json& solution) {
  const auto kind = text_at(solution, "kind");
  if (!parse_kind(kind)) throw MalformedSolution("'kind' is empty");
  return with_file_context(path, [&] { return problem_of(instance, kind); });
}

Verdict verdict_of(const std::string& path, const formats::KnapsackInstance& instance, const Json& solution,
                   const Options& limits) {
  const knapsack::Problem problem = stated_problem(path, instance, solution);
  if (units(value_at(solution, "capacity"), instance.weight_places) != problem.capacity()) {
    return infeasible(fmt::format("the capacity is {}, the instance says {}", json_text(value_at(solution, "capacity")),
                                  amount_text(problem.capacity(), instance.weight_places)));
  }
  const knapsack::Solution stated = read_packing(instance, solution);
  Verdict verdict = knapsack::verify(problem, stated, limits);
  if (verdict && instance.best && *instance.best > stated.value) {
    return wrong_cost(fmt::format("the value is {}, the instance knows {}",
                                  amount_text(stated.value, instance.value_places),
                                  amount_text(*instance.best, instance.value_places)));
  }
  return verdict;
}

/// The number under a key as an option's word, for files that do not state it; nothing if it is no number.
std::optional<std::string> stated_option(const Json& solution, const char* key) {
  const auto number = solution.contains(key) ? io::json_decimal(solution.at(key)) : std::nullopt;
  return number ? std::optional(io::decimal_text(*number)) : std::nullopt;
}

/// The instances of a solution: one of the file's, or all.
std::vector<formats::KnapsackInstance> stated_instances(const Files& files, const Json& solution) {
  std::vector<formats::KnapsackInstance> instances =
      formats::read_knapsack(files, "", stated_option(solution, "capacity"));
  if (solution.contains("instances")) return instances;
  const auto index = solution.contains("instance") ? integer<std::int64_t>(value_at(solution, "instance")) : 0;
  if (index < 0 || index >= std::ssize(instances)) {
    throw MalformedSolution(fmt::format("'instance' is {}, there are {}", index, instances.size()));
  }
  return {instances[static_cast<std::size_t>(index)]};
}

SubsetSumInput stated_numbers(const Files& files, const Json& solution) {
  return read_subset_sum(files, "", stated_option(solution, "target"));
}

/// Another algorithm than the solution's.
std::string other_algorithm(const Json& solution, const std::string& first, const std::string& second) {
  return value_at(solution, "algorithm") == first ? second : first;
}

Verdict verdict_of_count(const knapsack::SubsetSum& problem, const Json& solution, const Options& limits) {
  const bool is_exact = !solution.contains("modulus");
  const std::uint64_t modulus = is_exact ? 0 : integer<std::uint64_t>(value_at(solution, "modulus"));
  if (!is_exact && modulus == 0) return wrong_cost("'modulus' is 0");
  return knapsack::verify(problem, knapsack::SubsetCount{integer_text(value_at(solution, "count"))}, modulus, limits);
}

/// Returns nothing for a value that is not a number of that many places.
std::optional<std::int64_t> units_or_none(const Json& value, int places) try {
  return units(value, places);
} catch (const MalformedSolution&) {
  return std::nullopt;
}

/// The verdict on the solutions of all instances of a file.
Verdict verdict_of_all(const std::string& path, const std::vector<formats::KnapsackInstance>& instances,
                       const Json& solution, const Options& limits) {
  const Json& list = value_at(solution, "instances");
  if (!list.is_array() || list.size() != instances.size()) {
    return infeasible(fmt::format("'instances' is no list of {}", quantity(instances.size(), "solution")));
  }
  if (!value_at(solution, "cost").is_null()) return wrong_cost("several instances have no cost of their own");
  for (std::size_t i = 0; i < instances.size(); ++i) {
    Verdict verdict = verdict_of(path, instances[i], list[i], limits);
    if (verdict.violation) *verdict.violation = fmt::format("instance {}: {}", i, *verdict.violation);
    if (!verdict) return verdict;
    if (value_at(list[i], "name") != instances[i].name)
      return infeasible(fmt::format("instance {}: its name is another", i));
  }
  return {};
}

}  // namespace

Verdict verify_knapsack(const Files& instance, const Json& solution, const Options& limits) {
  const std::string path = names_of_files(instance);
  const std::vector<formats::KnapsackInstance> instances = stated_instances(instance, solution);
  std::size_t n = 0;
  for (const formats::KnapsackInstance& one : instances) n += one.items.size();
  if (Violation violation = find_run_violation(solution, n)) return infeasible(*violation);
  if (solution.contains("instances")) return verdict_of_all(path, instances, solution, limits);
  Verdict verdict = verdict_of(path, instances[0], solution, limits);
  const bool is_same = units_or_none(value_at(solution, "cost"), instances[0].value_places) ==
                       units_or_none(value_at(solution, "value"), instances[0].value_places);
  if (verdict && !is_same) return wrong_cost("cost and value differ");
  return verdict;
}

/// The optimal value, computed by another algorithm than the solution's.
Json optimum_of(const std::string& path, const formats::KnapsackInstance& instance, const Json& solution,
                Options limits) {
  const knapsack::Problem problem = stated_problem(path, instance, solution);
  const bool is_unbounded = problem.kind() == knapsack::Kind::unbounded;  // which the core does not solve
  limits.algorithm = other_algorithm(solution, is_unbounded ? "reference" : "core", "table");
  const std::int64_t value = knapsack::solve(problem, limits, {.items = false, .dtype = ""}).solution.value;
  return amount_json(value, instance.value_places);
}

Json knapsack_optimum(const Files& instance, const Json& solution, Options limits) {
  const std::string path = names_of_files(instance);
  const std::vector<formats::KnapsackInstance> instances = stated_instances(instance, solution);
  if (!solution.contains("instances")) return optimum_of(path, instances[0], solution, limits);
  for (std::size_t i = 0; i < instances.size(); ++i) {
    const Json& one = value_at(solution, "instances")[i];
    const Json best = optimum_of(path, instances[i], one, limits);
    if (io::json_decimal(value_at(one, "value")) != io::json_decimal(best)) {
      return fmt::format("{} of instance {}", json_text(best), i);
    }
  }
  return value_at(solution, "cost");
}

Verdict verify_subset_sum(const Files& instance, const Json& solution, const Options& limits) {
  const auto [problem, places, states_target] = stated_numbers(instance, solution);
  if (Violation violation = find_run_violation(solution, problem.numbers().size())) return infeasible(*violation);
  if (units(value_at(solution, "target"), places) != problem.target()) {
    return infeasible(fmt::format("the target is {}, the instance says {}", json_text(value_at(solution, "target")),
                                  amount_text(problem.target(), places)));
  }
  knapsack::SubsetSumSolution stated{units(value_at(solution, "value"), places), {}, ""};
  for (const auto& [item, copies] : read_items(solution, problem.numbers().size())) {
    if (copies > 1) return infeasible(fmt::format("number {} is there once", item));
    stated.items.push_back(item);
  }
  Verdict verdict = knapsack::verify(problem, stated, limits);
  if (!verdict) return verdict;
  for (const char* key : {"cost", "weight"}) {
    if (units(value_at(solution, key), places) != stated.sum) {
      return wrong_cost(fmt::format("the numbers sum to {}, {} is {}", amount_text(stated.sum, places), key,
                                    json_text(value_at(solution, key))));
    }
  }
  if (value_at(solution, "reached") != (stated.sum == problem.target())) {
    return wrong_cost("'reached' does not say whether it is");
  }
  if (!solution.contains("count")) return verdict;
  Verdict count = verdict_of_count(problem, solution, limits);
  count.is_optimal = false;  // the optimum of a count is the count itself
  return count;
}

Json subset_sum_optimum(const Files& instance, const Json& solution, Options limits) {
  limits.algorithm = other_algorithm(solution, "core", "bitset");
  const SubsetSumInput input = stated_numbers(instance, solution);
  return amount_json(knapsack::solve(input.problem, limits).solution.sum, input.places);
}

}  // namespace warpfold::app
