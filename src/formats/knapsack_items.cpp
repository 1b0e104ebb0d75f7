#include "formats/knapsack_items.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/printable.hpp"
#include "io/text.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::formats {

namespace {

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

/// Whether a line says what the numbers on the next one are: "n capacity".
bool names_sizes(const Words& words) {
  return is_line_of_names(words) && words.size() <= 2 && is_one_of(words[0], names_of_n) &&
         (words.size() == 1 || is_one_of(words[1], names_of_capacity));
}

}  // namespace

bool names_item_columns(const Words& words) { return is_line_of_names(words) && columns_of(words).are_known(); }

bool states_capacity(const Words& words) {
  return words.size() == 2 && is_one_of(words[0], names_of_capacity) && begins_like_number(words[1]);
}

void skip_names_of_sizes(InstanceLines& lines) {
  if (!lines.done() && names_sizes(lines.peek().words)) lines.take("");
}

Columns take_names(InstanceLines& lines) {
  const InstanceLine line = lines.take("the names of the columns");
  const Columns columns = columns_of(line.words);
  if (!columns.are_known()) {
    lines.fail(line.number, fmt::format("'{}' names no columns of items: value and weight are accepted",
                                        io::printable(line.words[0])));
  }
  return columns;
}

DecimalInstance::Item item_of(const InstanceLines& lines, const InstanceLine& line, const Columns& columns) {
  return {lines.number(line, *columns.value, "value"), lines.number(line, *columns.weight, "weight"),
          columns.copies ? lines.count(line, *columns.copies, "number of copies") : 1, line.number};
}

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

std::size_t take_count(InstanceLines& lines) {
  skip_names_of_sizes(lines);
  const InstanceLine line = lines.take("the number of items");
  lines.expect_columns(line, 1, "n alone on its line");
  return lines.item_count(line, 0);
}

io::Decimal take_capacity(InstanceLines& lines, const char* what, bool is_signed) {
  const InstanceLine line = lines.take(fmt::format("the {}", what));
  lines.expect_columns(line, 1, fmt::format("the {} alone on its line", what).c_str());
  return lines.number(line, 0, what, is_signed);
}

bool begins_with_number(const Words& words) { return !words.empty() && begins_like_number(words[0]); }

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

bool announces_lines(InstanceLines lines) {
  const InstanceLine first = lines.take("");
  return io::parse_decimal(first.words[0]) == io::Decimal{static_cast<io::Integer>(lines.left())};
}

}  // namespace warpfold::formats
