#pragma once

#include <cstdint>

/// Two 16-bit columns in a word, for devices without instructions for them and for hosts. The upper columns are
/// compared as whole words, whose lower halves only break ties. The lower columns are compared after a shift.
namespace warpfold::minplus {

namespace detail {
template <bool Least>
constexpr std::int32_t choose(std::uint32_t x, std::uint32_t y) {
  const auto a = static_cast<std::int32_t>(x), b = static_cast<std::int32_t>(y);
  return (Least ? a < b : b < a) ? a : b;
}
constexpr std::uint32_t join(std::int32_t upper, std::int32_t lower) {
  return (static_cast<std::uint32_t>(upper) & 0xffff0000U) | static_cast<std::uint32_t>(lower) >> 16;
}
}  // namespace detail

/// The smaller of each column, or the larger one.
template <bool Least>
[[nodiscard]] constexpr std::uint32_t choose_pair(std::uint32_t x, std::uint32_t y) {
  return detail::join(detail::choose<Least>(x, y), detail::choose<Least>(x << 16, y << 16));
}

/// The better of `best` and a + b in each column; the sum wraps around. Two columns take six instructions: two sums,
/// two selections, a shift and a permutation.
template <bool Least>
[[nodiscard]] constexpr std::uint32_t add_and_choose_pair(std::uint32_t best, std::uint32_t a, std::uint32_t b) {
  return detail::join(detail::choose<Least>(best, (a & 0xffff0000U) + b),
                      detail::choose<Least>(best << 16, (a << 16) + (b << 16)));
}

}  // namespace warpfold::minplus
