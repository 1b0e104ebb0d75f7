#include <fmt/format.h>

#include "formats/knapsack_items.hpp"
#include "formats/knapsack_json.hpp"
#include "formats/knapsack_write.hpp"
#include "io/printable.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/formats/knapsack_instance.hpp"

namespace warpfold::formats {

namespace {

DecimalInstance standard_instance(InstanceLines& lines) {
  DecimalInstance instance;
  skip_names_of_sizes(lines);
  const InstanceLine header = lines.take("the number of items");
  lines.expect_columns(header, 2, "n and the capacity");
  const std::size_t n = lines.item_count(header, 0);
  instance.capacity = lines.number(header, 1, "capacity");
  take_items(lines, instance, n);
  lines.expect_end();
  return instance;
}

DecimalInstance kplib_instance(InstanceLines& lines) {
  DecimalInstance instance;
  const std::size_t n = take_count(lines);
  instance.capacity = take_capacity(lines);
  take_items(lines, instance, n);
  lines.expect_end();
  return instance;
}

DecimalInstance jooken_instance(InstanceLines& lines) {
  DecimalInstance instance;
  const std::size_t n = take_count(lines);
  constexpr Columns columns{.value = 1, .weight = 2, .copies = {}, .count = 3};
  for (std::size_t i = 0; i < n; ++i) {
    const InstanceLine line = lines.take(fmt::format("item {} of {}", i, n));
    lines.expect_columns(line, columns.count, "id, value and weight");
    static_cast<void>(lines.count(line, 0, "id"));
    instance.items.push_back(item_of(lines, line, columns));
  }
  instance.capacity = take_capacity(lines);
  lines.expect_end();
  return instance;
}

DecimalInstance csv_instance(InstanceLines& lines) {
  DecimalInstance instance;
  if (!lines.done() && states_capacity(lines.peek().words)) {
    instance.capacity = lines.number(lines.take(""), 1, "capacity");
  }
  lines.separate_at_tabs();
  if (!lines.done() && !is_line_of_names(lines.peek().words)) take_names(lines);  // which raises what is wrong
  if (lines.done()) lines.take("the names of the columns");
  take_items(lines, instance, std::nullopt);
  return instance;
}

InstanceLine keyed_line(InstanceLines& lines, const char* key, const char* what) {
  const InstanceLine line = lines.take(fmt::format("'{}' and the {}", key, what));
  if (line.words[0] != key) {
    lines.fail(line.number,
               fmt::format("'{}' where '{}' and the {} should follow", io::printable(line.words[0]), key, what));
  }
  lines.expect_columns(line, 2, "a key and its number");
  return line;
}

io::Decimal keyed_number(InstanceLines& lines, const char* key, const char* what) {
  return lines.number(keyed_line(lines, key, what), 1, what);
}

bool is_rule(const InstanceLine& line) {
  return line.words.size() == 1 && line.words[0].find_first_not_of('-') == std::string_view::npos;
}

DecimalInstance pisinger_instance(InstanceLines& lines) {
  DecimalInstance instance;
  instance.name = std::string(lines.take("an instance's name").words[0]);
  const std::size_t n = lines.item_count(keyed_line(lines, "n", "number of items"), 1);
  instance.capacity = keyed_number(lines, "c", "capacity");
  instance.best = keyed_number(lines, "z", "best value");
  if (const InstanceLine line = lines.take("'time' and the seconds"); line.words[0] != "time") {
    lines.fail(line.number, fmt::format("'{}' where 'time' should follow", io::printable(line.words[0])));
  }
  instance.best_packing.emplace();
  constexpr Columns columns{.value = 1, .weight = 2, .copies = {}, .count = 4};
  for (std::size_t i = 0; i < n; ++i) {
    const InstanceLine line = lines.take(fmt::format("item {} of {}", i, n));
    lines.expect_columns(line, columns.count, "id, value, weight and x");
    static_cast<void>(lines.count(line, 0, "id"));
    instance.items.push_back(item_of(lines, line, columns));
    const std::int64_t chosen = lines.count(line, 3, "x");
    if (chosen > 1) lines.fail(line.number, fmt::format("x is {}: 0 or 1 is accepted", chosen));
    instance.best_packing->push_back(chosen == 1);
  }
  if (!lines.done()) {
    if (!is_rule(lines.peek())) lines.expect_end();
    lines.take("a line of dashes");
  }
  return instance;
}

template <DecimalInstance read(InstanceLines&)>
std::vector<KnapsackInstance> parse_lines(const std::string& path, std::string_view content,
                                          const std::optional<std::string>& capacity) {
  InstanceLines lines(path, content);
  return {scaled(path, read(lines), capacity)};
}

std::vector<KnapsackInstance> parse_pisinger(const std::string& path, std::string_view content,
                                             const std::optional<std::string>&) {
  InstanceLines lines(path, content);
  std::vector<KnapsackInstance> instances;
  do {
    instances.push_back(scaled(path, pisinger_instance(lines), std::nullopt));
  } while (!lines.done());
  return instances;
}

std::vector<KnapsackInstance> parse_json(const std::string& path, std::string_view content,
                                         const std::optional<std::string>& capacity) {
  return {scaled(path, json_knapsack(path, content), capacity)};
}

/// Whether lines begin with numbers, or there are none.
bool is_standard(std::string_view content) {
  const Words first = first_lines(content)[0];
  return first.empty() || (begins_with_number(first) && first.size() != 1);
}

/// Whether the content begins with a name, on a line of its own or above a line `n N`, and no line of numbers follows.
bool is_pisinger(std::string_view content) {
  const auto [first, second, third] = first_lines(content);
  if (first.empty() || begins_with_number(first) || is_json(content)) return false;
  return (first.size() == 1 && !begins_with_number(second)) || (!second.empty() && second[0] == "n");
}

/// Whether n is alone on its line, and no item of three columns follows.
bool is_kplib(std::string_view content) {
  const auto [first, second, third] = first_lines(content);
  return begins_with_number(first) && first.size() == 1 && second.size() != 3;
}

/// Whether n is alone on its line, and an item of three columns follows.
bool is_jooken(std::string_view content) {
  const auto [first, second, third] = first_lines(content);
  return begins_with_number(first) && first.size() == 1 && second.size() == 3;
}

/// Whether the columns of items are named first, or behind the capacity.
bool is_csv(std::string_view content) {
  const auto [first, second, third] = first_lines(content);
  return names_item_columns(first) || (states_capacity(first) && names_item_columns(second));
}

}  // namespace

std::span<const KnapsackFormat> knapsack_formats() {
  static const KnapsackFormat all[] = {
      {"standard", is_standard, parse_lines<standard_instance>, write_standard},
      {"pisinger", is_pisinger, parse_pisinger, write_pisinger},
      {"kplib", is_kplib, parse_lines<kplib_instance>, write_kplib},
      {"jooken", is_jooken, parse_lines<jooken_instance>, write_jooken},
      {"csv", is_csv, parse_lines<csv_instance>, write_csv},
      {"json", is_json, parse_json, write_json},
  };
  return all;
}

}  // namespace warpfold::formats
