#include "warpfold/formats/knapsack_instance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "core/listed.hpp"
#include "core/quantity.hpp"
#include "io/printable.hpp"
#include "io/text.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/formats/format.hpp"
#include "warpfold/io/file.hpp"
#include "warpfold/io/numbers.hpp"

namespace warpfold::formats {

namespace {

using Instance = KnapsackInstance;

/// The word as an integer from 0 to 2^63 - 1, if it is one.
std::optional<std::int64_t> natural(std::string_view word) {
  try {
    const io::Number number = io::parse_number(word);
    if (!number.whole || number.exact < 0 || number.exact > std::numeric_limits<std::int64_t>::max())
      return std::nullopt;
    return static_cast<std::int64_t>(number.exact);
  } catch (const Error&) {
    return std::nullopt;
  }
}

using Words = std::vector<std::string_view>;
constexpr std::string_view between_words = " \t\r";
constexpr std::string_view between_entries = " \t\r,";

Words words_of(std::string_view text, std::string_view separators) {
  Words words;
  for (std::size_t at = 0; (at = text.find_first_not_of(separators, at)) != text.npos;) {
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

/// A line that is not blank.
struct Line {
  std::size_t number = 0;
  Words words;
};

class Lines {
 public:
  Lines(std::string path, std::string_view content, std::string_view separators = between_words,
        std::size_t most = std::numeric_limits<std::size_t>::max())
      : path_(std::move(path)) {
    std::size_t number = 0;
    content = io::without_mark(content);
    while (!content.empty() && lines_.size() < most) {
      const std::size_t end = std::min(content.find('\n'), content.size());
      Line line{++number, words_of(content.substr(0, end), separators)};
      if (!line.words.empty()) lines_.push_back(std::move(line));
      content.remove_prefix(std::min(end + 1, content.size()));
    }
    last_number_ = std::max<std::size_t>(number, 1);
  }

  [[nodiscard]] bool done() const { return next_ == lines_.size(); }
  [[nodiscard]] std::size_t left() const { return lines_.size() - next_; }
  [[nodiscard]] const Line& peek() const { return lines_[next_]; }

  /// Returns the next line. `expected` names what should follow, for messages.
  const Line& take(std::string_view expected) {
    if (done()) fail(last_number_, fmt::format("the file ends where {} should follow", expected));
    return lines_[next_++];
  }

  [[noreturn]] void fail(std::size_t line, const std::string& message) const {
    throw Error(ErrorKind::input, fmt::format("{}:{}: {}", path_, line, message));
  }

  std::int64_t number(const Line& line, std::size_t column, const char* what) const {
    if (column >= line.words.size()) fail(line.number, fmt::format("the {} is missing", what));
    const std::string_view word = line.words[column];
    const std::optional<std::int64_t> value = natural(word);
    if (value) return *value;
    fail(line.number,
         fmt::format("the {} is '{}': an integer from 0 to 2^63 - 1 is accepted", what, io::printable(word)));
  }

  void expect_columns(const Line& line, std::size_t columns, const char* what) const {
    if (line.words.size() == columns) return;
    fail(line.number,
         fmt::format("{} where {} are accepted: {}", quantity(line.words.size(), "column"), columns, what));
  }

  void expect_end() const {
    if (!done()) fail(peek().number, "more lines than the number of items announces");
  }

 private:
  std::string path_;
  std::vector<Line> lines_;
  std::size_t next_ = 0;
  std::size_t last_number_ = 1;
};

/// Reads the number of items. It checks it against the lines that are left, so that a wrong count allocates nothing.
std::size_t item_count(const Lines& lines, const Line& line, std::size_t column) {
  const std::int64_t n = lines.number(line, column, "number of items");
  if (static_cast<std::uint64_t>(n) > lines.left()) {
    lines.fail(line.number, fmt::format("{} announced, {} left", quantity(n, "item"), quantity(lines.left(), "line")));
  }
  return static_cast<std::size_t>(n);
}

Instance columns_instance(Lines& lines, bool split_header) {
  Instance instance;
  const Line& header = lines.take("the number of items");
  std::size_t n = 0;
  if (split_header) {
    lines.expect_columns(header, 1, "n alone on its line");
    n = item_count(lines, header, 0);
    const Line& second = lines.take("the capacity");
    lines.expect_columns(second, 1, "the capacity alone on its line");
    instance.capacity = lines.number(second, 0, "capacity");
  } else {
    lines.expect_columns(header, 2, "n and the capacity");
    n = item_count(lines, header, 0);
    instance.capacity = lines.number(header, 1, "capacity");
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Line& line = lines.take(fmt::format("item {} of {}", i, n));
    if (i == 0) instance.has_copies = line.words.size() == 3;
    lines.expect_columns(line, instance.has_copies ? 3 : 2, "value, weight and, for all items or none, copies");
    instance.items.push_back({lines.number(line, 0, "value"), lines.number(line, 1, "weight"),
                              instance.has_copies ? lines.number(line, 2, "number of copies") : 1});
  }
  lines.expect_end();
  return instance;
}

Instance jooken_instance(Lines& lines) {
  Instance instance;
  const Line& header = lines.take("the number of items");
  lines.expect_columns(header, 1, "n alone on its line");
  const std::size_t n = item_count(lines, header, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const Line& line = lines.take(fmt::format("item {} of {}", i, n));
    lines.expect_columns(line, 3, "id, value and weight");
    static_cast<void>(lines.number(line, 0, "id"));
    instance.items.push_back({lines.number(line, 1, "value"), lines.number(line, 2, "weight"), 1});
  }
  const Line& last = lines.take("the capacity");
  lines.expect_columns(last, 1, "the capacity alone on its line");
  instance.capacity = lines.number(last, 0, "capacity");
  lines.expect_end();
  return instance;
}

std::int64_t keyed_number(Lines& lines, const char* key, const char* what) {
  const Line& line = lines.take(fmt::format("'{}' and the {}", key, what));
  if (line.words[0] != key) {
    lines.fail(line.number,
               fmt::format("'{}' where '{}' and the {} should follow", io::printable(line.words[0]), key, what));
  }
  lines.expect_columns(line, 2, "a key and its number");
  return lines.number(line, 1, what);
}

bool is_rule(const Line& line) {
  return line.words.size() == 1 && line.words[0].find_first_not_of('-') == std::string_view::npos;
}

Instance pisinger_instance(Lines& lines) {
  Instance instance;
  instance.name = std::string(lines.take("an instance's name").words[0]);
  const std::size_t n_line = lines.done() ? 0 : lines.peek().number;
  const std::int64_t announced = keyed_number(lines, "n", "number of items");
  if (static_cast<std::uint64_t>(announced) > lines.left()) {
    lines.fail(n_line,
               fmt::format("{} announced, {} left", quantity(announced, "item"), quantity(lines.left(), "line")));
  }
  instance.capacity = keyed_number(lines, "c", "capacity");
  instance.best = keyed_number(lines, "z", "best value");
  if (const Line& line = lines.take("'time' and the seconds"); line.words[0] != "time") {
    lines.fail(line.number, fmt::format("'{}' where 'time' should follow", io::printable(line.words[0])));
  }
  instance.best_packing.emplace();
  for (std::int64_t i = 0; i < announced; ++i) {
    const Line& line = lines.take(fmt::format("item {} of {}", i, announced));
    lines.expect_columns(line, 4, "id, value, weight and x");
    static_cast<void>(lines.number(line, 0, "id"));
    instance.items.push_back({lines.number(line, 1, "value"), lines.number(line, 2, "weight"), 1});
    const std::int64_t chosen = lines.number(line, 3, "x");
    if (chosen > 1) lines.fail(line.number, fmt::format("x is {}: 0 or 1 is accepted", chosen));
    instance.best_packing->push_back(chosen == 1);
  }
  if (!lines.done()) {
    if (!is_rule(lines.peek())) lines.fail(lines.peek().number, "more lines than the number of items announces");
    lines.take("a line of dashes");
  }
  return instance;
}

std::vector<Instance> parse_standard(const std::string& path, std::string_view content) {
  Lines lines(path, content);
  return {columns_instance(lines, false)};
}

std::vector<Instance> parse_kplib(const std::string& path, std::string_view content) {
  Lines lines(path, content);
  return {columns_instance(lines, true)};
}

std::vector<Instance> parse_jooken(const std::string& path, std::string_view content) {
  Lines lines(path, content);
  return {jooken_instance(lines)};
}

std::vector<Instance> parse_pisinger(const std::string& path, std::string_view content) {
  Lines lines(path, content, between_entries);
  std::vector<Instance> instances;
  do {
    instances.push_back(pisinger_instance(lines));
  } while (!lines.done());
  return instances;
}

/// The words of the first two lines; none for a missing line.
std::array<Words, 2> first_lines(std::string_view content) {
  Lines lines("", content, between_words, 2);
  std::array<Words, 2> first;
  for (Words& words : first) {
    if (!lines.done()) words = lines.take("").words;
  }
  return first;
}

bool begins_with_digit(const Words& words) { return !words.empty() && words[0][0] >= '0' && words[0][0] <= '9'; }

/// Whether the content begins with a name.
bool is_pisinger(std::string_view content) {
  const Words first = first_lines(content)[0];
  return !first.empty() && !begins_with_digit(first) && first[0][0] != '-' && first[0][0] != '+';
}

/// Whether n is alone on its line, and no item of three columns follows.
bool is_kplib(std::string_view content) {
  const auto [first, second] = first_lines(content);
  return begins_with_digit(first) && first.size() == 1 && second.size() != 3;
}

/// Whether n is alone on its line, and an item of three columns follows.
bool is_jooken(std::string_view content) {
  const auto [first, second] = first_lines(content);
  return begins_with_digit(first) && first.size() == 1 && second.size() == 3;
}

/// One line per item: value, weight and, if the instance has them, copies.
std::string item_lines(const Instance& instance) {
  std::string text;
  for (const Instance::Item& item : instance.items) {
    text += fmt::format("{} {}", item.value, item.weight);
    text += instance.has_copies ? fmt::format(" {}\n", item.copies) : "\n";
  }
  return text;
}

std::string write_standard(const Instance& instance) {
  return fmt::format("{} {}\n", instance.items.size(), instance.capacity) + item_lines(instance);
}

std::string write_kplib(const Instance& instance) {
  return fmt::format("{}\n{}\n\n", instance.items.size(), instance.capacity) + item_lines(instance);
}

std::string write_jooken(const Instance& instance) {
  std::string text = fmt::format("{}\n", instance.items.size());
  for (std::size_t i = 0; i < instance.items.size(); ++i) {
    text += fmt::format("{} {} {}\n", i + 1, instance.items[i].value, instance.items[i].weight);
  }
  return text + fmt::format("{}\n", instance.capacity);
}

std::string write_pisinger(const Instance& instance) {
  std::string text =
      fmt::format("{}\nn {}\nc {}\nz {}\ntime 0.00\n", instance.name.empty() ? "instance" : instance.name,
                  instance.items.size(), instance.capacity, instance.best.value_or(0));
  for (std::size_t i = 0; i < instance.items.size(); ++i) {
    const bool chosen = instance.best_packing && (*instance.best_packing)[i];
    text += fmt::format("{},{},{},{}\n", i + 1, instance.items[i].value, instance.items[i].weight, chosen ? 1 : 0);
  }
  return text + "-----\n";
}

const KnapsackFormat& format_of_name(const std::string& name) {
  for (const KnapsackFormat& format : knapsack_formats()) {
    if (format.name == name) return format;
  }
  throw Error(ErrorKind::usage,
              fmt::format("format '{}' is unknown: {} is accepted", name, listed(names_of(knapsack_formats()))));
}

}  // namespace

std::span<const KnapsackFormat> knapsack_formats() {
  static const KnapsackFormat all[] = {
      {"standard", any_other, parse_standard, write_standard},
      {"pisinger", is_pisinger, parse_pisinger, write_pisinger},
      {"kplib", is_kplib, parse_kplib, write_kplib},
      {"jooken", is_jooken, parse_jooken, write_jooken},
  };
  return all;
}

std::vector<Instance> parse_knapsack(const std::string& path, std::string_view content, const std::string& format) {
  const KnapsackFormat& found = format.empty() ? find_by_content(knapsack_formats(), content) : format_of_name(format);
  return found.parse(path, content);
}

std::vector<Instance> read_knapsack(const std::string& path, const std::string& format) {
  return parse_knapsack(path, io::read_file(path), format);
}

Instance parse_subset_sum(const std::string& path, std::string_view content, const std::string& format) {
  const auto [first, second] = first_lines(content);
  const bool numbers_only = (format.empty() || format == "standard") && first.size() == 2 && second.size() <= 1;
  if (!numbers_only) {
    std::vector<Instance> instances = parse_knapsack(path, content, format);
    if (instances.size() > 1) {
      throw Error(ErrorKind::input,
                  fmt::format("{}: {} instances in one file: one is accepted", path, instances.size()));
    }
    return std::move(instances.front());
  }
  Lines lines(path, content);
  Instance instance;
  const Line& header = lines.take("the number of items");
  const std::size_t n = item_count(lines, header, 0);
  instance.capacity = lines.number(header, 1, "target");
  for (std::size_t i = 0; i < n; ++i) {
    const Line& line = lines.take(fmt::format("number {} of {}", i, n));
    lines.expect_columns(line, 1, "one number");
    const std::int64_t number = lines.number(line, 0, "number");
    instance.items.push_back({number, number, 1});
  }
  lines.expect_end();
  return instance;
}

std::string format_knapsack(const Instance& instance, const std::string& format) {
  return format_of_name(format).write(instance);
}

}  // namespace warpfold::formats
