#pragma once

#include <cstddef>
#include <cstdint>

/// Rows of bits, 64 per word, for graphs of or-and.
namespace warpfold::paths {

/// The number of words in a contiguous part of a row.
inline constexpr std::size_t band_words = 8;
inline constexpr std::size_t band_bits = 64 * band_words;

/// Adds to each of `count` rows those of 64 others that its word in `chosen` selects. All rows have band_words words
/// and are contiguous, from `rows` on and from `others` on.
void take_up_rows(const std::uint64_t* others, const std::uint64_t* chosen, std::size_t count, std::uint64_t* rows);

}  // namespace warpfold::paths
