#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "formats/words.hpp"

/// Lines of separated values, quoted as in RFC 4180.
namespace warpfold::formats {

/// The separator of the words of a line. A blank means any number of blanks and tabs.
enum class Separator : char { tab = '\t', semicolon = ';', comma = ',', blank = ' ' };
inline constexpr Separator separators[] = {Separator::tab, Separator::semicolon, Separator::comma, Separator::blank};

/// Splits lines at a separator. The words of a line are valid until the next one is split.
class Splitter {
 public:
  explicit Splitter(Separator separator) : separator_(separator) {}

  /// Returns the words of a line, without quotes around them and without empty ones at the end. A word that begins with
  /// a brace is the rest of the line. If blanks separate, a # that begins the third word or a later one begins a
  /// comment. Raises Error{input} for a quote that is not closed, and for text after one.
  const Words& split(std::string_view line);

  [[nodiscard]] Separator separator() const { return separator_; }

  /// Returns whether a word of the line is not a part of it, because a quote in it is doubled.
  [[nodiscard]] bool has_buffers() const { return !unquoted_.empty(); }

  /// Raises Error{input} if that word of the line has a quote inside, but none around it.
  void check_quotes(std::size_t word) const;

 private:
  [[nodiscard]] bool ends_word(char character) const;
  [[nodiscard]] std::size_t end_of_word(std::string_view rest) const;
  std::string_view take_word(std::string_view& rest);
  std::string_view take_quoted(std::string_view& rest);
  void split_at_blanks(std::string_view rest);
  void split_at_separator(std::string_view rest);

  Separator separator_;
  Words words_;
  std::deque<std::string> unquoted_;      ///< the words in which a quote is doubled
  std::vector<std::size_t> with_quotes_;  ///< the positions of the words that have quotes inside, but none around them
};

/// Returns whether a line is empty or a comment: # or % is its first character.
[[nodiscard]] bool is_comment(std::string_view line);

/// Returns the first lines that are not comments, at most `most`.
[[nodiscard]] std::vector<std::string_view> data_lines(std::string_view content, std::size_t most);

}  // namespace warpfold::formats
