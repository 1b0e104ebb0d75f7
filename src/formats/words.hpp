#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/printable.hpp"
#include "io/text.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/io/numbers.hpp"

/// Words of lines, for graphs and matrices.
namespace warpfold::formats {

using Words = std::vector<std::string_view>;
constexpr std::uint64_t max_vertices = std::uint64_t{1} << 31;
constexpr std::size_t max_words = 6;  // one more than the words of any accepted line

[[noreturn]] inline void reject_word(std::string_view word, const std::string& why) {
  throw Error(ErrorKind::input, fmt::format("'{}' {}", io::printable(io::trimmed(word)), why));
}

/// A word as an integer. Any other word is a number that is none.
inline io::Number integer_of_word(std::string_view word) {
  try {
    return io::parse_number(word);
  } catch (const Error&) {
    return {.is_integral = false};
  }
}

/// Splits a line at blanks, into at most `most` words.
inline void split_at_blanks(std::string_view line, Words& words, std::size_t most = max_words) {
  constexpr std::string_view blanks = " \t\r\v\f";
  words.clear();
  for (std::size_t at = 0; words.size() < most && (at = line.find_first_not_of(blanks, at)) != line.npos;) {
    const std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
}

/// Splits a line at a separator, into at most `most` parts, and trims them. A part may be empty.
inline void split_at(char separator, std::string_view line, Words& words, std::size_t most = max_words) {
  words.clear();
  for (std::size_t at = 0; words.size() < most && at <= line.size();) {
    const std::size_t end = std::min(line.find(separator, at), line.size());
    words.push_back(io::trimmed(line.substr(at, end - at)));
    at = end + 1;
  }
}

/// Returns the number in a word of digits, if it is less than 2^64.
inline std::optional<std::uint64_t> digits_value(std::string_view word) {
  std::uint64_t value = 0;
  const char* last = word.data() + word.size();
  const auto [end, error] = std::from_chars(word.data(), last, value);
  return end == last && error == std::errc{} ? std::optional(value) : std::nullopt;
}

/// Removes an integer of up to 18 digits, without leading zeros, from the beginning of a text.
inline std::optional<std::uint64_t> take_plain_integer(std::string_view& text) {
  constexpr std::size_t max_digits = 18;
  const auto is_digit = [&](std::size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
  std::uint64_t value = 0;
  std::size_t digits = 0;
  for (; is_digit(digits); ++digits) value = 10 * value + static_cast<std::uint64_t>(text[digits] - '0');
  if (digits == 0 || digits > max_digits || (digits > 1 && text[0] == '0')) return std::nullopt;
  text.remove_prefix(digits);
  return value;
}

}  // namespace warpfold::formats
