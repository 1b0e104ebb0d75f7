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
  int advance(Word match, int above) {
    const Word differs = ~(match | minus);
    const Word vertical = match | minus;
    match |= above < 0 ? 1 : 0;
    const Word horizontal = (((match & plus) + plus) ^ plus) | match;
    Word up = minus | ~(horizontal | plus);
    Word down = plus & horizontal;
    const int below = static_cast<int>(up >> 63) - static_cast<int>(down >> 63);
    up = up << 1 | (above > 0 ? 1 : 0);
    down = down << 1 | (above < 0 ? 1 : 0);
    substitution = differs & ~down;
    plus = down | ~(vertical | up);
    minus = up & vertical;
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
