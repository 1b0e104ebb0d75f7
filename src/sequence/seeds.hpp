#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "warpfold/sequence/symbols.hpp"

namespace warpfold::sequence {

/// A lower bound on the cost of the rest of a script, by seeds: parts of A of a length. A part that B does not contain,
/// where a script of at most `bound` edits can come to, takes an edit at least. No edit belongs to two parts that have
/// no symbol in common. From the last symbol to the first each such part is taken that has none in common with those
/// taken before, which are the most from every row on.
///
/// Parts are told apart by hashes. Where two have the same one the bound may be lower. O(n + m) operations.
class Seeds {
 public:
  Seeds(const Coded& pair, std::int64_t bound);

  /// Edits that every script within the bound has from row i of A to the last. Does not increase with i.
  [[nodiscard]] std::int64_t cost_from(std::int64_t i) const {
    return missing_[(static_cast<std::size_t>(i) + rows_together - 1) / rows_together];
  }

  /// While they are made.
  [[nodiscard]] static std::size_t bytes(std::size_t n, std::size_t bound);

 private:
  static constexpr std::size_t rows_together = 8;

  std::vector<std::uint32_t> missing_;  ///< by first rows: parts from there on that B does not contain
};

}  // namespace warpfold::sequence
