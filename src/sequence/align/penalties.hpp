#pragma once

#include <cstdint>
#include <optional>

#include "sequence/align/backends.hpp"

namespace warpfold::sequence::alignment {

/// Costs whose least sum is the largest score of a global alignment. A match costs nothing.
///
/// An alignment of n and m symbols with score S has, for every substitution, two symbols that could have been half a
/// match each, and for every symbol of a gap one. So match (n + m) - 2 S is a sum of 2 (match - mismatch) for a
/// substitution and of 2 open + (2 extend + match) L for a gap of L symbols. All are divided by `unit`, their greatest
/// common divisor (Eizenga and Paten, Improving the time and space complexity of the WFA algorithm, 2022).
struct Penalties {
  std::int64_t substitution, open, extend, unit, match;

  [[nodiscard]] std::int64_t of_gap(std::int64_t length) const { return open + extend * length; }
  /// The score of an alignment of so many symbols, n + m, at a cost.
  [[nodiscard]] std::int64_t score_of(std::int64_t cost, std::int64_t symbols) const {
    return (match * symbols - unit * cost) / 2;
  }
};

/// Nothing if there are none: other ends or scores, or a substitution or a gap that costs nothing.
[[nodiscard]] std::optional<Penalties> penalties_of(const Size& size);

}  // namespace warpfold::sequence::alignment
