#include <fmt/format.h>

#include "knapsack_input.hpp"
#include "verify.hpp"
#include "warpfold/knapsack/solve.hpp"

namespace warpfold::app {

namespace {

/// The copies of every item that a solution lists.
Flaw copies_of(const Json& solution, std::size_t n, std::vector<std::int64_t>& copies) {
  copies.assign(n, 0);
  const Json& items = solution.at("items");
  const bool listed = solution.contains("copies");
  for (std::size_t k = 0; k < items.size(); ++k) {
    const auto i = items[k].get<std::int64_t>();
    if (!items[k].is_number_integer() || i < 0 || i >= static_cast<std::int64_t>(n)) {
      return fmt::format("item {} is not there: 0 .. {} are", items[k].dump(), static_cast<std::int64_t>(n) - 1);
    }
    if (copies[static_cast<std::size_t>(i)] != 0) return fmt::format("item {} is listed twice", i);
    copies[static_cast<std::size_t>(i)] = listed ? solution.at("copies").at(k).get<std::int64_t>() : 1;
  }
  return std::nullopt;
}

Flaw flaw_of(const io::KnapsackInstance& instance, const Json& solution) {
  const knapsack::Problem problem = problem_of(instance, solution.at("kind").get<std::string>());
  const auto value = solution.at("value").get<std::int64_t>();
  if (solution.at("capacity").get<std::int64_t>() != problem.capacity()) {
    return fmt::format("the capacity is {}, the instance says {}", solution.at("capacity").dump(), problem.capacity());
  }
  std::vector<std::int64_t> copies;
  if (const Flaw flaw = copies_of(solution, problem.items().size(), copies)) return flaw;
  if (const std::string wrong = check(problem, copies, value); !wrong.empty()) return wrong;
  std::int64_t weight = 0;
  for (std::size_t i = 0; i < copies.size(); ++i) weight += copies[i] * problem.items()[i].weight;
  if (solution.at("weight").get<std::int64_t>() != weight) {
    return fmt::format("the packed weight is {}, {} is claimed", weight, solution.at("weight").dump());
  }
  if (instance.best && *instance.best > value) {
    return fmt::format("the value is {}, the instance knows {}", value, *instance.best);
  }
  return std::nullopt;
}

}  // namespace

Flaw verify_knapsack(const std::string& path, const Json& solution) {
  const std::vector<io::KnapsackInstance> instances = io::read_knapsack(path);
  if (!solution.contains("instances")) {
    const auto index = solution.value("instance", std::int64_t{0});
    const io::KnapsackInstance& instance = chosen_instance(path, instances, index);
    if (solution.at("cost") != solution.at("value")) return "cost and value differ";
    return flaw_of(instance, solution);
  }
  const Json& list = solution.at("instances");
  if (list.size() != instances.size()) {
    return fmt::format("{} solutions for {} instances", list.size(), instances.size());
  }
  for (std::size_t i = 0; i < instances.size(); ++i) {
    if (const Flaw flaw = flaw_of(instances[i], list[i])) return fmt::format("instance {}: {}", i, *flaw);
  }
  return std::nullopt;
}

Flaw verify_subset_sum(const std::string& path, const Json& solution) {
  const knapsack::SubsetSum problem = read_subset_sum(path, "");
  std::vector<std::int64_t> copies;
  if (const Flaw flaw = copies_of(solution, problem.numbers().size(), copies)) return flaw;
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < copies.size(); ++i) sum += copies[i] == 0 ? 0 : problem.numbers()[i];
  for (const char* key : {"cost", "value", "weight"}) {
    if (solution.at(key).get<std::int64_t>() != sum) {
      return fmt::format("the numbers sum to {}, {} is {}", sum, key, solution.at(key).dump());
    }
  }
  if (solution.at("target").get<std::int64_t>() != problem.target()) {
    return fmt::format("the target is {}, the instance says {}", solution.at("target").dump(), problem.target());
  }
  if (sum > problem.target()) return fmt::format("the sum is {}, the target {}", sum, problem.target());
  return std::nullopt;
}

}  // namespace warpfold::app
