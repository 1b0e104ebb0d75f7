#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace warpfold::sequence {

/// The largest accepted length of a sequence.
inline constexpr std::uint64_t max_length = 0xFFFFFFFF;

/// Two sequences over one alphabet of small integers. Made once, it serves any number of solves.
///
/// The symbols that occur in both sequences have the codes 0 .. alphabet() - 1 in ascending order. All symbols that
/// occur in A only have one code, which B does not have; those of B only have another one.
///
/// Raises Error{input} for a sequence longer than `max_length`. Cost: O(n + m) if all symbols are below some 4 (n + m),
/// else a sort, and 4 bytes a symbol.
class Coded {
 public:
  Coded(std::string_view a, std::string_view b);
  Coded(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b);
  Coded(std::span<const std::uint16_t> a, std::span<const std::uint16_t> b);
  Coded(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b);

  /// Symbols that are sets, as the ambiguity letters of DNA: an element in each bit. Two sets match if they have an
  /// element in common. Each set that occurs has a code.
  [[nodiscard]] static Coded of_sets(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b);

  [[nodiscard]] std::span<const std::uint32_t> a() const { return a_; }
  [[nodiscard]] std::span<const std::uint32_t> b() const { return b_; }
  [[nodiscard]] std::size_t n() const { return a_.size(); }
  [[nodiscard]] std::size_t m() const { return b_.size(); }
  [[nodiscard]] std::uint32_t alphabet() const { return alphabet_; }  ///< symbols that occur in both
  [[nodiscard]] std::uint32_t codes() const { return codes_; }        ///< all codes are less
  [[nodiscard]] int planes() const;                                   ///< the bits of a code, at least 1
  /// Whether the symbols are sets, and whether those of two codes match.
  [[nodiscard]] bool has_sets() const { return !sets_.empty(); }
  [[nodiscard]] bool matches(std::uint32_t x, std::uint32_t y) const {
    return sets_.empty() ? x == y : (sets_[x] & sets_[y]) != 0;
  }
  /// The number of pairs (i, j) with A[i] and B[j] that match.
  [[nodiscard]] std::uint64_t matching_pairs() const { return matching_pairs_; }

  /// Both sequences reversed.
  [[nodiscard]] Coded reversed() const;

 private:
  Coded() = default;
  template <class T>
  void code(std::span<const T> a, std::span<const T> b);

  std::vector<std::uint32_t> a_;
  std::vector<std::uint32_t> b_;
  std::uint32_t alphabet_ = 0;
  std::uint32_t codes_ = 0;
  std::uint64_t matching_pairs_ = 0;
  std::vector<std::uint32_t> sets_;  ///< of sets: by code
};

}  // namespace warpfold::sequence
