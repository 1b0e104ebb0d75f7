#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "sequence/tuning.hpp"
#include "warpfold/run/backend.hpp"

/// What the searches by furthest-reaching points share: of edit distances and of alignments.
namespace warpfold::sequence {

/// The bits before the first difference, in the order of memory.
[[nodiscard]] inline int equal_bits(std::uint64_t different) {
  return std::endian::native == std::endian::little ? std::countr_zero(different) : std::countl_zero(different);
}

/// The number of equal symbols at the beginning of two sequences of `length`. Compares 8 bytes at a time: most are few.
template <class Symbol>
[[nodiscard]] std::int64_t common_prefix(const Symbol* a, const Symbol* b, std::int64_t length) {
  constexpr std::int64_t together = sizeof(std::uint64_t) / sizeof(Symbol);
  std::int64_t at = 0;
  for (; at + together <= length; at += together) {
    std::uint64_t x, y;
    std::memcpy(&x, a + at, sizeof x);
    std::memcpy(&y, b + at, sizeof y);
    if (x != y) return at + equal_bits(x ^ y) / static_cast<std::int64_t>(8 * sizeof(Symbol));
  }
  while (at < length && a[at] == b[at]) ++at;
  return at;
}

/// The codes as bytes if all of them are less than 256, which are compared faster, and `more` bytes. Else nothing.
[[nodiscard]] inline std::vector<std::uint8_t> bytes_if_few(std::uint32_t codes, std::span<const std::uint32_t> list,
                                                            std::size_t more = 0) {
  if (codes > 256) return {};
  std::vector<std::uint8_t> bytes(list.size() + more);
  std::ranges::copy(list, bytes.begin());
  return bytes;
}

/// Whether a search goes on, judged by what it has shown so far.
class Prospect {
 public:
  /// `worth`: the part of the next algorithm's time that the search may take; `point_seconds`: of a point.
  Prospect(const Context& context, double worth, double point_seconds)
      : worth_(worth),
        point_seconds_(point_seconds),
        limit_(context.next ? context.next().seconds : std::numeric_limits<double>::infinity()) {}

  /// Gives up once 1 % of the next algorithm's time is spent and more than it is worth is expected. `cost`: the one
  /// that is reached; `bound`: the largest one; `points`: computed so far; `progress()`: the part of both sequences
  /// that the search has come over.
  template <class Progress>
  void check(std::int64_t cost, double bound, double points, const Progress& progress) const {
    const double spent = points * point_seconds_;
    if (cost % 64 != 0 || !is_try_over(points)) return;
    const double part = std::max(progress(), 1e-9);
    const double expected = std::min(static_cast<double>(cost) / part, bound);
    if (spent * std::pow(expected / static_cast<double>(cost), 2) > worth_ * limit_) give_up(expected);
  }

  /// Gives up if so many points are more than it is worth.
  void check_points(double expected, double distance) const {
    if (point_seconds_ * expected > worth_ * limit_) give_up(distance);
  }
  /// Whether 1 % of the next algorithm's time is spent.
  [[nodiscard]] bool is_try_over(double points) const { return point_seconds_ * points >= tuning::free_part * limit_; }

 private:
  static void give_up(double distance) {
    Context::give_up(fmt::format("a distance of some {:.0f} is expected", distance));
  }

  double worth_, point_seconds_, limit_;
};

}  // namespace warpfold::sequence
