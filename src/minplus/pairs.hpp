#pragma once

#include <cstdint>

/// Two 16-bit columns in a word where the device has no instructions for them, for hosts and devices alike. The upper
/// columns are chosen as whole words, whose lower halves break ties only; the lower ones after a shift.
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

/// The smaller of each column, or the larger.
template <bool Least>
[[nodiscard]] constexpr std::uint32_t choose_pair(std::uint32_t x, std::uint32_t y) {
  return detail::join(detail::choose<Least>(x, y), detail::choose<Least>(x << 16, y << 16));
}

/// Of each column what is better, `best` or a + b, which wraps. Three instructions a column: two sums, two choices, a
/// shift and a permutation.
template <bool Least>
[[nodiscard]] constexpr std::uint32_t add_and_choose_pair(std::uint32_t best, std::uint32_t a, std::uint32_t b) {
  return detail::join(detail::choose<Least>(best, (a & 0xffff0000U) + b),
                      detail::choose<Least>(best << 16, (a << 16) + (b << 16)));
}

}  // namespace warpfold::minplus
