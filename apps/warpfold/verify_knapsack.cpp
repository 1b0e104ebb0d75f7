#include <fmt/format.h>

#include "core/quantity.hpp"
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

knapsack::Solution read_packing(const Json& solution, std::size_t n) {
  knapsack::Solution stated;
  stated.copies.assign(n, 0);
  for (const auto& [item, copies] : read_items(solution, n)) {
    if (stated.copies[item] != 0) throw MalformedSolution(fmt::format("item {} is listed twice", item));
    stated.copies[item] = copies;
  }
  stated.value = whole<std::int64_t>(value_at(solution, "value"));
  stated.weight = whole<std::int64_t>(value_at(solution, "weight"));
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
  if (whole<std::int64_t>(value_at(solution, "capacity")) != problem.capacity()) {
    return infeasible(fmt::format("the capacity is {}, the instance says {}", json_text(value_at(solution, "capacity")),
                                  problem.capacity()));
  }
  const knapsack::Solution stated = read_packing(solution, problem.items().size());
  Verdict verdict = knapsack::verify(problem, stated, limits);
  if (verdict && instance.best && *instance.best > stated.value) {
    return wrong_cost(fmt::format("the value is {}, the instance knows {}", stated.value, *instance.best));
  }
  return verdict;
}

/// The instances of a solution: one of the file's, or all.
std::vector<formats::KnapsackInstance> stated_instances(const std::string& path, const Json& solution) {
  std::vector<formats::KnapsackInstance> instances = formats::read_knapsack(path);
  if (solution.contains("instances")) return instances;
  const auto index = solution.contains("instance") ? whole<std::int64_t>(value_at(solution, "instance")) : 0;
  if (index < 0 || index >= std::ssize(instances)) {
    throw MalformedSolution(fmt::format("'instance' is {}, there are {}", index, instances.size()));
  }
  return {instances[static_cast<std::size_t>(index)]};
}

/// Another algorithm than the solution's.
std::string other_algorithm(const Json& solution, const std::string& first, const std::string& second) {
  return value_at(solution, "algorithm") == first ? second : first;
}

Verdict verdict_of_count(const knapsack::SubsetSum& problem, const Json& solution, const Options& limits) {
  const bool is_exact = !solution.contains("modulus");
  const std::uint64_t modulus = is_exact ? 0 : whole<std::uint64_t>(value_at(solution, "modulus"));
  if (!is_exact && modulus == 0) return wrong_cost("'modulus' is 0");
  return knapsack::verify(problem, knapsack::SubsetCount{integer_text(value_at(solution, "count"))}, modulus, limits);
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
  const std::string& path = instance[0];
  const std::vector<formats::KnapsackInstance> instances = stated_instances(path, solution);
  std::size_t n = 0;
  for (const formats::KnapsackInstance& one : instances) n += one.items.size();
  if (Violation violation = find_run_violation(solution, n)) return infeasible(*violation);
  if (solution.contains("instances")) return verdict_of_all(path, instances, solution, limits);
  Verdict verdict = verdict_of(path, instances[0], solution, limits);
  const bool is_same =
      value_at(solution, "cost") == value_at(solution, "value") && value_at(solution, "cost").is_number_integer();
  if (verdict && !is_same) return wrong_cost("cost and value differ");
  return verdict;
}

/// The optimal value, computed by another algorithm than the solution's.
std::int64_t optimum_of(const std::string& path, const formats::KnapsackInstance& instance, const Json& solution,
                        Options limits) {
  const knapsack::Problem problem = stated_problem(path, instance, solution);
  const bool is_unbounded = problem.kind() == knapsack::Kind::unbounded;  // which the core does not solve
  limits.algorithm = other_algorithm(solution, is_unbounded ? "reference" : "core", "table");
  return knapsack::solve(problem, limits, {.items = false, .dtype = ""}).solution.value;
}

Json knapsack_optimum(const Files& instance, const Json& solution, Options limits) {
  const std::string& path = instance[0];
  const std::vector<formats::KnapsackInstance> instances = stated_instances(path, solution);
  if (!solution.contains("instances")) return optimum_of(path, instances[0], solution, limits);
  for (std::size_t i = 0; i < instances.size(); ++i) {
    const Json& one = value_at(solution, "instances")[i];
    const std::int64_t best = optimum_of(path, instances[i], one, limits);
    if (value_at(one, "value") != best) return fmt::format("{} of instance {}", best, i);
  }
  return value_at(solution, "cost");
}

Verdict verify_subset_sum(const Files& instance, const Json& solution, const Options& limits) {
  const knapsack::SubsetSum problem = read_subset_sum(instance[0], "");
  if (Violation violation = find_run_violation(solution, problem.numbers().size())) return infeasible(*violation);
  if (whole<std::int64_t>(value_at(solution, "target")) != problem.target()) {
    return infeasible(fmt::format("the target is {}, the instance says {}", json_text(value_at(solution, "target")),
                                  problem.target()));
  }
  knapsack::SubsetSumSolution stated{whole<std::int64_t>(value_at(solution, "value")), {}, ""};
  for (const auto& [item, copies] : read_items(solution, problem.numbers().size())) {
    if (copies > 1) return infeasible(fmt::format("number {} is there once", item));
    stated.items.push_back(item);
  }
  Verdict verdict = knapsack::verify(problem, stated, limits);
  if (!verdict) return verdict;
  for (const char* key : {"cost", "weight"}) {
    if (whole<std::int64_t>(value_at(solution, key)) != stated.sum) {
      return wrong_cost(
          fmt::format("the numbers sum to {}, {} is {}", stated.sum, key, json_text(value_at(solution, key))));
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
  return knapsack::solve(read_subset_sum(instance[0], ""), limits).solution.sum;
}

}  // namespace warpfold::app
