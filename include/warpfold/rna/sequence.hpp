#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpfold::rna {

/// A base: 0 is N, which pairs with none; 1 to 4 are A, C, G, U.
using Base = std::uint8_t;

/// The number of kinds of pairs: CG, GC, GU, UG, AU, UA, in this order.
inline constexpr std::size_t pair_kinds = 6;

namespace detail {

/// The kinds of all pairs of the bases A, C, G and U, three bits each: pair_kinds for bases that do not pair. One
/// number, because a device has no host constant.
inline constexpr std::uint64_t kinds_of_pairs = [] {
  constexpr std::array<std::array<Base, 2>, pair_kinds> pairs = {{{2, 3}, {3, 2}, {3, 4}, {4, 3}, {1, 4}, {4, 1}}};
  std::uint64_t kinds = 0;
  for (unsigned place = 0; place < 16; ++place) kinds |= std::uint64_t{pair_kinds} << 3 * place;
  for (std::size_t kind = 0; kind < pair_kinds; ++kind) {
    const unsigned place = 4U * pairs[kind][0] + pairs[kind][1] - 5;
    kinds ^= std::uint64_t{pair_kinds ^ kind} << 3 * place;
  }
  return kinds;
}();

}  // namespace detail

/// The kind of the pair of two bases, from 0, or `pair_kinds` if they do not pair.
[[nodiscard]] constexpr std::size_t pair_kind(Base first, Base second) {
  if (first == 0 || second == 0) return pair_kinds;
  return static_cast<unsigned>(detail::kinds_of_pairs >> 3 * (4U * first + second - 5)) & 7;
}

/// An RNA sequence: A, C, G, U and N, in either case. T is U.
class Sequence {
 public:
  /// Raises Error{input} for any other letter, with its position from 1.
  explicit Sequence(std::string_view letters);

  [[nodiscard]] std::size_t size() const { return bases_.size(); }
  [[nodiscard]] Base operator[](std::size_t i) const { return bases_[i]; }
  [[nodiscard]] const std::vector<Base>& bases() const { return bases_; }
  /// The sequence in upper case, with U for T.
  [[nodiscard]] const std::string& letters() const { return letters_; }

 private:
  std::string letters_;
  std::vector<Base> bases_;
};

}  // namespace warpfold::rna
