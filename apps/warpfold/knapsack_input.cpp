#include "knapsack_input.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "io/decimal.hpp"
#include "io/text.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/formats/format.hpp"

namespace warpfold::app {

std::string kind_name(knapsack::Kind kind) {
  if (kind == knapsack::Kind::zero_one) return "0-1";
  return kind == knapsack::Kind::bounded ? "bounded" : "unbounded";
}

std::optional<knapsack::Kind> parse_kind(const std::string& name) {
  if (name.empty()) return std::nullopt;
  for (const auto kind : {knapsack::Kind::zero_one, knapsack::Kind::bounded, knapsack::Kind::unbounded}) {
    if (name == kind_name(kind)) return kind;
  }
  throw Error(ErrorKind::usage, fmt::format("kind '{}' is unknown: 0-1, bounded or unbounded is accepted", name));
}

knapsack::Problem problem_of(const formats::KnapsackInstance& instance, const std::string& kind) {
  const knapsack::Kind told = instance.has_copies ? knapsack::Kind::bounded : knapsack::Kind::zero_one;
  const knapsack::Kind chosen = parse_kind(kind).value_or(told);
  if (instance.has_copies && chosen == knapsack::Kind::unbounded) {
    throw Error(ErrorKind::input,
                "a column tells copies, which unbounded items have without end: two columns are accepted");
  }
  std::vector<knapsack::Item> items;
  for (const auto& item : instance.items) items.push_back({item.value, item.weight, item.copies});
  return knapsack::Problem(chosen, std::move(items), instance.capacity);
}

std::vector<formats::KnapsackInstance> read_instances(const std::vector<std::string>& paths, const std::string& format,
                                                      const std::optional<std::string>& capacity) {
  std::vector<formats::KnapsackInstance> instances = formats::read_knapsack(paths, format, capacity);
  if (!capacity || !instances.front().states_capacity) return instances;
  throw Error(ErrorKind::usage,
              fmt::format("{} states a capacity: no --capacity beside it is accepted", names_of_files(paths)));
}

const formats::KnapsackInstance& chosen_instance(const std::string& path,
                                                 const std::vector<formats::KnapsackInstance>& instances,
                                                 std::int64_t index) {
  if (index < 0 || index >= std::ssize(instances)) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: --instance {}: 0 .. {} is accepted", path, index, instances.size() - 1));
  }
  return instances[static_cast<std::size_t>(index)];
}

std::string knapsack_format_names() {
  return fmt::format("{}", fmt::join(formats::names_of(formats::knapsack_formats()), "|"));
}

SubsetSumInput read_subset_sum(const std::vector<std::string>& paths, const std::string& format,
                               const std::optional<std::string>& target) {
  const formats::KnapsackInstance instance = formats::read_subset_sum(paths, format, target);
  const std::string place = names_of_files(paths);
  if (instance.has_copies) {
    throw Error(ErrorKind::input,
                fmt::format("{}: a column tells copies: numbers that are there once are accepted", place));
  }
  std::vector<std::int64_t> numbers;
  for (const auto& item : instance.items) numbers.push_back(item.weight);
  return io::with_file_context(place, [&]() -> SubsetSumInput {
    return {knapsack::SubsetSum(std::move(numbers), instance.capacity), instance.weight_places,
            instance.states_capacity};
  });
}

std::string names_of_files(const std::vector<std::string>& paths) { return fmt::format("{}", fmt::join(paths, ", ")); }

io::Json amount_json(std::int64_t units, int places) { return io::exact_number(io::from_units(units, places)); }

std::string amount_text(std::int64_t units, int places) { return io::decimal_text(io::from_units(units, places)); }

}  // namespace warpfold::app
