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

/// A decimal number without rounding. One that no double has as its shortest form is stored like a long integer.
[[nodiscard]] Json exact_number(const Decimal& number);

/// Returns the digits of an integer; nothing for any other value.
[[nodiscard]] std::optional<std::string> integer_digits(const Json& value);

/// Returns a number, or an infinity written as "inf" or "-inf". Returns nothing for any other value, and for integers
/// beyond `Whole`.
[[nodiscard]] std::optional<Number> json_number(const Json& value);

/// Returns a finite number as it was written, if `parse_json` kept decimals. Returns nothing for any other value, and for
/// numbers of more than `max_digits` digits.
[[nodiscard]] std::optional<Decimal> json_decimal(const Json& value);

/// Returns the value on one line. It is valid JSON even if a string is not valid UTF-8.
[[nodiscard]] std::string json_text(const Json& value);

/// Reads one JSON value. With `keeps_decimals` a fraction that is not a double's shortest form keeps its digits, for
/// `json_decimal`; otherwise it is rounded. Raises Error{input} that names the file and the line.
[[nodiscard]] Json parse_json(const std::string& path, std::string_view text, bool keeps_decimals = false);

}  // namespace warpfold::io
