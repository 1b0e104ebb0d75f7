#include "knapsack_input.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "io/text.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/formats/format.hpp"
#include "warpfold/io/file.hpp"

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

knapsack::SubsetSum read_subset_sum(const std::string& path, const std::string& format) {
  const formats::KnapsackInstance instance = formats::parse_subset_sum(path, io::read_file(path), format);
  if (instance.has_copies) {
    throw Error(ErrorKind::input,
                fmt::format("{}: a column tells copies: numbers that are there once are accepted", path));
  }
  std::vector<std::int64_t> numbers;
  for (const auto& item : instance.items) numbers.push_back(item.weight);
  return io::with_file_context(path, [&] { return knapsack::SubsetSum(std::move(numbers), instance.capacity); });
}

}  // namespace warpfold::app
