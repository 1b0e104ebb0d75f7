#include "recurrence_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "warpfold/io/file.hpp"

namespace warpfold::app {

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

std::int64_t json_whole(const std::string& path, const Json& instance, const std::string& key) {
  if (!instance.contains(key)) refuse(path, fmt::format("'{}' is missing", key));
  const Json& value = instance.at(key);
  if (!value.is_number_integer() || (value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX)) {
    refuse(path, fmt::format("'{}' is {}: a whole number of 64 bits is accepted", key, value.dump()));
  }
  return value.get<std::int64_t>();
}

std::string json_text_of(const std::string& path, const Json& instance, const std::string& key,
                         const std::string& missing) {
  if (!instance.contains(key)) return missing;
  if (!instance.at(key).is_string()) refuse(path, fmt::format("'{}' is no text", key));
  return instance.at(key).get<std::string>();
}

bool fits_i32(const io::Numbers& numbers) {
  return numbers.whole && std::all_of(numbers.wholes.begin(), numbers.wholes.end(),
                                      [](std::int64_t value) { return std::in_range<std::int32_t>(value); });
}

bool is_whole(const io::Numbers& numbers) {
  return numbers.whole || std::all_of(numbers.reals.begin(), numbers.reals.end(), [](double value) {
           return std::isinf(value) || (value == std::floor(value) && std::abs(value) < 1e15);
         });
}

}  // namespace

io::Numbers list_of_numbers(const std::string& option, const std::string& text) {
  const std::size_t start = text.find_first_not_of("+-.");
  const bool numbers = start != std::string::npos &&
                       (std::isdigit(static_cast<unsigned char>(text[start])) != 0 || text.starts_with("inf") ||
                        text.starts_with("-inf")) &&
                       text.find_first_not_of("0123456789+-.eE,; inf") == std::string::npos;
  io::Numbers list = numbers ? io::parse_numbers(option, text) : io::read_numbers(text);
  if (list.reals.empty()) throw Error(ErrorKind::input, fmt::format("{}: there are no numbers in '{}'", option, text));
  return list;
}

std::optional<io::Numbers> json_numbers(const std::string& path, const Json& instance, const std::string& key) {
  if (!instance.contains(key)) return std::nullopt;
  const Json& array = instance.at(key);
  if (!array.is_array()) refuse(path, fmt::format("'{}' is no list", key));
  io::Numbers numbers;
  for (const Json& entry : array) {
    const bool too_large = entry.is_number_unsigned() && entry.get<std::uint64_t>() > INT64_MAX;
    if (entry.is_number_integer() && !too_large) {
      numbers.wholes.push_back(entry.get<std::int64_t>());
      numbers.reals.push_back(static_cast<double>(numbers.wholes.back()));
      continue;
    }
    numbers.whole = false;
    if (entry == "inf" || entry == "-inf") {
      numbers.reals.push_back(entry == "inf" ? std::numeric_limits<double>::infinity()
                                             : -std::numeric_limits<double>::infinity());
    } else if (entry.is_number_float()) {
      numbers.reals.push_back(entry.get<double>());
    } else {
      refuse(path, fmt::format("'{}' has the entry {}: numbers up to 64 bits are accepted", key, entry.dump()));
    }
  }
  if (!numbers.whole) numbers.wholes.clear();
  return numbers;
}

void check_infinities(const RecurrenceInput& input, bool whole) {
  if (!whole) return;
  for (std::size_t i = 0; i < input.initial.reals.size(); ++i) {
    const double value = input.initial.reals[i];
    const bool no_value = value > 0 ? input.op == recurrence::Op::min : input.op == recurrence::Op::max;
    if (!std::isinf(value) || no_value) continue;
    throw Error(ErrorKind::input,
                fmt::format("initial value {} is {}: whole numbers are accepted, inf with min, and -inf "
                            "with max",
                            i, value));
  }
}

std::vector<std::int64_t> whole_numbers(const std::string& option, const io::Numbers& numbers) {
  return numbers_as<std::int64_t>(option, numbers);
}

Json read_json_object(const std::string& path) {
  try {
    Json object = Json::parse(io::read_file(path));
    if (object.is_object()) return object;
  } catch (const Json::parse_error& error) {
    refuse(path, fmt::format("this is no JSON (at byte {})", error.byte));
  }
  refuse(path, "this JSON is no object");
}

RecurrenceInput read_recurrence(const std::string& path) {
  const Json instance = read_json_object(path);
  check_keys(path, instance, {"op", "offsets", "initial", "n", "weights", "modulus", "dtype"});
  const auto offsets = json_numbers(path, instance, "offsets");
  const auto initial = json_numbers(path, instance, "initial");
  if (!offsets) refuse(path, "'offsets' is missing");
  if (!initial) refuse(path, "'initial' is missing");
  const std::int64_t n = json_whole(path, instance, "n");
  if (n < 0) refuse(path, fmt::format("'n' is {}: 0 or more is accepted", n));
  RecurrenceInput input;
  input.op = recurrence::parse_op(json_text_of(path, instance, "op", "min"));
  input.offsets = whole_numbers("offsets", *offsets);
  input.initial = *initial;
  input.weights = json_numbers(path, instance, "weights");
  input.n = static_cast<std::size_t>(n);
  input.modulus = instance.contains("modulus") ? json_whole(path, instance, "modulus") : 0;
  input.dtype = json_text_of(path, instance, "dtype", "");
  return input;
}

std::string chosen_dtype(const RecurrenceInput& input) {
  using recurrence::Op;
  if (!input.dtype.empty()) return input.dtype;
  if (!is_whole(input.initial) || (input.weights && !is_whole(*input.weights))) return "f64";
  const bool grows = input.op == Op::sum || input.weights;
  if (grows && input.op != Op::sum_mod) {
    if (input.op == Op::sum) return "i64";
    try {  // the problem itself knows whether the worst total fits
      (void)problem_of<std::int32_t>(input);
      return "i32";
    } catch (const Error&) {
      return "i64";
    }
  }
  const bool modulus_fits = std::in_range<std::int32_t>(input.modulus);
  return fits_i32(input.initial) && modulus_fits ? "i32" : "i64";
}

CoinsInput read_coins(const std::string& path) {
  const Json instance = read_json_object(path);
  check_keys(path, instance, {"coins", "stock", "amount"});
  const auto coins = json_numbers(path, instance, "coins");
  const auto stock = json_numbers(path, instance, "stock");
  if (!coins) refuse(path, "'coins' is missing");
  CoinsInput input{whole_numbers("coins", *coins), {}, json_whole(path, instance, "amount")};
  if (stock) input.stock = whole_numbers("stock", *stock);
  return input;
}

}  // namespace warpfold::app
