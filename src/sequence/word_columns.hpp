#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

/// A column of 64 rows in a word, and its step to the next column.
namespace warpfold::sequence {

using Word = std::uint64_t;
inline constexpr std::size_t rows_of_word = 64;

/// What a walk needs of a block's column: the rows where a substitution is optimal if the symbols differ, and those
/// where a deletion is.
struct Steps {
  Word substitution, deletion;
};

/// The vertical differences of a block's column for unit-cost edits.
struct EditColumn {
  static constexpr int above_first = 1;  ///< the horizontal difference in row 0
  Word plus = ~Word{0};
  Word minus = 0;
  Word substitution = 0;

  /// Enters the next column, given the horizontal difference above the block. Returns the one in its last row.
  ///
  /// Columns wait for each other, so the way from `plus` to the next `plus` counts. It has seven operations: Hyyro's
  /// equations have `up` and `down` go through the horizontal word, here they come from the sum alone.
  int advance(Word match, int above) {
    const Word vertical = match | minus;
    match |= above < 0 ? 1 : 0;
    const Word both = match & plus;
    const Word sum = both + plus;
    Word not_up = (sum | match | plus) & ~minus;
    Word down = (plus & ~sum) | both;
    const int below = static_cast<int>(~not_up >> 63) - static_cast<int>(down >> 63);
    not_up = not_up << 1 | (above > 0 ? 0 : 1);
    down = down << 1 | (above < 0 ? 1 : 0);
    substitution = ~vertical & ~down;
    plus = down | (not_up & ~vertical);
    minus = vertical & ~not_up;
    return below;
  }
  [[nodiscard]] Steps steps() const { return {substitution, plus}; }
  [[nodiscard]] std::int64_t total(Word rows) const { return std::popcount(plus & rows) - std::popcount(minus & rows); }
};

/// The same for common subsequences. A row's bit is 0 if the length grows in it.
struct CommonColumn {
  static constexpr int above_first = 0;
  Word same = ~Word{0};

  int advance(Word match, int above) {
    Word sum = 0;
    const bool carry = __builtin_add_overflow(same, same & match, &sum);
    const bool carry_of_above = __builtin_add_overflow(sum, static_cast<Word>(above), &sum);
    same = sum | (same & ~match);
    return carry || carry_of_above ? 1 : 0;
  }
  [[nodiscard]] Steps steps() const { return {0, same}; }
  [[nodiscard]] std::int64_t total(Word rows) const { return std::popcount(~same & rows); }
};

}  // namespace warpfold::sequence
