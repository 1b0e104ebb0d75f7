#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Numbers as text. The command line and every text format read them with these functions.
namespace warpfold::io {

/// The type of integers in files. It is wider than the types of all solvers.
__extension__ using Integer = __int128;

/// Infinity among integers. Every finite integer is smaller.
inline constexpr Integer infinite_integer = Integer{1} << 126;

/// Returns whether T holds a number after rounding: a finite one does not become an infinity, and one other than 0 does
/// not become 0.
template <class T>
[[nodiscard]] bool holds_rounded(double number) {
  const auto rounded = static_cast<T>(number);
  return (std::isinf(number) || !std::isinf(rounded)) && (number == 0 || rounded != T{0});
}

/// A number, and whether it is written as an integer: digits alone, or an infinity.
struct Number {
  bool is_integral = true;
  Integer exact = 0;        ///< the value if `is_integral`; +-infinite_integer for infinities
  double real = 0;          ///< the value, rounded to a double
  bool is_rounded = false;  ///< whether the value is an integer of 2^126 or more, which `exact` cannot hold
};

/// Reads a decimal number: an optional sign, digits, and optionally a point and an exponent; or inf or nan. Leading
/// zeros do not mean octal. Raises Error{input} for any other word, for a number beyond doubles, and for an integer of
/// 2^126 or more, which `parse_real` rounds.
[[nodiscard]] Number parse_number(std::string_view word);
/// The same, but an integer of 2^126 or more is rounded to a double: `is_rounded`.
[[nodiscard]] Number parse_real(std::string_view word);

/// A list of numbers.
struct Numbers {
  bool is_integral = true;        ///< whether every entry is written as an integer
  std::vector<Integer> integers;  ///< the entries if `is_integral`, else empty
  std::vector<double> reals;      ///< the entries if not `is_integral`, else empty
  bool doubles_hold = true;       ///< whether a double represents exactly every entry that is written as an integer

  void add(const Number& number);
  [[nodiscard]] std::size_t size() const { return is_integral ? integers.size() : reals.size(); }
  [[nodiscard]] bool empty() const { return size() == 0; }
  /// Returns entry i, rounded to a double.
  [[nodiscard]] double real(std::size_t i) const;
  /// Returns entry i as it was added.
  [[nodiscard]] Number number(std::size_t i) const {
    return {is_integral, is_integral ? integers[i] : Integer{0}, real(i)};
  }
  /// Returns entry i as text.
  [[nodiscard]] std::string text(std::size_t i) const;
};

/// Reads numbers from text, or from a one-dimensional .npy file; "-" is standard input. White space, commas or
/// semicolons separate numbers, and '#' begins a comment. Every number, or none, has a percent sign, which does not
/// change it. Raises Error{input} that names the file, the line and the word, also if nothing precedes a comma.
[[nodiscard]] Numbers read_numbers(const std::string& path);

/// Reads numbers from the content of a file, text or .npy. `path` is used in messages only.
[[nodiscard]] Numbers read_numbers(const std::string& path, std::string content);

/// Reads numbers from text in memory. `path` is used in messages only.
[[nodiscard]] Numbers parse_numbers(const std::string& path, std::string_view text);

/// Reads the lists of numbers under `keys` of a JSON object in memory, in the order of `keys`. "inf" and "-inf" are
/// infinities. Raises Error{input} that names `path` and the entry, also for any other key.
[[nodiscard]] std::vector<Numbers> parse_json_lists(const std::string& path, std::string_view text,
                                                    const std::vector<std::string>& keys);

}  // namespace warpfold::io
