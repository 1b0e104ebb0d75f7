#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "formats/separated.hpp"
#include "warpfold/io/numbers.hpp"

namespace warpfold::formats {

/// Reads the lengths of an edge list.
class LengthReader {
 public:
  /// `accepts_nan`: NaN is a length, which the caller takes for no edge.
  explicit LengthReader(Separator separator, bool accepts_nan = false)
      : separator_(separator), accepts_nan_(accepts_nan) {}

  /// Returns the length that a word states. A comment after it is ignored. A decimal comma is accepted if commas do not
  /// separate the words. Raises Error{input} for any other word, and if the file has decimal points as well.
  [[nodiscard]] io::Number read(std::string_view word);

  /// Returns what `read` returns for a word that is just a number such as 12, -3, 1.5 or 1e3. Returns nothing for most
  /// other words.
  [[nodiscard]] std::optional<io::Number> read_plain(std::string_view word);

  /// Returns whether a word states a length, or is NaN.
  [[nodiscard]] bool accepts(std::string_view word) const;

 private:
  [[nodiscard]] std::string_view with_point(std::string_view word);

  Separator separator_;
  bool accepts_nan_;
  std::string buffer_;
  bool has_commas_ = false;  ///< whether a length had a decimal comma
  bool has_points_ = false;
};

/// Returns the word of the weight in attributes as NetworkX writes them, `{'weight': 3, 'color': 'red'}`, if they have
/// one.
[[nodiscard]] std::optional<std::string_view> weight_in(std::string_view attributes);

}  // namespace warpfold::formats
