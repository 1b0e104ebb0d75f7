#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "formats/separated.hpp"
#include "formats/words.hpp"
#include "io/decimal.hpp"

/// The lines of instances of knapsacks and subset sums.
namespace warpfold::formats {

/// A line that has words. They are valid until the next line is taken.
struct InstanceLine {
  std::size_t number = 0;
  Words words;
  bool has_decimal_commas = false;  ///< semicolons separate its words
};

/// Whether a word begins like a number.
[[nodiscard]] bool begins_like_number(std::string_view word);
/// Whether no word of a line is numeric.
[[nodiscard]] bool is_line_of_names(const Words& words);

/// The lines of a text without comments, which a # begins. Semicolons, else commas, else blanks and tabs separate the
/// words of a line, if `separator` does not say which.
class InstanceLines {
 public:
  InstanceLines(std::string path, std::string_view content, std::size_t most = std::numeric_limits<std::size_t>::max());

  [[nodiscard]] bool done() const { return next_ == lines_.size(); }
  [[nodiscard]] std::size_t left() const { return lines_.size() - next_; }
  [[nodiscard]] const std::string& path() const { return path_; }

  /// Returns the next line, which stays the next one.
  [[nodiscard]] InstanceLine peek() const;
  /// Returns the next line. `expected` names what should follow, for messages.
  InstanceLine take(std::string_view expected);
  /// Makes tabs separate, if the next line has one, so that names may have blanks.
  void separate_at_tabs();

  [[noreturn]] void fail(std::size_t line, const std::string& message) const;

  /// A number of 0 or more, or with `is_signed` any number.
  [[nodiscard]] io::Decimal number(const InstanceLine& line, std::size_t column, const char* what,
                                   bool is_signed = false) const;
  /// An integer from 0 to 2^63 - 1.
  [[nodiscard]] std::int64_t count(const InstanceLine& line, std::size_t column, const char* what) const;
  /// The number of items, which is no more than the lines that are left: a wrong one allocates nothing.
  [[nodiscard]] std::size_t item_count(const InstanceLine& line, std::size_t column) const;

  void expect_columns(const InstanceLine& line, std::size_t columns, const char* what) const;
  void expect_end() const;

 private:
  struct Text {
    std::size_t number;
    std::string_view text;
  };
  [[nodiscard]] std::string word_at(const InstanceLine& line, std::size_t column, const char* what) const;

  std::string path_;
  std::vector<Text> lines_;
  std::size_t next_ = 0;
  std::size_t last_number_ = 1;
  bool tabs_separate_ = false;
  mutable Splitter splitter_ = Splitter(Separator::blank);
};

}  // namespace warpfold::formats
