#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "formats/knapsack_items.hpp"
#include "formats/knapsack_json.hpp"
#include "formats/knapsack_lists.hpp"
#include "io/text.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/formats/knapsack_instance.hpp"
#include "warpfold/io/file.hpp"
#include "warpfold/io/npy.hpp"

namespace warpfold::formats {

namespace {

/// Whether lines after `n target` hold one number each, or there are none.
bool is_target_and_numbers(std::string_view content) {
  const auto [first, second, third] = first_lines(content);
  return first.size() == 2 && begins_with_number(first) && second.size() <= 1;
}

/// Whether the first line has more than n and the target. No format has such a line.
bool has_more_than_target(std::string_view content) {
  const Words first = first_lines(content)[0];
  return first.size() > 2 && begins_with_number(first);
}

/// Whether n, the target and the numbers have lines of their own.
bool is_column_of_numbers(std::string_view content) {
  const auto [first, second, third] = first_lines(content);
  return first.size() == 1 && second.size() == 1 && third.size() == 1 && begins_with_number(first);
}

void take_numbers(InstanceLines& lines, DecimalInstance& instance, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const InstanceLine line = lines.take(fmt::format("number {} of {}", i, n));
    lines.expect_columns(line, 1, "one number");
    const io::Decimal number = lines.number(line, 0, "number", true);
    instance.items.push_back({number, number, 1, line.number});
  }
  lines.expect_end();
}

DecimalInstance numbers_below_target(InstanceLines& lines, bool is_column) {
  DecimalInstance instance;
  std::size_t n = 0;
  if (is_column) {
    n = take_count(lines);
    instance.capacity = take_capacity(lines, "target", true);
  } else {
    skip_names_of_sizes(lines);
    const InstanceLine header = lines.take("the number of items");
    lines.expect_columns(header, 2, "n and the target; a list of numbers needs --target");
    n = lines.item_count(header, 0);
    instance.capacity = lines.number(header, 1, "target", true);
  }
  take_numbers(lines, instance, n);
  return instance;
}

DecimalInstance instance_of_numbers(const std::vector<io::Decimal>& numbers) {
  DecimalInstance instance;
  for (const io::Decimal& number : numbers) instance.items.push_back({number, number});
  return instance;
}

/// Whether a file of numbers begins with n and the target, and n more numbers follow.
bool states_target(std::string_view content) {
  const bool is_column = is_column_of_numbers(content);
  if (!is_column && !is_target_and_numbers(content)) return false;
  InstanceLines lines("", content);
  skip_names_of_sizes(lines);
  const InstanceLine first = lines.take("");
  const std::size_t n = lines.left() - (is_column ? 1 : 0);
  return io::parse_decimal(first.words[0]) == io::Decimal{static_cast<io::Integer>(n)};
}

/// Whether a file has a row or a column of numbers, without n and the target. A first line may name them.
bool is_list(std::string_view content) {
  if (io::is_npy(content)) return true;
  const auto [first, second, third] = first_lines(content);
  const bool is_column = first.size() == 1 && second.size() <= 1 && third.size() <= 1;
  if (!begins_with_number(first)) return is_column && begins_with_number(second);
  return (is_column || second.empty()) && !states_target(content);
}

}  // namespace

KnapsackInstance read_subset_sum(const std::vector<std::string>& paths, const std::string& format,
                                 const std::optional<std::string>& target) {
  if (paths.size() == 1) return parse_subset_sum(paths[0], io::read_file(paths[0]), format, target);
  if (!format.empty()) throw Error(ErrorKind::usage, "--format is of one file: lists of numbers have none");
  DecimalInstance instance = instance_of_numbers(parse_number_list(paths[1], io::read_file(paths[1]), "number", true));
  instance.capacity =
      only_number(paths[0], parse_number_list(paths[0], io::read_file(paths[0]), "target", true), "target");
  return scaled(fmt::format("{}", fmt::join(paths, ", ")), std::move(instance), target, names_of_subset_sums);
}

KnapsackInstance parse_subset_sum(const std::string& path, std::string_view content, const std::string& format,
                                  const std::optional<std::string>& target) {
  const auto numbers_of = [&](DecimalInstance instance) {
    return scaled(path, std::move(instance), target, names_of_subset_sums);
  };
  if (target && format.empty() && is_list(content)) {
    return numbers_of(instance_of_numbers(parse_number_list(path, std::string(content), "number", true)));
  }
  if (format == "json" || (format.empty() && is_json(content))) return numbers_of(json_subset_sum(path, content));
  const bool is_column = format.empty() && is_column_of_numbers(content);
  const bool has_header = is_target_and_numbers(content) || has_more_than_target(content);
  if (is_column || ((format.empty() || format == "standard") && has_header)) {
    io::check_is_text(path, content);
    InstanceLines lines(path, content);
    return numbers_of(numbers_below_target(lines, is_column));
  }
  std::vector<KnapsackInstance> instances = parse_knapsack(path, content, format, target);
  if (instances.size() > 1) {
    throw Error(ErrorKind::input, fmt::format("{}: {} instances in one file: one is accepted", path, instances.size()));
  }
  return std::move(instances.front());
}

}  // namespace warpfold::formats
