#include "warpfold/io/numbers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "core/quantity.hpp"
#include "io/decimal.hpp"
#include "io/json.hpp"
#include "io/npy_entries.hpp"
#include "io/printable.hpp"
#include "io/text.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::io {

namespace {

[[noreturn]] void refuse(std::string_view word, const char* what) {
  throw Error(ErrorKind::input, fmt::format("'{}' {}", printable(word), what));
}

Numbers from_npy(const std::string& path, std::string content) {
  const NpyArray array = parse_npy(path, std::move(content));
  if (array.shape.size() != 1) {
    throw Error(ErrorKind::input,
                fmt::format("{}: has {}: a list of numbers has 1", path, quantity(array.shape.size(), "dimension")));
  }
  Numbers numbers;
  each_entry(array, [&](std::size_t, auto value) {
    constexpr bool real = std::is_floating_point_v<decltype(value)>;
    numbers.add({!real, real ? Integer{0} : static_cast<Integer>(value), static_cast<double>(value)});
  });
  numbers.is_integral = array.is_integral();  // also if there are no entries
  return numbers;
}

Numbers from_json(const std::string& path, const Json& object, const std::string& key) {
  if (!object.is_object() || !object.contains(key) || !object.at(key).is_array()) {
    throw Error(ErrorKind::input, fmt::format("{}: has no list '{}': a JSON object with it is accepted", path, key));
  }
  Numbers numbers;
  for (const Json& entry : object.at(key)) {
    const auto number = json_number(entry);
    if (!number) {
      throw Error(ErrorKind::input, fmt::format("{}: {}[{}] is {}: a number is accepted", path, key, numbers.size(),
                                                printable(json_text(entry))));
    }
    numbers.add(*number);
  }
  return numbers;
}

}  // namespace

namespace {

/// `rounds`: whether integers of 2^126 or more are rounded or rejected.
Number parse(std::string_view word, bool rounds) {
  std::string_view rest = word;
  if (rest.starts_with('+') && !rest.starts_with("+-")) rest.remove_prefix(1);
  Number number;
  const char* last = rest.data() + rest.size();
  const auto [end, error] = std::from_chars(rest.data(), last, number.real);
  if (end != last || error == std::errc::invalid_argument) refuse(word, "is no number: 12, -1.5 or 1e3 is accepted");
  if (error == std::errc::result_out_of_range) refuse(word, "is out of range: numbers up to 1.8e308 are accepted");
  if (std::isinf(number.real)) {
    number.exact = number.real > 0 ? infinite_integer : -infinite_integer;
    return number;
  }
  number.is_integral = rest.find_first_not_of("-0123456789") == std::string_view::npos;
  if (!number.is_integral) return number;
  const std::size_t first = rest.find_first_not_of("-0");
  const bool is_long = first != std::string_view::npos && rest.size() - first > max_digits;
  if (!is_long) number.exact = integer_of(rest);
  if (is_long || number.exact >= infinite_integer || number.exact <= -infinite_integer) {
    if (rounds) return {.is_integral = false, .real = number.real, .is_rounded = true};
    refuse(word, "is out of range: integers below 2^126 are accepted");
  }
  return number;
}

/// Whether the value of an integer is that of its double.
bool is_double(const Number& number) {
  constexpr Integer always_below = Integer{1} << 53;
  const bool is_small = -always_below < number.exact && number.exact < always_below;
  return is_small || static_cast<Integer>(number.real) == number.exact;
}

/// Reads numbers, all of which or none have a percent sign.
class PercentParser {
 public:
  Number read(std::string_view word) {
    const bool has_sign = word.size() > 1 && word.ends_with('%');
    if (has_sign != signs_.value_or(has_sign)) {
      refuse(word, "is among numbers with and without a %: a % after all of them, or after none, is accepted");
    }
    signs_ = has_sign;
    return parse(has_sign ? word.substr(0, word.size() - 1) : word, false);
  }

 private:
  std::optional<bool> signs_;
};

}  // namespace

Number parse_number(std::string_view word) { return parse(word, false); }
Number parse_real(std::string_view word) { return parse(word, true); }

void Numbers::add(const Number& number) {
  if (is_integral && !number.is_integral) {
    reals.reserve(integers.size() + 1);
    for (std::size_t i = 0; i < integers.size(); ++i) reals.push_back(real(i));
    integers.clear();
    is_integral = false;
  }
  is_integral ? integers.push_back(number.exact) : reals.push_back(number.real);
  if (number.is_rounded) doubles_hold = false;
  if (number.is_integral && !std::isinf(number.real)) doubles_hold = doubles_hold && is_double(number);
}

double Numbers::real(std::size_t i) const {
  if (!is_integral) return reals[i];
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (integers[i] == infinite_integer || integers[i] == -infinite_integer)
    return integers[i] > 0 ? infinity : -infinity;
  return static_cast<double>(integers[i]);
}

std::string Numbers::text(std::size_t i) const {
  const double rounded = real(i);
  return is_integral && !std::isinf(rounded) ? fmt::format("{}", integers[i]) : fmt::format("{}", rounded);
}

Numbers parse_numbers(const std::string& path, std::string_view text) {
  Numbers numbers;
  PercentParser reader;
  each_line(path, text, [&](std::string_view line) {
    each_word(line, [&](std::string_view word) { numbers.add(reader.read(word)); });
  });
  return numbers;
}

Numbers read_numbers(const std::string& path) { return read_numbers(path, read_file(path)); }

Numbers read_numbers(const std::string& path, std::string content) {
  const bool is_array = is_npy(content) || extension(path) == ".npy";
  return is_array ? from_npy(path, std::move(content)) : parse_numbers(path, content);
}

std::vector<Numbers> parse_json_lists(const std::string& path, std::string_view text,
                                      const std::vector<std::string>& keys) {
  const Json object = parse_json(path, text);
  std::vector<Numbers> lists;
  for (const std::string& key : keys) lists.push_back(from_json(path, object, key));
  for (const auto& [key, value] : object.items()) {
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    throw Error(ErrorKind::input,
                fmt::format("{}: key '{}' is unknown: {} are accepted", path, printable(key), fmt::join(keys, ", ")));
  }
  return lists;
}

}  // namespace warpfold::io
