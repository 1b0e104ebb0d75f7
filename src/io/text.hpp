#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

#include "warpfold/core/error.hpp"

/// What the readers of text share.
namespace warpfold::io {

/// Bad input: "FILE: WHAT".
[[noreturn]] inline void reject_file(const std::string& path, const std::string& what) {
  throw Error(ErrorKind::input, fmt::format("{}: {}", path, what));
}

/// Without the byte order mark that some programs put before UTF-8.
[[nodiscard]] inline std::string_view without_mark(std::string_view text) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

/// Without the white space around it.
[[nodiscard]] inline std::string_view trimmed(std::string_view text) {
  const auto blank = [](char character) { return std::isspace(static_cast<unsigned char>(character)) != 0; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

/// ASCII's capitals as small letters.
[[nodiscard]] inline std::string lower(std::string_view text) {
  std::string small(text);
  for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return small;
}

/// Calls `action`, which makes something of what stands at a place (a file, an option), and puts the place before what
/// it has against that: bad input, for what would be wrong usage of the library comes from there. What has no place,
/// "", says it as it is, and so does what names the place already.
template <class Action>
auto with_file_context(const std::string& place, const Action& action) {
  if (place.empty()) return action();
  try {
    return action();
  } catch (const Error& error) {
    const bool usage = error.kind() == ErrorKind::usage;
    const bool of_data = error.kind() == ErrorKind::input || error.kind() == ErrorKind::overflow ||
                         error.kind() == ErrorKind::infeasible;
    if ((!usage && !of_data) || (!usage && std::string_view(error.what()).starts_with(place + ":"))) throw;
    throw Error(usage ? ErrorKind::input : error.kind(), fmt::format("{}: {}", place, error.what()));
  }
}

/// Raises Error{input} for a file in another encoding than UTF-8, or in no encoding at all, by its first bytes.
void check_is_text(const std::string& path, std::string_view content);

/// Calls visit(line) for every line without its end, after `check_is_text`, and puts "FILE:LINE: " before what it
/// raises.
template <class Visit>
void each_line(const std::string& path, std::string_view text, const Visit& visit) {
  check_is_text(path, text);
  std::size_t number = 1;
  text = without_mark(text);
  try {
    for (; !text.empty(); ++number) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      visit(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}:{}: {}", path, number, error.what()));
  }
}

/// Calls visit(word) for the words of a line up to a '#'. Blanks, commas and semicolons separate them. Raises
/// Error{input} where nothing stands before a comma or semicolon: a blank entry would shift the ones behind it.
template <class Visit>
void each_word(std::string_view line, const Visit& visit) {
  constexpr std::string_view separators = " \t\r\v\f,;";
  line = line.substr(0, line.find('#'));
  bool expected = true;  // a word has to come before the next comma
  while (!line.empty()) {
    const bool comma = line.front() == ',' || line.front() == ';';
    if (comma && expected) {
      throw Error(ErrorKind::input, fmt::format("nothing stands before a '{}': a number is accepted", line.front()));
    }
    if (separators.find(line.front()) != std::string_view::npos) {
      expected |= comma;
      line.remove_prefix(1);
    } else {
      const std::size_t end = std::min(line.find_first_of(separators), line.size());
      visit(line.substr(0, end));
      expected = false;
      line.remove_prefix(end);
    }
  }
}

}  // namespace warpfold::io
