#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "dtypes.hpp"
#include "io/json.hpp"
#include "number_lists.hpp"
#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/io/numbers.hpp"
#include "warpfold/recurrence/problem.hpp"

/// The input of `recurrence` and `coins`, for the commands and their verifiers.
namespace warpfold::app {

using io::Json;

/// An array of numbers of a JSON instance, or nothing if the key is missing. "inf" and "-inf" are infinities.
[[nodiscard]] std::optional<io::Numbers> json_numbers(const std::string& path, const Json& instance,
                                                      const std::string& key);

/// Reads a JSON object from a file, as `parse_json` does. Raises Error{input} for anything else.
[[nodiscard]] Json read_json_object(const std::string& path, bool keeps_decimals = false);

/// A recurrence before its number type is chosen.
struct RecurrenceInput {
  recurrence::Op op = recurrence::Op::min;
  std::vector<std::int64_t> offsets;
  io::Numbers initial;
  std::optional<io::Numbers> weights;
  std::optional<io::Numbers> coefficients;
  std::size_t n = 0;
  std::int64_t modulus = 0;
  std::string dtype;  ///< empty: `chosen_dtype` chooses it

  /// Whether all numbers are written as integers.
  [[nodiscard]] bool is_integral() const;
  /// Whether doubles represent exactly all numbers that are written as integers.
  [[nodiscard]] bool doubles_hold() const;
};

/// Reads {"op": "sum", "offsets": [2, 1], "initial": [0, 1], "n": 90}, with optional "weights", "coefficients",
/// "modulus" and "dtype".
[[nodiscard]] RecurrenceInput read_recurrence(const std::string& path);

/// Chooses i32 if every value provably fits, else i64, or u64 if only that holds the numbers. Chooses f64 if a number
/// is not an integer, or no integer type holds it.
[[nodiscard]] std::string chosen_dtype(const RecurrenceInput& input);

/// Raises Error{input} for an infinite initial value, unless it means "no value": +inf for min and -inf for max.
/// Integer types have no other infinity, and a solution writes null only for this one.
void check_infinities(const RecurrenceInput& input, bool is_integral);

template <class T>
[[nodiscard]] recurrence::Problem<T> problem_of(const RecurrenceInput& input) {
  check_infinities(input, std::is_integral_v<T>);
  const bool has_infinities =
      input.op == recurrence::Op::min || (input.op == recurrence::Op::max && std::is_signed_v<T>);
  recurrence::Statement<T> statement{input.op, input.offsets, numbers_as<T>("initial", input.initial, has_infinities),
                                     input.n};
  if (input.weights) statement.weights = numbers_as<T>("weights", *input.weights, false);
  if (input.coefficients) statement.coefficients = numbers_as<T>("coefficients", *input.coefficients, false);
  if (input.modulus != 0) statement.modulus = numbers_as<T>("modulus", {true, {input.modulus}, {}}, false).front();
  return recurrence::Problem<T>(std::move(statement));
}

/// Calls visit with a zero of the type of this name. Raises Error{usage} for any other name.
template <class Visit>
auto with_recurrence_dtype(const std::string& dtype, const Visit& visit) {
  return with_dtype_among(RecurrenceTypes(), dtype, visit);
}

/// Whether an integer means "no value": infinity with min, its negative with max.
template <class T>
[[nodiscard]] bool is_no_value(recurrence::Op op, T value) {
  if constexpr (std::is_integral_v<T>) {
    if (op == recurrence::Op::min) return value == infinity<T>;
    if constexpr (std::is_signed_v<T>) return op == recurrence::Op::max && value == -infinity<T>;
  }
  return false;
}

/// What `coins` pays. Coins and amount are multiples of 10^-places.
struct CoinsInput {
  std::vector<std::int64_t> coins;
  std::vector<std::int64_t> stock;
  std::int64_t amount = 0;
  int places = 0;
};

/// Returns decimal coins and an amount as multiples of one unit. Raises Error{input} for one that 64 bits do not hold.
[[nodiscard]] CoinsInput scaled_coins(const std::string& place, const std::vector<io::Decimal>& coins,
                                      const io::Decimal& amount);

/// Reads {"coins": [1, 5, 10], "amount": 27}, decimals without rounding, with an optional "stock": [3, 2, 1].
[[nodiscard]] CoinsInput read_coins(const std::string& path);

}  // namespace warpfold::app
