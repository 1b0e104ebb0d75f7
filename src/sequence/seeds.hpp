#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "warpfold/sequence/symbols.hpp"

namespace warpfold::sequence {

/// A lower bound on the cost of the rest of a script, by seeds: A is cut into parts of equal length. A part that B does
/// not contain, where a script of at most `bound` edits can come to, takes an edit at least. No edit belongs to two
/// parts.
///
/// Parts are told apart by hashes. Where two have the same one the bound may be lower. O(n + m) operations.
class Seeds {
 public:
  Seeds(const Coded& pair, std::int64_t bound);

  /// Edits that every script within the bound has from row i of A to the last. Does not increase with i.
  [[nodiscard]] std::int64_t cost_from(std::int64_t i) const {
    return missing_[(static_cast<std::size_t>(i) + length_ - 1) / length_];
  }

  /// While they are made, for sequences with so many codes.
  [[nodiscard]] static std::size_t bytes(std::size_t n, std::uint32_t codes, std::size_t bound);

 private:
  std::size_t length_;
  std::vector<std::uint32_t> missing_;  ///< by part: those from there on that B does not contain
};

}  // namespace warpfold::sequence
