#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Numbers as people and files write them: read once, here, for the command line and for every format of text.
namespace warpfold::io {

/// Integers of files, wider than those of every solver.
__extension__ using Whole = __int128;

/// Infinity among integers: finite ones are smaller.
inline constexpr Whole infinite_integer = Whole{1} << 126;

/// Whether a floating-point type holds a number, rounded: no finite one as an infinity, and none but 0 as 0.
template <class T>
[[nodiscard]] bool holds_rounded(double number) {
  const auto rounded = static_cast<T>(number);
  return (std::isinf(number) || !std::isinf(rounded)) && (number == 0 || rounded != T{0});
}

/// A number, and whether it is written as a whole one: in digits alone, or as an infinity.
struct Number {
  bool whole = true;
  Whole exact = 0;          ///< where `whole`; +-infinite_integer for infinities
  double real = 0;          ///< always, rounded
  bool is_rounded = false;  ///< whether `real` stands for an integer that is larger than every `exact`
};

/// A decimal number: a sign or none, digits, and perhaps a point and an exponent; or inf or nan. Leading zeros are not
/// octal. Raises Error{input} for any other word, for what is beyond doubles, and for integers of 2^126 or more, which
/// `parse_real` rounds.
[[nodiscard]] Number parse_number(std::string_view word);
[[nodiscard]] Number parse_real(std::string_view word);

/// A list of numbers.
struct Numbers {
  bool whole = true;            ///< whether every entry is written as an integer
  std::vector<Whole> integers;  ///< the entries where `whole`, else empty
  std::vector<double> reals;    ///< the entries where not, else empty
  bool doubles_hold = true;     ///< whether each that is written as an integer is a double, too

  void add(const Number& number);
  [[nodiscard]] std::size_t size() const { return whole ? integers.size() : reals.size(); }
  [[nodiscard]] bool empty() const { return size() == 0; }
  /// Entry i, rounded.
  [[nodiscard]] double real(std::size_t i) const;
  /// Entry i as it was added.
  [[nodiscard]] Number number(std::size_t i) const { return {whole, whole ? integers[i] : Whole{0}, real(i)}; }
  /// An entry as people write it.
  [[nodiscard]] std::string text(std::size_t i) const;
};

/// Reads numbers from text (separated by white space, commas or semicolons; '#' begins a comment) or a one-dimensional
/// .npy file; "-" is standard input. Raises Error{input} that names the file, the line and the word, also
/// where nothing stands before a comma.
[[nodiscard]] Numbers read_numbers(const std::string& path);

/// The same of what was read from there.
[[nodiscard]] Numbers read_numbers(const std::string& path, std::string content);

/// The same from text in memory; `path` is only for messages.
[[nodiscard]] Numbers parse_numbers(const std::string& path, std::string_view text);

/// The lists of numbers under `keys` of a JSON object in memory, in this order. "inf" and "-inf" stand for infinities.
/// Raises Error{input} that names the file, `path`, and the entry, also for any other key.
[[nodiscard]] std::vector<Numbers> parse_json_lists(const std::string& path, std::string_view text,
                                                    const std::vector<std::string>& keys);

}  // namespace warpfold::io
