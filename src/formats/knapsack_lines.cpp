#include "formats/knapsack_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "core/quantity.hpp"
#include "io/printable.hpp"
#include "io/text.hpp"
#include "warpfold/core/error.hpp"

namespace warpfold::formats {

namespace {

/// The line up to a # that is in no quotes.
std::string_view before_comment(std::string_view line) {
  bool quoted = false;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == '"') quoted = !quoted;
    if (line[at] == '#' && !quoted) return line.substr(0, at);
  }
  return line;
}

Separator separator_of(std::string_view line) {
  for (const Separator separator : {Separator::semicolon, Separator::comma}) {
    if (line.find(static_cast<char>(separator)) != line.npos) return separator;
  }
  return Separator::blank;
}

}  // namespace

bool begins_like_number(std::string_view word) {
  return !word.empty() && std::string_view("+-.0123456789").find(word.front()) != std::string_view::npos;
}

bool is_line_of_names(const Words& words) {
  return !words.empty() && std::none_of(words.begin(), words.end(), begins_like_number);
}

InstanceLines::InstanceLines(std::string path, std::string_view content, std::size_t most) : path_(std::move(path)) {
  std::size_t number = 0;
  content = io::without_mark(content);
  const char end = io::end_of_line(content);
  while (!content.empty() && lines_.size() < most) {
    const std::string_view line = before_comment(io::take_line(content, end));
    ++number;
    if (!io::trimmed(line).empty()) lines_.push_back({number, line});
  }
  last_number_ = std::max<std::size_t>(number, 1);
}

InstanceLine InstanceLines::peek() const {
  const auto& [number, text] = lines_[next_];
  splitter_ = Splitter(tabs_separate_ ? Separator::tab : separator_of(text));
  InstanceLine line{number, {}, splitter_.separator() == Separator::semicolon};
  try {
    line.words = splitter_.split(text);
  } catch (const Error& error) {
    fail(number, error.what());
  }
  if (line.words.empty()) fail(number, "has separators alone: numbers between them are accepted");
  return line;
}

InstanceLine InstanceLines::take(std::string_view expected) {
  if (done()) fail(last_number_, fmt::format("the file ends where {} should follow", expected));
  InstanceLine line = peek();
  ++next_;
  return line;
}

void InstanceLines::separate_at_tabs() {
  tabs_separate_ = !done() && io::trimmed(lines_[next_].text).find('\t') != std::string_view::npos;
}

void InstanceLines::fail(std::size_t line, const std::string& message) const {
  throw Error(ErrorKind::input, fmt::format("{}:{}: {}", path_, line, message));
}

std::string InstanceLines::word_at(const InstanceLine& line, std::size_t column, const char* what) const {
  if (column >= line.words.size()) fail(line.number, fmt::format("the {} is missing", what));
  std::string word(line.words[column]);
  if (line.has_decimal_commas) std::replace(word.begin(), word.end(), ',', '.');
  return word;
}

io::Decimal InstanceLines::number(const InstanceLine& line, std::size_t column, const char* what,
                                  bool is_signed) const {
  const auto number = io::parse_decimal(word_at(line, column, what));
  const bool is_beyond = number && number->places == 0 && !io::in_units(*number, 0);
  if (number && !is_beyond && (is_signed || number->digits >= 0)) return *number;
  fail(line.number, fmt::format("the {} is '{}': a number from {} to 2^63 - 1 is accepted", what,
                                io::printable(line.words[column]), is_signed ? "-2^63 + 1" : "0"));
}

std::int64_t InstanceLines::count(const InstanceLine& line, std::size_t column, const char* what) const {
  const auto number = io::parse_decimal(word_at(line, column, what));
  const std::optional<std::int64_t> value = number ? io::in_units(*number, 0) : std::nullopt;
  if (value && *value >= 0) return *value;
  fail(line.number, fmt::format("the {} is '{}': an integer from 0 to 2^63 - 1 is accepted", what,
                                io::printable(line.words[column])));
}

std::size_t InstanceLines::item_count(const InstanceLine& line, std::size_t column) const {
  const std::int64_t n = count(line, column, "number of items");
  if (static_cast<std::uint64_t>(n) > left()) {
    fail(line.number, fmt::format("{} announced, {} left", quantity(n, "item"), quantity(left(), "line")));
  }
  return static_cast<std::size_t>(n);
}

void InstanceLines::expect_columns(const InstanceLine& line, std::size_t columns, const char* what) const {
  if (line.words.size() == columns) return;
  fail(line.number, fmt::format("{} where {} {} accepted: {}", quantity(line.words.size(), "column"), columns,
                                columns == 1 ? "is" : "are", what));
}

void InstanceLines::expect_end() const {
  if (!done()) fail(lines_[next_].number, "more lines than the number of items announces");
}

}  // namespace warpfold::formats
