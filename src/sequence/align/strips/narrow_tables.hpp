#pragma once

#include <hwy/aligned_allocator.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sequence/align/strips/layout.hpp"
#include "sequence/align/strips/narrow.hpp"

namespace warpfold::sequence::alignment::strips {

/// What a worker has for the kernel of 8 bits: the scores of a strip's rows, and H of the last tile.
class NarrowTables {
 public:
  /// The query and the layout must outlive it. `has_tile`: whether columns are kept.
  NarrowTables(const Query& query, const Layout& layout, bool has_tile);

  /// Goes to a strip.
  void set_rows(std::size_t strip);
  /// What the kernel takes. `keeps`: of all columns of a tile.
  [[nodiscard]] NarrowStrip strip(bool keeps) const;
  /// H of a row of the strip and a column of the last tile, relative to the chunk's base. Rows count from 0; column 0
  /// is the one before the tile.
  [[nodiscard]] int in_tile(std::size_t row, std::size_t column) const;

 private:
  /// Where a row's values are.
  struct Place {
    std::uint32_t in_column, lane;
    std::uint32_t base;  ///< of its group, among the bases of a column
  };

  const Query& query_;
  const Layout& layout_;
  std::vector<Place> places_;         ///< of all rows
  std::vector<std::uint32_t> bases_;  ///< the first base of all columns
  hwy::AlignedFreeUniquePtr<std::uint8_t[]> codes_, memory_, kept_best_, kept_carried_;
  hwy::AlignedFreeUniquePtr<std::uint16_t[]> kept_bases_;
};

}  // namespace warpfold::sequence::alignment::strips
