#include "number_lists.hpp"

#include <algorithm>
#include <filesystem>

#include "formats/knapsack_lists.hpp"
#include "io/printable.hpp"
#include "io/text.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::app {

namespace {

bool begins_like_a_number(const std::string& text) {
  const std::string word = text.substr(0, text.find_first_of(",; "));
  if (word.empty() || std::string("+-.0123456789").find(word[0]) != std::string::npos) return true;
  try {
    static_cast<void>(io::parse_number(word));  // inf and nan
    return true;
  } catch (const Error&) {
    return false;
  }
}

bool begins_like_a_list(const std::string& text) {
  return begins_like_a_number(text) || text.find(',') != std::string::npos;
}

/// Whether the value is a list, not a file. Raises Error{input} for a word that is neither.
bool is_list(const std::string& option, const std::string& text) {
  if (names_file(text)) return false;
  if (begins_like_a_list(text)) return true;
  throw Error(ErrorKind::input,
              fmt::format("{}: '{}' is neither a number nor a file: numbers separated by commas, or a "
                          "file of numbers, are accepted",
                          option, io::printable(text)));
}

/// Raises Error{input} for a word that is no finite number, or one of too many digits.
io::Decimal decimal_of_word(std::string_view word) {
  if (const auto number = io::parse_decimal(word)) return *number;
  static_cast<void>(io::parse_number(word));
  throw Error(ErrorKind::input, fmt::format("'{}' is not accepted: finite numbers of up to {} digits are",
                                            io::printable(word), io::max_digits));
}

/// Visits the numbers of a list. Raises Error{input} if one is missing after the last comma.
template <class Visit>
void each_number(const std::string& text, const Visit& visit) {
  io::each_word(text, visit);
  if (!text.ends_with(',')) return;
  throw Error(ErrorKind::input, fmt::format("'{}' ends with a comma: a number is missing", io::printable(text)));
}

}  // namespace

bool names_file(const std::string& text) {
  std::error_code unseen;
  if (text == "-" || std::filesystem::exists(text, unseen)) return true;
  return !begins_like_a_list(text) && (text.find('/') != std::string::npos || !io::extension(text).empty());
}

std::vector<io::Decimal> list_of_decimals(const std::string& option, const std::string& text) {
  std::vector<io::Decimal> list;
  if (is_list(option, text)) {
    io::with_file_context(
        option, [&] { each_number(text, [&](std::string_view word) { list.push_back(decimal_of_word(word)); }); });
  } else {
    list = formats::parse_number_list(text, io::read_file(text), "number", true);
  }
  if (list.empty()) throw Error(ErrorKind::input, fmt::format("{}: there are no numbers in '{}'", option, text));
  return list;
}

io::Numbers list_of_numbers(const std::string& option, const std::string& text) {
  io::Numbers list;
  if (is_list(option, text)) {
    io::with_file_context(option,
                          [&] { each_number(text, [&](std::string_view word) { list.add(io::parse_number(word)); }); });
  } else {
    list = io::read_numbers(text);
  }
  if (list.empty()) throw Error(ErrorKind::input, fmt::format("{}: there are no numbers in '{}'", option, text));
  return list;
}

double largest_magnitude(const io::Numbers& numbers) {
  double largest = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double magnitude = std::abs(numbers.real(i));
    if (!std::isinf(magnitude)) largest = std::max(largest, magnitude);
  }
  return largest;
}

std::size_t first_fraction(const io::Numbers& numbers, std::size_t i) {
  for (std::size_t k = i; k < numbers.size() && !std::isinf(numbers.real(i)); ++k) {
    if (numbers.real(k) != std::floor(numbers.real(k))) return k;
  }
  return i;
}

std::optional<io::Number> parse_no_edge(const std::optional<std::string>& text) try {
  return text ? std::optional(io::parse_number(*text)) : std::nullopt;
} catch (const Error&) {
  throw Error(ErrorKind::usage, fmt::format("--no-edge is '{}': a number, inf or nan is accepted", *text));
}

std::string type_for(io::Integer value) {
  if (value > -io::Integer{infinity<std::int32_t>} && value < io::Integer{infinity<std::int32_t>}) return "i32 holds";
  if (value > -io::Integer{infinity<std::int64_t>} && value < io::Integer{infinity<std::int64_t>}) return "i64 holds";
  if (value > 0 && value <= io::Integer{std::numeric_limits<std::uint64_t>::max()})
    return "u64, where there is one, holds";
  return "f64 rounds";
}

}  // namespace warpfold::app
