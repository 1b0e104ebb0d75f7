#pragma once

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "core/exact_type.hpp"
#include "io/decimal.hpp"
#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/error.hpp"
#include "warpfold/io/numbers.hpp"

/// Lists of numbers in the number type of a solve.
namespace warpfold::app {

/// Whether the value of an option for a list is a file: there is one of that name, or the text looks like a name and
/// unlike numbers.
[[nodiscard]] bool names_file(const std::string& text);

/// Reads numbers separated by commas, or a file of numbers.
[[nodiscard]] io::Numbers list_of_numbers(const std::string& option, const std::string& text);

/// Reads decimal numbers in the same way, without rounding.
[[nodiscard]] std::vector<io::Decimal> list_of_decimals(const std::string& option, const std::string& text);

/// The largest finite |entry|; 0 for an empty list.
[[nodiscard]] double largest_magnitude(const io::Numbers& numbers);

/// The help text of --no-edge.
inline constexpr const char* no_edge_help =
    "number for no edge in the files, besides infinity: 0, -1, nan or a type's largest integer; default: none";

/// The value of --no-edge. Raises Error{usage} for a word that is not a number.
[[nodiscard]] std::optional<io::Number> parse_no_edge(const std::optional<std::string>& text);

/// The advice for an integer that a type does not hold: "i64 holds", "f64 rounds".
[[nodiscard]] std::string type_for(io::Integer value);

/// The position of the first entry from i on that is not an integer. Returns i if that entry is infinite or there is
/// none.
[[nodiscard]] std::size_t first_fraction(const io::Numbers& numbers, std::size_t i);

/// Converts the numbers to T. Infinities become infinity<T> and its negative; no finite number may be equal to these,
/// so the range of integers ends below them. Raises Error{input} for a fraction in an integer type, and Error{overflow}
/// for a number that T does not hold. Both name the entry.
template <class T>
[[nodiscard]] std::vector<T> numbers_as(
    const std::string& name, const io::Numbers& numbers, bool has_infinities,
    const std::function<std::string(std::size_t)>& entry = [](std::size_t i) { return fmt::format("entry {}", i); }) {
  constexpr bool is_u64 = std::is_same_v<T, std::uint64_t>;  // `type_for` would suggest it again
  std::vector<T> values;
  values.reserve(numbers.size());
  const auto refuse = [&](std::size_t i, ErrorKind kind, const std::string& accepted) {
    throw Error(kind, fmt::format("{}: {} is {}: {}", name, entry(i), numbers.text(i), accepted));
  };
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double real = numbers.real(i);
    if constexpr (std::is_floating_point_v<T>) {
      if (!io::holds_rounded<T>(real)) {
        refuse(i, ErrorKind::overflow, fmt::format("{} does not hold it, f64 does", dtype_name<T>()));
      }
      values.push_back(static_cast<T>(real));
    } else if (std::isinf(real) && has_infinities && (real > 0 || std::is_signed_v<T>)) {
      values.push_back(real > 0 ? infinity<T> : static_cast<T>(-infinity<T>));
    } else {
      if (std::isinf(real) ||
          (!numbers.is_integral && (real != std::floor(real) || std::abs(real) >= integer_limit<double>))) {
        refuse(first_fraction(numbers, i), ErrorKind::input, fmt::format("{} takes integers", dtype_name<T>()));
      }
      const io::Integer value = numbers.is_integral ? numbers.integers[i] : static_cast<io::Integer>(real);
      const T most = has_infinities ? static_cast<T>(infinity<T> - 1) : std::numeric_limits<T>::max();
      const T least = has_infinities && std::is_signed_v<T> ? static_cast<T>(-most) : std::numeric_limits<T>::min();
      if (value < io::Integer{least} || value > io::Integer{most}) {
        refuse(i, ErrorKind::overflow,
               fmt::format("{} holds integers from {} to {}, {} it", dtype_name<T>(), least, most,
                           is_u64 && value > 0 ? "f64 rounds" : type_for(value)));
      }
      values.push_back(static_cast<T>(value));
    }
  }
  return values;
}

/// The integers of an option that is no data of a problem. Typed ones raise Error{usage}, as other values of options
/// do; those of a file raise what `list_of_numbers` and `numbers_as` raise.
template <class T>
[[nodiscard]] std::vector<T> option_integers(const std::string& option, const std::string& text) try {
  return numbers_as<T>(option, list_of_numbers(option, text), false);
} catch (const Error& error) {
  if (names_file(text)) throw;
  throw Error(ErrorKind::usage, error.what());
}

}  // namespace warpfold::app
