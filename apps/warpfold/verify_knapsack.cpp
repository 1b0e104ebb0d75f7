#include <fmt/format.h>

#include "knapsack_input.hpp"
#include "verify.hpp"
#include "warpfold/knapsack/solve.hpp"

namespace warpfold::app {

namespace {

/// The copies of every item that a solution lists.
Flaw copies_of(const Json& solution, std::size_t n, std::vector<std::int64_t>& copies) {
  copies.assign(n, 0);
  if (!solution.contains("items"))
    return "no items are listed: a solution without --value-only and --every-capacity is accepted";
  const auto items = wholes<std::int64_t>(solution.at("items"));
  std::vector<std::int64_t> listed(items.size(), 1);
  if (solution.contains("copies")) listed = wholes<std::int64_t>(solution.at("copies"));
  if (listed.size() != items.size()) {
    return fmt::format("{} items have {} numbers of copies", items.size(), listed.size());
  }
  for (std::size_t k = 0; k < items.size(); ++k) {
    const std::int64_t i = items[k];
    if (i < 0 || i >= static_cast<std::int64_t>(n)) {
      return fmt::format("item {} is not there: 0 .. {} are", i, static_cast<std::int64_t>(n) - 1);
    }
    if (copies[static_cast<std::size_t>(i)] != 0) return fmt::format("item {} is listed twice", i);
    if (listed[k] < 1) return fmt::format("item {} is listed {} times", i, listed[k]);
    copies[static_cast<std::size_t>(i)] = listed[k];
  }
  return std::nullopt;
}

/// The problem of an instance as the solution understood it.
knapsack::Problem stated_problem(const std::string& path, const formats::KnapsackInstance& instance,
                                 const Json& solution) {
  const auto kind = solution.at("kind").get<std::string>();
  if (!parse_kind(kind)) throw UnlikeOurs("'kind' is empty");
  return naming(path, [&] { return problem_of(instance, kind); });
}

Flaws flaws_of(const std::string& path, const formats::KnapsackInstance& instance, const Json& solution) {
  const knapsack::Problem problem = stated_problem(path, instance, solution);
  const auto value = whole<std::int64_t>(solution.at("value"));
  if (whole<std::int64_t>(solution.at("capacity")) != problem.capacity()) {
    return {fmt::format("the capacity is {}, the instance says {}", json_text(solution.at("capacity")),
                        problem.capacity())};
  }
  std::vector<std::int64_t> copies;
  if (Flaw flaw = copies_of(solution, problem.items().size(), copies)) return {flaw};
  io::Whole weight = 0, total = 0;
  for (std::size_t i = 0; i < copies.size(); ++i) {
    weight += io::Whole{copies[i]} * problem.items()[i].weight;
    total += io::Whole{copies[i]} * problem.items()[i].value;
  }
  if (total == value) {  // the check itself looks at what is packed
    if (std::string wrong = check(problem, copies, value); !wrong.empty()) return {wrong};
  } else if (weight > problem.capacity()) {
    return {fmt::format("the packed weight is {}, the capacity {}", weight, problem.capacity())};
  }
  if (total != value) return {std::nullopt, fmt::format("the packed value is {}, {} is claimed", total, value)};
  if (whole<std::int64_t>(solution.at("weight")) != weight) {
    return {std::nullopt,
            fmt::format("the packed weight is {}, {} is claimed", weight, json_text(solution.at("weight")))};
  }
  if (instance.best && *instance.best > value) {
    return {std::nullopt, fmt::format("the value is {}, the instance knows {}", value, *instance.best)};
  }
  return {};
}

/// The instances that a solution is of: one of the file's, or all.
std::vector<formats::KnapsackInstance> stated_instances(const std::string& path, const Json& solution) {
  std::vector<formats::KnapsackInstance> instances = formats::read_knapsack(path);
  if (solution.contains("instances")) return instances;
  const auto index = solution.contains("instance") ? whole<std::int64_t>(solution.at("instance")) : 0;
  if (index < 0 || index >= std::ssize(instances)) {
    throw UnlikeOurs(fmt::format("'instance' is {}, there are {}", index, instances.size()));
  }
  return {instances[static_cast<std::size_t>(index)]};
}

/// Another one of the algorithms than the solution's.
std::string other_algorithm(const Json& solution, const std::string& first, const std::string& second) {
  return solution.at("algorithm") == first ? second : first;
}

/// The number of subsets with exactly the target's sum, modulo; nothing where a table would be too long.
std::optional<std::uint64_t> count_modulo(const knapsack::SubsetSum& problem, std::uint64_t modulus) {
  constexpr std::int64_t most = 1'000'000'000;  // steps
  const auto n = static_cast<std::int64_t>(problem.numbers().size());
  if (problem.target() >= most / (n + 1)) return std::nullopt;
  const auto size = static_cast<std::size_t>(problem.target()) + 1;
  std::vector<std::uint64_t> table(size, 0);
  table[0] = 1 % modulus;
  for (const std::int64_t number : problem.numbers()) {
    const auto shift = static_cast<std::size_t>(number);
    for (std::size_t a = size; a-- > shift;) {
      table[a] = static_cast<std::uint64_t>((io::Whole{table[a]} + table[a - shift]) % modulus);
    }
  }
  return table.back();
}

Flaw flaw_of_count(const knapsack::SubsetSum& problem, const Json& solution) {
  constexpr std::uint64_t prime = 2305843009213693951;  // 2^61 - 1: exact counts, of any length, are compared modulo it
  const bool exact = !solution.contains("modulus");
  const auto modulus = exact ? prime : whole<std::uint64_t>(solution.at("modulus"));
  if (modulus == 0) return "'modulus' is 0";
  const std::uint64_t stated = residue(solution.at("count"), modulus);
  const auto right = count_modulo(problem, modulus);
  if (right && stated != *right) return "the number of subsets is wrong";
  if (!exact && io::whole_digits(solution.at("count")) != std::to_string(stated))
    return "'count' is not below 'modulus'";
  return std::nullopt;
}

}  // namespace

Flaws verify_knapsack(const std::string& path, const Json& solution) {
  const std::vector<formats::KnapsackInstance> instances = stated_instances(path, solution);
  std::size_t n = 0;
  for (const formats::KnapsackInstance& instance : instances) n += instance.items.size();
  if (Flaw flaw = flaw_of_run(solution, n)) return {flaw};
  if (!solution.contains("instances")) {
    Flaws flaws = flaws_of(path, instances[0], solution);
    const bool same = solution.at("cost") == solution.at("value") && solution.at("cost").is_number_integer();
    if (!flaws.structure && !flaws.cost && !same) flaws.cost = "cost and value differ";
    return flaws;
  }
  const Json& list = solution.at("instances");
  if (!list.is_array() || list.size() != instances.size()) {
    return {fmt::format("there are not as many solutions as the {} instances", instances.size())};
  }
  if (!solution.at("cost").is_null()) return {std::nullopt, "several instances have no cost of their own"};
  for (std::size_t i = 0; i < instances.size(); ++i) {
    const auto placed = [i](const Flaw& flaw) { return flaw ? Flaw(fmt::format("instance {}: {}", i, *flaw)) : flaw; };
    const Flaws flaws = flaws_of(path, instances[i], list[i]);
    if (flaws.structure || flaws.cost) return {placed(flaws.structure), placed(flaws.cost)};
    if (list[i].at("name") != instances[i].name) return {fmt::format("instance {}: its name is another", i)};
  }
  return {};
}

Json knapsack_optimum(const std::string& path, const Json& solution, Options limits) {
  const std::vector<formats::KnapsackInstance> instances = stated_instances(path, solution);
  if (!solution.contains("instances")) {
    limits.algorithm = other_algorithm(solution, "core", "table");
    const knapsack::Problem problem = stated_problem(path, instances[0], solution);
    return knapsack::solve(problem, limits, {.items = false, .dtype = ""}).solution.value;
  }
  for (std::size_t i = 0; i < instances.size(); ++i) {
    const Json& one = solution.at("instances")[i];
    limits.algorithm = other_algorithm(one, "core", "table");
    const auto best =
        knapsack::solve(stated_problem(path, instances[i], one), limits, {.items = false, .dtype = ""}).solution.value;
    if (one.at("value") != best) return fmt::format("{} of instance {}", best, i);
  }
  return solution.at("cost");
}

Flaws verify_subset_sum(const std::string& path, const Json& solution) {
  const knapsack::SubsetSum problem = read_subset_sum(path, "");
  if (Flaw flaw = flaw_of_run(solution, problem.numbers().size())) return {flaw};
  std::vector<std::int64_t> copies;
  if (Flaw flaw = copies_of(solution, problem.numbers().size(), copies)) return {flaw};
  if (whole<std::int64_t>(solution.at("target")) != problem.target()) {
    return {fmt::format("the target is {}, the instance says {}", json_text(solution.at("target")), problem.target())};
  }
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < copies.size(); ++i) {
    if (copies[i] > 1) return {fmt::format("number {} is there once", i)};
    sum += copies[i] == 0 ? 0 : problem.numbers()[i];
  }
  if (sum > problem.target()) return {fmt::format("the sum is {}, the target {}", sum, problem.target())};
  for (const char* key : {"cost", "value", "weight"}) {
    if (whole<std::int64_t>(solution.at(key)) != sum) {
      return {std::nullopt, fmt::format("the numbers sum to {}, {} is {}", sum, key, json_text(solution.at(key)))};
    }
  }
  if (solution.at("reached") != (sum == problem.target()))
    return {std::nullopt, "'reached' does not say whether it is"};
  if (solution.contains("count")) return {std::nullopt, flaw_of_count(problem, solution)};
  return {};
}

Json subset_sum_optimum(const std::string& path, const Json& solution, Options limits) {
  limits.algorithm = other_algorithm(solution, "core", "bitset");
  return knapsack::solve(read_subset_sum(path, ""), limits).solution.sum;
}

}  // namespace warpfold::app
