#include "formats/separated.hpp"

#include <algorithm>
#include <utility>

namespace warpfold::formats {

namespace {

constexpr std::string_view blanks = " \t\r\v\f";

void skip(std::string_view& rest, std::string_view characters) {
  rest.remove_prefix(std::min(rest.find_first_not_of(characters), rest.size()));
}

}  // namespace

bool Splitter::ends_word(char character) const {
  if (separator_ == Separator::blank) return blanks.find(character) != blanks.npos;
  return character == static_cast<char>(separator_);
}

std::size_t Splitter::end_of_word(std::string_view rest) const {
  if (separator_ == Separator::blank) return std::min(rest.find_first_of(blanks), rest.size());
  return std::min(rest.find(static_cast<char>(separator_)), rest.size());
}

std::string_view Splitter::take_quoted(std::string_view& rest) {
  const std::string_view begin = rest;
  std::string* joined = nullptr;  // joins the parts between doubled quotes
  for (;;) {
    rest.remove_prefix(1);
    const std::size_t end = rest.find('"');
    if (end == rest.npos) reject_word(begin, "has a quote that is not closed: two around a name are accepted");
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    const bool is_doubled = rest.starts_with('"');
    if (!joined && !is_doubled) return part;
    if (!joined) joined = &unquoted_.emplace_back();
    *joined += part;
    if (!is_doubled) return *joined;
    *joined += '"';
  }
}

std::string_view Splitter::take_word(std::string_view& rest) {
  if (rest.starts_with('{')) return io::trimmed(std::exchange(rest, {}));
  if (rest.starts_with('"')) {
    const std::string_view begin = rest;
    const std::string_view word = take_quoted(rest);
    if (separator_ != Separator::blank) skip(rest, " \r\v\f");
    if (!rest.empty() && !ends_word(rest.front()))
      reject_word(begin, "goes on after its quote: a separator is accepted");
    return word;
  }
  const std::size_t end = end_of_word(rest);
  const std::string_view word = io::trimmed(rest.substr(0, end));
  if (word.find('"') != word.npos) with_quotes_.push_back(words_.size());
  rest.remove_prefix(end);
  return word;
}

void Splitter::split_at_blanks(std::string_view rest) {
  for (skip(rest, blanks); !rest.empty(); skip(rest, blanks)) {
    if (words_.size() >= 2 && rest.front() == '#') return;
    words_.push_back(take_word(rest));
  }
}

void Splitter::split_at_separator(std::string_view rest) {
  const std::string_view ignored = separator_ == Separator::tab ? " \r\v\f" : blanks;
  for (skip(rest, ignored); !rest.empty(); skip(rest, ignored)) {
    words_.push_back(take_word(rest));
    if (!rest.empty()) rest.remove_prefix(1);
  }
}

const Words& Splitter::split(std::string_view line) {
  words_.clear();
  unquoted_.clear();
  with_quotes_.clear();
  separator_ == Separator::blank ? split_at_blanks(line) : split_at_separator(line);
  while (!words_.empty() && words_.back().empty()) words_.pop_back();
  return words_;
}

void Splitter::check_quotes(std::size_t word) const {
  if (std::find(with_quotes_.begin(), with_quotes_.end(), word) == with_quotes_.end()) return;
  reject_word(words_[word], "is no name: text without quotes and control characters, or in quotes, is accepted");
}

bool is_comment(std::string_view line) {
  if (!line.empty() && static_cast<unsigned char>(line.front()) > '%') return false;  // neither, and no blank
  skip(line, blanks);
  return line.empty() || line.front() == '#' || line.front() == '%';
}

std::vector<std::string_view> data_lines(std::string_view content, std::size_t most) {
  content = io::without_mark(content);
  const char end = io::end_of_line(content);
  std::vector<std::string_view> lines;
  while (!content.empty() && lines.size() < most) {
    const std::string_view line = io::take_line(content, end);
    if (!is_comment(line)) lines.push_back(line);
  }
  return lines;
}

}  // namespace warpfold::formats
