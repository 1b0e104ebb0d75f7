#include "io/decimal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

namespace warpfold::io {

namespace {

/// The number behind an e, nothing for any other word.
std::optional<int> exponent_of(std::string_view word) {
  if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
  int exponent = 0;
  const char* last = word.data() + word.size();
  const auto [end, error] = std::from_chars(word.data(), last, exponent);
  return end == last && error == std::errc() ? std::optional(exponent) : std::nullopt;
}

/// The number digits * 10^exponent.
std::optional<Decimal> shortest(std::string digits, std::int64_t exponent) {
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  if (digits.empty()) return Decimal{};
  const std::size_t last = digits.find_last_not_of('0');
  exponent += static_cast<std::int64_t>(digits.size() - last - 1);
  digits.resize(last + 1);
  constexpr auto most = static_cast<std::int64_t>(max_digits);
  if (exponent > most || exponent < -most) return std::nullopt;
  if (exponent > 0) digits.append(static_cast<std::size_t>(exponent), '0');
  if (digits.size() > max_digits) return std::nullopt;
  return Decimal{integer_of(digits), static_cast<int>(std::max<std::int64_t>(-exponent, 0))};
}

}  // namespace

Integer integer_of(std::string_view word) {
  const bool negative = word.starts_with('-');
  Integer value = 0;
  for (const char digit : word.substr(negative ? 1 : 0)) value = 10 * value + (digit - '0');
  return negative ? -value : value;
}

std::optional<Decimal> parse_decimal(std::string_view word) {
  if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
  const bool negative = word.starts_with('-');
  if (negative) word.remove_prefix(1);
  const std::size_t end = std::min(word.find_first_of("eE"), word.size());
  const std::optional<int> exponent = end == word.size() ? 0 : exponent_of(word.substr(end + 1));
  const std::size_t point = std::min(word.substr(0, end).find('.'), end);
  std::string digits(word.substr(0, point));
  const std::string_view fraction = point < end ? word.substr(point + 1, end - point - 1) : std::string_view();
  digits += fraction;
  if (!exponent || digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  auto number = shortest(std::move(digits), std::int64_t{*exponent} - static_cast<std::int64_t>(fraction.size()));
  if (number && negative) number->digits = -number->digits;
  return number;
}

std::optional<Decimal> decimal_of(double value) { return parse_decimal(fmt::format("{}", value)); }

std::optional<std::int64_t> in_units(const Decimal& number, int places) {
  constexpr Integer most = std::numeric_limits<std::int64_t>::max();
  if (number.places > places) return std::nullopt;
  Integer units = number.digits;
  for (int place = number.places; place < places && units != 0 && units <= most && units >= -most; ++place) units *= 10;
  if (units > most || units < -most) return std::nullopt;
  return static_cast<std::int64_t>(units);
}

Decimal from_units(std::int64_t units, int places) {
  while (places > 0 && units % 10 == 0) {
    units /= 10;
    --places;
  }
  return {units, places};
}

std::string decimal_text(const Decimal& number) {
  const bool negative = number.digits < 0;
  std::string digits = fmt::format("{}", negative ? -number.digits : number.digits);
  const auto places = static_cast<std::size_t>(number.places);
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  if (places > 0) digits.insert(digits.size() - places, 1, '.');
  return negative ? "-" + digits : digits;
}

}  // namespace warpfold::io
