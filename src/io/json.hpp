#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "io/decimal.hpp"
#include "warpfold/io/numbers.hpp"

/// JSON for all commands. Depth is limited to `max_depth`. Integers of any length are exact.
namespace warpfold::io {

/// A JSON value. Keys keep the order in which they were inserted.
using Json = nlohmann::ordered_json;

inline constexpr std::size_t max_depth = 64;

/// An integer of any length. The JSON library's integers have at most 64 bits. Longer ones are stored as its binary
/// values, which hold the digits and cannot occur in a file.
[[nodiscard]] Json exact_number(const std::string& digits);

/// Returns a decimal number. A fraction is stored like a long integer: as its digits, which no double rounds.
[[nodiscard]] Json exact_number(const Decimal& number);

/// Returns the digits of an integer; nothing for any other value.
[[nodiscard]] std::optional<std::string> integer_digits(const Json& value);

/// Returns a number, or an infinity written as "inf" or "-inf". Returns nothing for any other value, and for integers
/// beyond `Integer`.
[[nodiscard]] std::optional<Number> json_number(const Json& value);

/// Returns a finite number as it was written, if `parse_json` kept decimals. Returns nothing for any other value, and
/// for numbers of more than `max_digits` digits.
[[nodiscard]] std::optional<Decimal> json_decimal(const Json& value);

/// Returns the value on one line. It is valid JSON even if a string is not valid UTF-8.
[[nodiscard]] std::string json_text(const Json& value);

/// How `parse_json` reads a text.
struct JsonReading {
  std::size_t first_line = 1;   ///< the number of the text's first line in its file
  bool keeps_decimals = false;  ///< keeps the digits of a fraction that a double rounds, for `json_decimal`
};

/// Reads one JSON value. Raises Error{input} that names the file and the line.
[[nodiscard]] Json parse_json(const std::string& path, std::string_view text, const JsonReading& reading = {});

}  // namespace warpfold::io
