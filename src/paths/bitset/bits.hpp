#pragma once

#include <cstddef>
#include <cstdint>

/// Rows of bits, 64 to a word, of the graphs of or-and.
namespace warpfold::paths {

/// Of a part of a row that lies in one piece.
inline constexpr std::size_t band_words = 8;
inline constexpr std::size_t band_bits = 64 * band_words;

/// Each of `count` rows takes up those of 64 others that its word in `chosen` says. All rows have band_words words and
/// lie one behind the other, those from a `rows` on and those from `others` on.
void take_up_rows(const std::uint64_t* others, const std::uint64_t* chosen, std::size_t count, std::uint64_t* rows);

}  // namespace warpfold::paths
