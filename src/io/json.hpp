#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "warpfold/io/numbers.hpp"

/// JSON as every command reads and writes it: nested as deeply as `max_depth`, integers of any length exact.
namespace warpfold::io {

/// Keys keep the order in which they were inserted.
using Json = nlohmann::ordered_json;

inline constexpr std::size_t max_depth = 64;

/// An integer of any length. The JSON library's own end at 64 bits: longer ones are its binary values, which hold
/// the digits and which no file can contain.
[[nodiscard]] Json exact_number(const std::string& digits);

/// The digits of an integer; nothing for any other value.
[[nodiscard]] std::optional<std::string> integer_digits(const Json& value);

/// A number, or an infinity in the words "inf" and "-inf"; nothing for any other value, and for integers that
/// `Whole` does not hold.
[[nodiscard]] std::optional<Number> json_number(const Json& value);

/// The value in one line, as valid JSON also where a string is no UTF-8.
[[nodiscard]] std::string json_text(const Json& value);

/// Reads one value. Raises Error{input} that names the file and the line.
[[nodiscard]] Json parse_json(const std::string& path, std::string_view text);

}  // namespace warpfold::io
