#include "recurrence_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "io/text.hpp"
#include "warpfold/io/file.hpp"

namespace warpfold::app {

using io::json_text;
using io::with_file_context;

namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
  throw Error(ErrorKind::input, fmt::format("{}: {}", path, what));
}

void check_keys(const std::string& path, const Json& instance, const std::set<std::string>& known) {
  for (const auto& [key, value] : instance.items()) {
    if (!known.contains(key)) {
      refuse(path, fmt::format("key '{}' is unknown: {} are accepted", key, fmt::join(known, ", ")));
    }
  }
}

std::int64_t json_integer(const std::string& path, const Json& instance, const std::string& key, std::int64_t least) {
  if (!instance.contains(key)) refuse(path, fmt::format("'{}' is missing", key));
  const Json& value = instance.at(key);
  const bool is_beyond = value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX;
  if (!value.is_number_integer() || is_beyond || value.get<std::int64_t>() < least) {
    refuse(path,
           fmt::format("'{}' is {}: an integer from {} to {} is accepted", key, json_text(value), least, INT64_MAX));
  }
  return value.get<std::int64_t>();
}

std::string json_text_of(const std::string& path, const Json& instance, const std::string& key,
                         const std::string& missing) {
  if (!instance.contains(key)) return missing;
  if (!instance.at(key).is_string()) {
    refuse(path, fmt::format("'{}' is {}: a text is accepted", key, json_text(instance.at(key))));
  }
  return instance.at(key).get<std::string>();
}

/// Calls take(parse(entry)) for the entries of a list. `parse` returns nothing for an entry that is no number.
template <class Parse, class Take>
void each_number(const std::string& path, const Json& instance, const std::string& key, const Parse& parse,
                 const Take& take) {
  const Json& array = instance.at(key);
  if (!array.is_array()) refuse(path, fmt::format("'{}' is {}: a list of numbers is accepted", key, json_text(array)));
  for (const Json& entry : array) {
    const auto number = parse(entry);
    if (!number) refuse(path, fmt::format("'{}' has the entry {}: a number is accepted", key, json_text(entry)));
    take(*number);
  }
}

}  // namespace

std::optional<io::Numbers> json_numbers(const std::string& path, const Json& instance, const std::string& key) {
  if (!instance.contains(key)) return std::nullopt;
  io::Numbers numbers;
  each_number(path, instance, key, io::json_number, [&](const io::Number& number) { numbers.add(number); });
  return numbers;
}

bool RecurrenceInput::is_integral() const {
  return initial.is_integral && (!weights || weights->is_integral) && (!coefficients || coefficients->is_integral);
}

bool RecurrenceInput::doubles_hold() const {
  return initial.doubles_hold && (!weights || weights->doubles_hold) && (!coefficients || coefficients->doubles_hold);
}

void check_infinities(const RecurrenceInput& input, bool is_integral) {
  for (std::size_t i = 0; i < input.initial.size(); ++i) {
    const double value = input.initial.real(i);
    const bool no_value = value > 0 ? input.op == recurrence::Op::min : input.op == recurrence::Op::max;
    if (!std::isinf(value) || no_value) continue;
    throw Error(ErrorKind::input,
                fmt::format("initial value {} is {}: {} are accepted, inf with min, and -inf with max", i, value,
                            is_integral ? "integers" : "finite numbers"));
  }
}

Json read_json_object(const std::string& path, bool keeps_decimals) {
  Json object = io::parse_json(path, io::read_file(path), {.keeps_decimals = keeps_decimals});
  if (!object.is_object()) refuse(path, "this JSON is no object: one in braces is accepted");
  return object;
}

RecurrenceInput read_recurrence(const std::string& path) {
  const Json instance = read_json_object(path);
  check_keys(path, instance, {"op", "offsets", "initial", "n", "weights", "coefficients", "modulus", "dtype"});
  const auto offsets = json_numbers(path, instance, "offsets");
  const auto initial = json_numbers(path, instance, "initial");
  if (!offsets) refuse(path, "'offsets' is missing");
  if (!initial) refuse(path, "'initial' is missing");
  const std::string op = json_text_of(path, instance, "op", "min");
  RecurrenceInput input;
  input.op = with_file_context(path, [&] { return recurrence::parse_op(op); });
  input.offsets = with_file_context(path, [&] { return numbers_as<std::int64_t>("offsets", *offsets, false); });
  input.initial = *initial;
  input.weights = json_numbers(path, instance, "weights");
  input.coefficients = json_numbers(path, instance, "coefficients");
  input.n = static_cast<std::size_t>(json_integer(path, instance, "n", 0));
  input.modulus = instance.contains("modulus") ? json_integer(path, instance, "modulus", 1) : 0;
  input.dtype = json_text_of(path, instance, "dtype", "");
  if (instance.contains("dtype")) with_file_context(path, [&] { with_recurrence_dtype(input.dtype, [](auto) {}); });
  return input;
}

namespace {

template <class T>
bool fits(const RecurrenceInput& input) {
  try {  // the problem checks whether the worst total fits
    static_cast<void>(problem_of<T>(input));
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

std::string chosen_dtype(const RecurrenceInput& input) {
  if (!input.dtype.empty()) return input.dtype;
  if (!input.is_integral()) return "f64";
  if (input.op != recurrence::Op::sum && fits<std::int32_t>(input)) return "i32";
  if (fits<std::int64_t>(input)) return "i64";
  if (fits<std::uint64_t>(input)) return "u64";
  const double largest =
      std::max(largest_magnitude(input.initial), input.weights ? largest_magnitude(*input.weights) : 0);
  return largest >= static_cast<double>(infinity<std::int64_t>) ? "f64" : "i64";  // its error says what is wrong
}

CoinsInput scaled_coins(const std::string& place, const std::vector<io::Decimal>& coins, const io::Decimal& amount) {
  CoinsInput input{.coins = {}, .stock = {}, .places = amount.places};
  for (const io::Decimal& coin : coins) input.places = std::max(input.places, coin.places);
  const auto units = [&](const char* what, const io::Decimal& number) {
    if (const auto value = io::in_units(number, input.places)) return *value;
    refuse(place, fmt::format("{} {} is not accepted: up to 2^63 - 1{} is", what, io::decimal_text(number),
                              input.places == 0 ? "" : fmt::format(" times 10^-{}", input.places)));
  };
  for (const io::Decimal& coin : coins) input.coins.push_back(units("coin", coin));
  input.amount = units("amount", amount);
  return input;
}

namespace {

std::vector<io::Decimal> json_decimals(const std::string& path, const Json& instance, const std::string& key) {
  if (!instance.contains(key)) refuse(path, fmt::format("'{}' is missing", key));
  std::vector<io::Decimal> numbers;
  each_number(path, instance, key, io::json_decimal, [&](const io::Decimal& number) { numbers.push_back(number); });
  return numbers;
}

io::Decimal json_amount(const std::string& path, const Json& instance) {
  if (!instance.contains("amount")) refuse(path, "'amount' is missing");
  const Json& value = instance.at("amount");
  const auto number = io::json_decimal(value);
  if (number && number->digits >= 0 && io::in_units(*number, number->places)) return *number;
  refuse(path, fmt::format("'amount' is {}: a number from 0 to {} is accepted", json_text(value), INT64_MAX));
}

}  // namespace

CoinsInput read_coins(const std::string& path) {
  const Json instance = read_json_object(path, true);
  check_keys(path, instance, {"coins", "stock", "amount"});
  const std::vector<io::Decimal> coins = json_decimals(path, instance, "coins");
  const auto stock = json_numbers(path, instance, "stock");
  CoinsInput input = scaled_coins(path, coins, json_amount(path, instance));
  if (stock) input.stock = with_file_context(path, [&] { return numbers_as<std::int64_t>("stock", *stock, false); });
  return input;
}

}  // namespace warpfold::app
