#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "warpfold/sequence/script.hpp"

namespace warpfold::sequence {

/// The step of a script of unit costs that ends at cell (i,j), for i, j > 0. `is_match`: whether A[i] and B[j] match.
/// `may_substitute(i, j)`: whether the symbols differ and D(i,j) = D(i-1,j-1) + 1. `may_delete(i, j)`: whether D(i,j) =
/// D(i-1,j) + 1. The order is Ties::left.
template <class MaySubstitute, class MayDelete>
Edit step_to(bool is_match, std::size_t i, std::size_t j, const MaySubstitute& may_substitute,
             const MayDelete& may_delete) {
  if (is_match) return Edit::match;
  if (may_substitute(i, j)) return Edit::substitution;
  return may_delete(i, j) ? Edit::deletion : Edit::insertion;
}
/// The same, of symbols that are no sets.
template <class MaySubstitute, class MayDelete>
Edit step_to(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b, std::size_t i, std::size_t j,
             const MaySubstitute& may_substitute, const MayDelete& may_delete) {
  return step_to(a[i - 1] == b[j - 1], i, j, may_substitute, may_delete);
}

/// A position of a walk from the end of a table to its beginning, and the steps so far.
struct Walk {
  std::size_t i, j;
  Script backwards = {};

  /// Takes so many matches.
  void take_matches(std::size_t count) {
    i -= count;
    j -= count;
    backwards.push(Edit::match, count);
  }
  void take(Edit edit) {
    const std::size_t symbols = edit == Edit::transposition ? 2 : 1;
    i -= edit != Edit::insertion ? symbols : 0;
    j -= edit != Edit::deletion ? symbols : 0;
    backwards.push(edit);
  }
  /// The script, once the walk has reached row 0 or column 0.
  [[nodiscard]] Script finished() {
    backwards.push(Edit::deletion, i);
    backwards.push(Edit::insertion, j);
    return std::move(backwards).reversed();
  }
};

}  // namespace warpfold::sequence
