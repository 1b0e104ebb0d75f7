#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "sequence/slices/layout.hpp"

/// A table of two sequences, or a part of one with the differences at its borders, which the table around has kept.
namespace warpfold::sequence::slices {

/// The differences h along a row, in bits: `count` words of each sign from column `begin` on, a multiple of 64 in the
/// table that has kept them.
struct KeptRow {
  std::ptrdiff_t begin;
  std::size_t count, signs;
  std::uint64_t* words;

  /// Those of 64 columns from `column` on. Right of the words nothing matches: all are +1 (LCS: 0).
  [[nodiscard]] std::uint64_t bits(std::size_t sign, std::ptrdiff_t column) const;
  /// The same of a part of the table that begins at `column`.
  [[nodiscard]] KeptRow seen_from(std::size_t column) const {
    return {begin - static_cast<std::ptrdiff_t>(column), count, signs, words};
  }

 private:
  [[nodiscard]] std::uint64_t word(std::size_t sign, std::ptrdiff_t at) const;
};

/// The differences v along a column, as strips first_strip .. end_strip - 1 of a layout have them in their states.
struct KeptColumn {
  const Layout* layout;
  std::size_t first_strip, end_strip, first_row;
  std::uint64_t* words;

  [[nodiscard]] std::uint64_t* of_strip(std::size_t strip) const {
    return words + (strip - first_strip) * layout->left_words();
  }
  /// Strips above the band count as if all rows matched, those below it as if none did. So no value is too small.
  [[nodiscard]] int difference(std::size_t row) const;
  /// The same of a part of the table that begins at `row`.
  [[nodiscard]] KeptColumn seen_from(std::size_t row) const {
    return {layout, first_strip, end_strip, first_row + row, words};
  }
};

struct Table {
  Measure measure;
  std::span<const std::uint32_t> a, b;
  std::optional<KeptRow> above = {};    ///< nothing: row 0
  std::optional<KeptColumn> left = {};  ///< nothing: column 0

  [[nodiscard]] double cells() const { return static_cast<double>(a.size()) * static_cast<double>(b.size()); }
};

}  // namespace warpfold::sequence::slices
