#include "knapsack_input.hpp"

#include <fmt/format.h>

#include "warpfold/core/error.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::app {

std::string kind_name(knapsack::Kind kind) {
  if (kind == knapsack::Kind::zero_one) return "0-1";
  return kind == knapsack::Kind::bounded ? "bounded" : "unbounded";
}

knapsack::Problem problem_of(const io::KnapsackInstance& instance, const std::string& kind) {
  const std::string name = kind.empty() ? (instance.has_copies ? "bounded" : "0-1") : kind;
  knapsack::Kind chosen = knapsack::Kind::zero_one;
  if (name == "bounded") {
    chosen = knapsack::Kind::bounded;
  } else if (name == "unbounded") {
    chosen = knapsack::Kind::unbounded;
  } else if (name != "0-1") {
    throw Error(ErrorKind::usage, fmt::format("--kind '{}': 0-1, bounded or unbounded is accepted", kind));
  }
  std::vector<knapsack::Item> items;
  for (const auto& item : instance.items) items.push_back({item.value, item.weight, item.copies});
  return knapsack::Problem(chosen, std::move(items), instance.capacity);
}

const io::KnapsackInstance& chosen_instance(const std::string& path, const std::vector<io::KnapsackInstance>& instances,
                                            std::int64_t index) {
  if (index < 0 || index >= std::ssize(instances)) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: --instance {}: 0 .. {} is accepted", path, index, instances.size() - 1));
  }
  return instances[static_cast<std::size_t>(index)];
}

knapsack::SubsetSum read_subset_sum(const std::string& path, const std::string& format) {
  const io::KnapsackInstance instance = io::parse_subset_sum(path, io::read_file(path), format);
  std::vector<std::int64_t> numbers;
  for (const auto& item : instance.items) numbers.push_back(item.weight);
  return knapsack::SubsetSum(std::move(numbers), instance.capacity);
}

}  // namespace warpfold::app
