#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "warpfold/io/numbers.hpp"

/// Decimal fractions without rounding: prices, weights.
namespace warpfold::io {

inline constexpr std::size_t max_digits = 38;  ///< the digits that every `Integer` holds

/// Returns the value of an optional minus sign and at most `max_digits` digits.
[[nodiscard]] Integer integer_of(std::string_view word);

/// The number digits / 10^places, with as few places as possible: 4.0 has none.
struct Decimal {
  Integer digits = 0;
  int places = 0;

  bool operator==(const Decimal&) const = default;
};

/// Reads a number like 12, -1.50 or 2.5e-3 exactly. Returns nothing for any other word, infinities included, and for a
/// number of more than `max_digits` digits before or after the point.
[[nodiscard]] std::optional<Decimal> parse_decimal(std::string_view word);

/// Returns the decimal number that is written for a double with the fewest digits.
[[nodiscard]] std::optional<Decimal> decimal_of(double value);

/// Returns the number as a multiple of 10^-places; nothing if it has more places, or if 64 bits do not hold it.
[[nodiscard]] std::optional<std::int64_t> in_units(const Decimal& number, int places);

/// Returns units / 10^places as a number of the fewest places.
[[nodiscard]] Decimal from_units(std::int64_t units, int places);

/// Returns the number as `parse_decimal` reads it: "-1.5".
[[nodiscard]] std::string decimal_text(const Decimal& number);

}  // namespace warpfold::io
