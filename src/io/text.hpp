#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

#include "warpfold/core/error.hpp"

/// Helpers of the text readers.
namespace warpfold::io {

/// Raises Error{input}: "FILE: WHAT".
[[noreturn]] inline void reject_file(const std::string& path, const std::string& what) {
  throw Error(ErrorKind::input, fmt::format("{}: {}", path, what));
}

/// Removes the byte order mark that some programs put before UTF-8.
[[nodiscard]] inline std::string_view without_mark(std::string_view text) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

/// Removes the white space at both ends.
[[nodiscard]] inline std::string_view trimmed(std::string_view text) {
  const auto blank = [](char character) { return std::isspace(static_cast<unsigned char>(character)) != 0; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

/// Converts ASCII capitals to small letters.
[[nodiscard]] inline std::string lower(std::string_view text) {
  std::string small(text);
  for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return small;
}

/// Calls `action`, and prefixes the message of an Error about its data with a place (a file or an option). Error{usage}
/// becomes Error{input}, because the library reports bad data as wrong usage. Other kinds, an empty place "", and a
/// message that names the place already leave the Error unchanged.
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

/// Raises Error{input} for a file that is not UTF-8 text. Looks at its first bytes.
void check_is_text(const std::string& path, std::string_view content);

/// Returns the character that ends the lines of a text: a carriage return only if there is no line feed.
[[nodiscard]] inline char end_of_line(std::string_view text) {
  return text.find('\n') == std::string_view::npos ? '\r' : '\n';
}

/// Removes the first line and its end from a text. Returns the line without its end.
inline std::string_view take_line(std::string_view& text, char end_of_line) {
  const std::size_t end = std::min(text.find(end_of_line), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

/// Calls visit(line) for every line without its end, after `check_is_text`, and prefixes the message of an Error with
/// "FILE:LINE: ".
template <class Visit>
void each_line(const std::string& path, std::string_view text, const Visit& visit) {
  check_is_text(path, text);
  std::size_t number = 1;
  text = without_mark(text);
  const char end = end_of_line(text);
  try {
    for (; !text.empty(); ++number) visit(take_line(text, end));
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}:{}: {}", path, number, error.what()));
  }
}

/// Calls visit(word) for the words of a line up to a '#'. Blanks, commas and semicolons separate words. Raises
/// Error{input} if nothing precedes a comma or semicolon: a blank entry would shift the later ones.
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
