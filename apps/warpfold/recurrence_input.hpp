#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "command.hpp"
#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/io/numbers.hpp"
#include "warpfold/recurrence/problem.hpp"

/// What `recurrence`, `coins` and their verification read.
namespace warpfold::app {

/// Numbers separated by commas, or the name of a file of numbers. A word that begins like a number is taken as numbers.
[[nodiscard]] io::Numbers list_of_numbers(const std::string& option, const std::string& text);

/// An array of numbers of a JSON instance; none where the key is missing. "inf" and "-inf" stand for infinity.
[[nodiscard]] std::optional<io::Numbers> json_numbers(const std::string& path, const Json& instance,
                                                      const std::string& key);

/// The numbers as 64-bit whole numbers. Raises Error{input} that names the option where one is none.
[[nodiscard]] std::vector<std::int64_t> whole_numbers(const std::string& option, const io::Numbers& numbers);

/// A JSON object from a file. Raises Error{input} for anything else.
[[nodiscard]] Json read_json_object(const std::string& path);

/// A recurrence before its arithmetic is chosen.
struct RecurrenceInput {
  recurrence::Op op = recurrence::Op::min;
  std::vector<std::int64_t> offsets;
  io::Numbers initial;
  std::optional<io::Numbers> weights;
  std::size_t n = 0;
  std::int64_t modulus = 0;
  std::string dtype;  ///< empty: chosen by `chosen_dtype`
};

/// {"op": "sum", "offsets": [2, 1], "initial": [0, 1], "n": 90}, and where needed "weights", "modulus", "dtype".
[[nodiscard]] RecurrenceInput read_recurrence(const std::string& path);

/// i32 where every value provably fits, else i64; f64 where a number is not whole.
[[nodiscard]] std::string chosen_dtype(const RecurrenceInput& input);

/// Numbers as T. To a whole-number type +inf and -inf become `infinity<T>` and its negative.
template <class T>
[[nodiscard]] std::vector<T> numbers_as(const std::string& name, const io::Numbers& numbers) {
  std::vector<T> values;
  for (std::size_t i = 0; i < numbers.reals.size(); ++i) {
    const double real = numbers.reals[i];
    if constexpr (std::is_floating_point_v<T>) {
      values.push_back(static_cast<T>(real));
    } else if (std::isinf(real) && (real > 0 || std::is_signed_v<T>)) {
      values.push_back(real > 0 ? infinity<T> : static_cast<T>(-infinity<T>));
    } else {
      constexpr double exact = 9007199254740992;  // 2^53
      const bool whole = numbers.whole || (std::abs(real) <= exact && real == std::floor(real));
      const std::int64_t value = numbers.whole ? numbers.wholes[i] : whole ? static_cast<std::int64_t>(real) : 0;
      if (!whole || !std::in_range<T>(value)) {
        throw Error(ErrorKind::input, name + ": entry " + std::to_string(i) + " is " +
                                          (numbers.whole ? std::to_string(value) : std::to_string(real)) + ": " +
                                          std::string(dtype_name<T>()) + " does not hold it");
      }
      values.push_back(static_cast<T>(value));
    }
  }
  return values;
}

/// Raises Error{input} for an infinite initial value of a whole-number type, unless it means "no value": +inf for min
/// and -inf for max.
void check_infinities(const RecurrenceInput& input, bool whole);

template <class T>
[[nodiscard]] recurrence::Problem<T> problem_of(const RecurrenceInput& input) {
  check_infinities(input, std::is_integral_v<T>);
  recurrence::Statement<T> statement{input.op, input.offsets, numbers_as<T>("initial", input.initial), input.n, {}, 0};
  if (input.weights) statement.weights = numbers_as<T>("weights", *input.weights);
  if (input.modulus != 0) {
    statement.modulus = numbers_as<T>("modulus", {true, {input.modulus}, {static_cast<double>(input.modulus)}}).front();
  }
  return recurrence::Problem<T>(std::move(statement));
}

/// Calls visit with a zero of the named type. Raises Error{usage} for another name.
template <class Visit>
auto with_recurrence_dtype(const std::string& dtype, const Visit& visit) {
  return with_dtype_among<std::int32_t, std::int64_t, std::uint64_t, float, double>(dtype, visit);
}

/// Whether a whole-number value stands for "no value": infinity with min, its negative with max.
template <class T>
[[nodiscard]] bool is_no_value(recurrence::Op op, T value) {
  if constexpr (std::is_integral_v<T>) {
    if (op == recurrence::Op::min) return value == infinity<T>;
    if constexpr (std::is_signed_v<T>) return op == recurrence::Op::max && value == -infinity<T>;
  }
  return false;
}

/// What `coins` pays.
struct CoinsInput {
  std::vector<std::int64_t> coins;
  std::vector<std::int64_t> stock;
  std::int64_t amount = 0;
};

/// {"coins": [1, 5, 10], "amount": 27}, and where limited "stock": [3, 2, 1].
[[nodiscard]] CoinsInput read_coins(const std::string& path);

}  // namespace warpfold::app
