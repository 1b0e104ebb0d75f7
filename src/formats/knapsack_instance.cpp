#include "warpfold/formats/knapsack_instance.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "core/listed.hpp"
#include "core/quantity.hpp"
#include "formats/knapsack_json.hpp"
#include "formats/knapsack_lines.hpp"
#include "formats/knapsack_lists.hpp"
#include "formats/knapsack_scale.hpp"
#include "io/json.hpp"
#include "io/printable.hpp"
#include "io/text.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/formats/format.hpp"
#include "warpfold/io/file.hpp"
#include "warpfold/io/npy.hpp"

namespace warpfold::formats {

namespace {

using Capacity = std::optional<std::string>;  // of files that state none

constexpr const char* item_columns = "value, weight and, for all items or none, copies";

constexpr std::string_view names_of_value[] = {"value", "values", "v",     "profit",  "profits",
                                               "p",     "price",  "worth", "benefit", "utility"};
constexpr std::string_view names_of_weight[] = {"weight", "weights", "w", "wt", "size", "mass"};
constexpr std::string_view names_of_copies[] = {"copies", "count", "quantity", "qty", "amount", "pieces"};
constexpr std::string_view names_of_n[] = {"n", "items", "item", "number", "numbers", "size", "count"};
constexpr std::string_view names_of_capacity[] = {"capacity", "c", "limit", "target", "t"};

template <class Names>
bool is_one_of(std::string_view word, const Names& names) {
  while (word.ends_with(':') || word.ends_with('=')) word.remove_suffix(1);
  return std::find(std::begin(names), std::end(names), io::lower(io::trimmed(word))) != std::end(names);
}

/// Where a line's names put what an item has.
struct Columns {
  std::optional<std::size_t> value = {}, weight = {}, copies = {};
  std::size_t count = 0;

  [[nodiscard]] bool are_known() const { return value && weight; }
};

Columns columns_of(const Words& words) {
  Columns columns{.count = words.size()};
  const auto take = [&](std::optional<std::size_t>& column, std::size_t at, const auto& names) {
    if (!column && is_one_of(words[at], names)) column = at;
  };
  for (std::size_t at = 0; at < words.size(); ++at) {
    take(columns.value, at, names_of_value);
    take(columns.weight, at, names_of_weight);
    take(columns.copies, at, names_of_copies);
  }
  return columns;
}

bool names_columns(const Words& words) { return is_line_of_names(words) && columns_of(words).are_known(); }

/// Whether a line says what the numbers on the next one are: "n capacity".
bool names_sizes(const Words& words) {
  return is_line_of_names(words) && words.size() <= 2 && is_one_of(words[0], names_of_n) &&
         (words.size() == 1 || is_one_of(words[1], names_of_capacity));
}

/// Whether a line states the capacity by its name.
bool states_capacity(const Words& words) {
  return words.size() == 2 && is_one_of(words[0], names_of_capacity) && begins_like_number(words[1]);
}

void skip_names_of_sizes(InstanceLines& lines) {
  if (!lines.done() && names_sizes(lines.peek().words)) lines.take("");
}

Columns take_names(InstanceLines& lines) {
  const InstanceLine line = lines.take("the names of the columns");
  const Columns columns = columns_of(line.words);
  if (columns.are_known()) return columns;
  lines.fail(line.number, fmt::format("'{}' names no columns of items: value and weight are accepted",
                                      io::printable(line.words[0])));
}

DecimalInstance::Item item_of(const InstanceLines& lines, const InstanceLine& line, const Columns& columns) {
  return {lines.number(line, *columns.value, "value"), lines.number(line, *columns.weight, "weight"),
          columns.copies ? lines.count(line, *columns.copies, "number of copies") : 1, line.number};
}

/// Reads lines of items, n or all that are left. A first line may name the columns.
void take_items(InstanceLines& lines, DecimalInstance& instance, std::optional<std::size_t> n) {
  Columns columns{.value = 0, .weight = 1};
  const bool named = !lines.done() && is_line_of_names(lines.peek().words);
  if (named) columns = take_names(lines);
  for (std::size_t i = 0; n ? i < *n : !lines.done(); ++i) {
    const InstanceLine line = lines.take(n ? fmt::format("item {} of {}", i, *n) : "");
    if (!named && i == 0) {
      columns.count = line.words.size() == 3 ? 3 : 2;
      if (columns.count == 3) columns.copies = 2;
    }
    if (!named || line.words.size() > columns.count) lines.expect_columns(line, columns.count, item_columns);
    instance.items.push_back(item_of(lines, line, columns));
  }
  instance.has_copies = columns.copies.has_value();
}

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

/// Reads n alone on its line.
std::size_t take_count(InstanceLines& lines) {
  skip_names_of_sizes(lines);
  const InstanceLine line = lines.take("the number of items");
  lines.expect_columns(line, 1, "n alone on its line");
  return lines.item_count(line, 0);
}

io::Decimal take_capacity(InstanceLines& lines, const char* what = "capacity", bool is_signed = false) {
  const InstanceLine line = lines.take(fmt::format("the {}", what));
  lines.expect_columns(line, 1, fmt::format("the {} alone on its line", what).c_str());
  return lines.number(line, 0, what, is_signed);
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
std::vector<KnapsackInstance> parse_lines(const std::string& path, std::string_view content, const Capacity& capacity) {
  InstanceLines lines(path, content);
  return {scaled(path, read(lines), capacity)};
}

std::vector<KnapsackInstance> parse_pisinger(const std::string& path, std::string_view content, const Capacity&) {
  InstanceLines lines(path, content);
  std::vector<KnapsackInstance> instances;
  do {
    instances.push_back(scaled(path, pisinger_instance(lines), std::nullopt));
  } while (!lines.done());
  return instances;
}

std::vector<KnapsackInstance> parse_json(const std::string& path, std::string_view content, const Capacity& capacity) {
  return {scaled(path, json_knapsack(path, content), capacity)};
}

using FirstLines = std::array<Words, 3>;

/// The words of the first lines, behind those that name the sizes; none for a missing line, and for all lines where one
/// has a quote that is not closed.
FirstLines first_lines(std::string_view content) {
  FirstLines first;
  try {
    InstanceLines lines("", content, first.size() + 1);
    skip_names_of_sizes(lines);
    for (Words& words : first) {
      if (!lines.done()) words = lines.take("").words;
    }
    return first;
  } catch (const Error&) {
    return {};
  }
}

bool begins_with_number(const Words& words) { return !words.empty() && begins_like_number(words[0]); }

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
  return names_columns(first) || (states_capacity(first) && names_columns(second));
}

std::string value_text(const KnapsackInstance& instance, std::int64_t value) {
  return io::decimal_text(io::from_units(value, instance.value_places));
}
std::string weight_text(const KnapsackInstance& instance, std::int64_t weight) {
  return io::decimal_text(io::from_units(weight, instance.weight_places));
}
std::string capacity_text(const KnapsackInstance& instance) { return weight_text(instance, instance.capacity); }

/// One line per item: value, weight and, if the instance has them, copies.
std::string item_lines(const KnapsackInstance& instance, char separator = ' ') {
  std::string text;
  for (const KnapsackInstance::Item& item : instance.items) {
    text += fmt::format("{}{}{}", value_text(instance, item.value), separator, weight_text(instance, item.weight));
    text += instance.has_copies ? fmt::format("{}{}\n", separator, item.copies) : "\n";
  }
  return text;
}

std::string write_standard(const KnapsackInstance& instance) {
  return fmt::format("{} {}\n", instance.items.size(), capacity_text(instance)) + item_lines(instance);
}

std::string write_kplib(const KnapsackInstance& instance) {
  return fmt::format("{}\n{}\n\n", instance.items.size(), capacity_text(instance)) + item_lines(instance);
}

std::string write_jooken(const KnapsackInstance& instance) {
  std::string text = fmt::format("{}\n", instance.items.size());
  for (std::size_t i = 0; i < instance.items.size(); ++i) {
    text += fmt::format("{} {} {}\n", i + 1, value_text(instance, instance.items[i].value),
                        weight_text(instance, instance.items[i].weight));
  }
  return text + fmt::format("{}\n", capacity_text(instance));
}

std::string write_pisinger(const KnapsackInstance& instance) {
  std::string text = fmt::format("{}\nn {}\nc {}\nz {}\ntime 0.00\n",
                                 instance.name.empty() ? "instance" : instance.name, instance.items.size(),
                                 capacity_text(instance), value_text(instance, instance.best.value_or(0)));
  for (std::size_t i = 0; i < instance.items.size(); ++i) {
    const bool chosen = instance.best_packing && (*instance.best_packing)[i];
    text += fmt::format("{},{},{},{}\n", i + 1, value_text(instance, instance.items[i].value),
                        weight_text(instance, instance.items[i].weight), chosen ? 1 : 0);
  }
  return text + "-----\n";
}

std::string write_csv(const KnapsackInstance& instance) {
  return fmt::format("capacity,{}\nvalue,weight{}\n", capacity_text(instance), instance.has_copies ? ",copies" : "") +
         item_lines(instance, ',');
}

std::string write_json(const KnapsackInstance& instance) {
  io::Json object = {{"capacity", io::exact_number(io::from_units(instance.capacity, instance.weight_places))}};
  for (const char* key : {"values", "weights"}) object[key] = io::Json::array();
  for (const KnapsackInstance::Item& item : instance.items) {
    object["values"].push_back(io::exact_number(io::from_units(item.value, instance.value_places)));
    object["weights"].push_back(io::exact_number(io::from_units(item.weight, instance.weight_places)));
    if (instance.has_copies) object["copies"].push_back(item.copies);
  }
  return io::json_text(object) + "\n";
}

const KnapsackFormat& format_of_name(const std::string& name) {
  for (const KnapsackFormat& format : knapsack_formats()) {
    if (format.name == name) return format;
  }
  throw Error(ErrorKind::usage,
              fmt::format("format '{}' is unknown: {} is accepted", name, listed(names_of(knapsack_formats()))));
}

const KnapsackFormat& format_of_content(const std::string& path, std::string_view content) {
  for (const KnapsackFormat& format : knapsack_formats()) {
    if (format.recognizes(content)) return format;
  }
  InstanceLines lines(path, content);
  const InstanceLine line = lines.peek();
  lines.fail(line.number,
             fmt::format("'{}' begins no format of instances: {} is accepted (standard: a line `n capacity`, then lines "
                         "`value weight`; csv: a line `value,weight` above the items)",
                         io::printable(line.words[0]), listed(names_of(knapsack_formats()))));
}

/// Whether the first number says how many lines follow.
bool announces_lines(InstanceLines lines) {
  const InstanceLine first = lines.take("");
  return io::parse_decimal(first.words[0]) == io::Decimal{static_cast<io::Whole>(lines.left())};
}

/// The items of a file that has nothing but them, or them and their number; nothing for any other file.
std::optional<DecimalInstance> items_alone(const std::string& path, std::string_view content) {
  const auto [first, second, third] = first_lines(content);
  const bool has_count = first.size() == 1 && second.size() == 2;
  InstanceLines lines(path, content);
  if (!begins_with_number(first) || (first.size() != 2 && !has_count)) return std::nullopt;
  skip_names_of_sizes(lines);
  if (announces_lines(lines) != has_count) return std::nullopt;
  if (has_count) lines.take("");
  DecimalInstance instance;
  take_items(lines, instance, std::nullopt);
  return instance;
}

/// Whether lines after `n target` hold one number each, or there are none.
bool is_target_and_numbers(std::string_view content) {
  const auto [first, second, third] = first_lines(content);
  return first.size() == 2 && begins_with_number(first) && second.size() <= 1;
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

/// Whether a file has numbers alone, without n and the target.
bool is_list(std::string_view content) {
  if (io::is_npy(content)) return true;
  if (is_json(content) || is_csv(content) || is_pisinger(content)) return false;
  InstanceLines lines("", content);
  if (!lines.done() && is_line_of_names(lines.peek().words) && lines.peek().words.size() == 1) return true;
  return lines.done() || !is_target_and_numbers(content) || !announces_lines(lines);
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

std::vector<KnapsackInstance> parse_knapsack(const std::string& path, std::string_view content,
                                             const std::string& format, const Capacity& capacity) {
  if (!format.empty()) return format_of_name(format).parse(path, content, capacity);
  io::check_is_text(path, content);
  if (capacity) {
    if (auto items = items_alone(path, content)) return {scaled(path, *std::move(items), capacity)};
  }
  return format_of_content(path, content).parse(path, content, capacity);
}

std::vector<KnapsackInstance> read_knapsack(const std::vector<std::string>& paths, const std::string& format,
                                            const Capacity& capacity) {
  if (paths.size() == 1) return parse_knapsack(paths[0], io::read_file(paths[0]), format, capacity);
  if (!format.empty()) throw Error(ErrorKind::usage, "--format is of one file: lists of numbers have none");
  const bool has_capacity = paths.size() == 3;
  if (!has_capacity && !capacity) {
    throw Error(ErrorKind::usage, fmt::format("{} are the weights and the values: --capacity is needed beside them, or "
                                              "a file of the capacity before them",
                                              quantity(paths.size(), "file")));
  }
  std::vector<std::vector<io::Decimal>> lists;
  for (const std::string& path : paths) lists.push_back(parse_number_list(path, io::read_file(path), "number"));
  DecimalInstance instance;
  if (has_capacity) instance.capacity = only_number(paths[0], lists[0], "capacity");
  const std::size_t weights = has_capacity ? 1 : 0;
  instance.items = items_of(paths[weights], lists[weights], paths[weights + 1], lists[weights + 1]);
  return {scaled(fmt::format("{}", fmt::join(paths, ", ")), std::move(instance), capacity)};
}

KnapsackInstance read_subset_sum(const std::vector<std::string>& paths, const std::string& format,
                                 const std::optional<std::string>& target) {
  if (paths.size() == 1) return parse_subset_sum(paths[0], io::read_file(paths[0]), format, target);
  if (!format.empty()) throw Error(ErrorKind::usage, "--format is of one file: lists of numbers have none");
  DecimalInstance instance =
      instance_of_numbers(parse_number_list(paths[1], io::read_file(paths[1]), "number", true));
  instance.capacity = only_number(paths[0], parse_number_list(paths[0], io::read_file(paths[0]), "target", true), "target");
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
  if (is_column || ((format.empty() || format == "standard") && is_target_and_numbers(content))) {
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

std::string format_knapsack(const KnapsackInstance& instance, const std::string& format) {
  return format_of_name(format).write(instance);
}

}  // namespace warpfold::formats
