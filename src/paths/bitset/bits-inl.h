// Unions of rows of bits for the instruction set that is being compiled. bits.cpp includes it once for each.
#if defined(WARPFOLD_PATHS_BITS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WARPFOLD_PATHS_BITS_INL_H_
#undef WARPFOLD_PATHS_BITS_INL_H_
#else
#define WARPFOLD_PATHS_BITS_INL_H_
#endif

#include <hwy/highway.h>

#include "paths/bitset/bits.hpp"

HWY_BEFORE_NAMESPACE();
namespace warpfold::paths::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The unions of each four of 64 rows, for every choice among the four: 16 KiB.
class Unions {
 public:
  explicit Unions(const std::uint64_t* rows) {
    for (std::size_t group = 0; group < groups; ++group) {
      for (std::size_t word = 0; word < band_words; ++word) tables_[group][0][word] = 0;
      for (std::size_t choice = 1; choice < choices; ++choice) {
        const std::size_t last = hwy::Num0BitsBelowLS1Bit_Nonzero64(choice);
        const std::uint64_t* row = rows + (4 * group + last) * band_words;
        const std::uint64_t* without = tables_[group][choice & (choice - 1)];
        for (std::size_t word = 0; word < band_words; ++word) tables_[group][choice][word] = without[word] | row[word];
      }
    }
  }

  /// Adds the chosen rows to a row by 16 unions. Both halves of the row are in one vector each, if a vector is wide
  /// enough.
  HWY_INLINE void add_to(std::uint64_t* row, std::uint64_t chosen) const {
    const hn::CappedTag<std::uint64_t, half> d;
    for (std::size_t word = 0; word < half; word += hn::Lanes(d)) {
      auto low = hn::Load(d, row + word), high = hn::Load(d, row + half + word);
      for (std::size_t group = 0; group < groups; ++group) {
        const std::uint64_t* taken = tables_[group][chosen >> 4 * group & (choices - 1)];
        low = hn::Or(low, hn::Load(d, taken + word));
        high = hn::Or(high, hn::Load(d, taken + half + word));
      }
      hn::Store(low, d, row + word);
      hn::Store(high, d, row + half + word);
    }
  }

 private:
  static constexpr std::size_t groups = 16, choices = 16, half = band_words / 2;
  alignas(64) std::uint64_t tables_[groups][choices][band_words];
};

void take_up(const std::uint64_t* others, const std::uint64_t* chosen, std::size_t count, std::uint64_t* rows) {
  const Unions unions(others);
  for (std::size_t i = 0; i < count; ++i) {
    if (chosen[i] != 0) unions.add_to(rows + i * band_words, chosen[i]);
  }
}

}  // namespace warpfold::paths::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
