#pragma once

#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sequence/align/strips/kernel.hpp"
#include "sequence/align/strips/layout.hpp"
#include "sequence/align/strips/narrow_tables.hpp"

namespace warpfold::sequence::alignment::strips {

/// H of a row between two strips, and F of the row below it, chunk by chunk. Values are relative to the chunk's base.
template <class T>
class Border {
 public:
  void set(const Layout& layout, const TablePart& part, std::size_t strip) {
    columns_ = layout.columns;
    first_ = part.begin_chunk(layout, strip);
    const std::size_t chunks = part.end_chunk(layout, strip) - first_;
    values_.resize(chunks * (2 * columns_ + 1));
    bases_.resize(chunks);
  }

  /// Of the column before the chunk, then of its columns.
  [[nodiscard]] T* best(std::size_t chunk) { return values_.data() + (chunk - first_) * (2 * columns_ + 1); }
  [[nodiscard]] const T* best(std::size_t chunk) const {
    return values_.data() + (chunk - first_) * (2 * columns_ + 1);
  }
  [[nodiscard]] T* deleted(std::size_t chunk) { return best(chunk) + columns_ + 1; }
  [[nodiscard]] const T* deleted(std::size_t chunk) const { return best(chunk) + columns_ + 1; }
  [[nodiscard]] std::int64_t& base(std::size_t chunk) { return bases_[chunk - first_]; }
  [[nodiscard]] std::int64_t base(std::size_t chunk) const { return bases_[chunk - first_]; }

  /// H before the first column; then of each column the lowest 32 bits of H and those of F. Neighbors in a row, and H
  /// and F, differ by less than 2^31, because all values of a chunk fit 32 bits with room for many rows and columns.
  [[nodiscard]] static std::size_t saved_bytes(std::size_t m) {
    return sizeof(std::int64_t) + 2 * m * sizeof(std::uint32_t);
  }
  void save(const Layout& layout, std::size_t strip, std::span<std::byte> row) const;
  void restore(const Layout& layout, std::size_t strip, std::span<const std::byte> row);

 private:
  std::size_t columns_ = 0, first_ = 0;
  std::vector<T> values_;
  std::vector<std::int64_t> bases_;
};

/// What all workers of a table share.
struct Table {
  const Query& query;
  /// In a band: H, with its bias, at the end of the row below each strip. All workers that come there set the same.
  std::int64_t* band_ends;
};

/// H of row 0.
template <class T>
[[nodiscard]] Border<T> first_border(const Query& query, const Layout& layout);

/// One strip at a time, chunk by chunk.
template <class T>
class Worker {
 public:
  using LayoutOf = Layout;
  using BorderOf = Border<T>;
  using Input = Table;

  /// The table and the layout must outlive it. `has_tile`: whether `run_tile` or `walk_through` is called.
  Worker(const Table& table, const Layout& layout, bool has_tile);

  /// Goes to the beginning of a strip, or to a state of it.
  void enter(std::size_t strip);
  void enter(std::size_t strip, const std::byte* state);
  /// Copies H and E of the strip before the next chunk, and what they are relative to.
  void save(std::byte* state) const;

  /// Runs a chunk of the strip, and sets its part of the border below.
  void run(std::size_t chunk, const Border<T>& above, Border<T>& below);
  /// Runs the first columns of a chunk, and keeps the first rows of them all.
  void run_tile(std::size_t chunk, std::size_t rows, std::size_t columns, const Border<T>& above);

  /// Runs a chunk up to a walk's step, and walks until it leaves the chunk.
  void walk_through(AlignmentWalk& walk, std::size_t chunk, const Border<T>& above);

  [[nodiscard]] std::size_t strip() const { return strip_; }
  /// The rows of the strip that the table has.
  [[nodiscard]] std::size_t rows() const { return std::min(layout_.rows(), layout_.n - layout_.first_row(strip_)); }

  /// The largest H in the chunk that was run, of local alignments.
  [[nodiscard]] std::int64_t best() const { return static_cast<std::int64_t>(chunk_.best) + base_; }
  /// The first row with that value, and in it the first column, after `run_tile` of the entire chunk.
  [[nodiscard]] BestEnd find_best(std::size_t chunk) const;

  /// H of a row of the strip, from 1, before the next chunk.
  [[nodiscard]] std::int64_t in_state(std::size_t row) const { return base_ + state_[places_[row - 1].in_column]; }

 private:
  /// Where a row's values are.
  struct Place {
    std::uint32_t in_column, word;
    std::uint32_t lane;  ///< of both halves
  };
  /// H of a row of the strip, from 1, and of a column of the last tile; column 0 is the one before it.
  [[nodiscard]] std::int64_t in_tile(std::size_t row, std::size_t column) const;
  void set_rows(std::size_t strip);
  [[nodiscard]] T profile_of(std::size_t row, std::uint32_t code) const;
  [[nodiscard]] T biased(std::int64_t score) const;
  void rebase(std::int64_t base);
  void prepare(std::size_t chunk, std::size_t rows, std::size_t columns, const Border<T>& above);
  void set_above(std::size_t chunk, std::size_t columns, const Border<T>& above);
  void begin_at_corner(std::int64_t corner);
  void begin_at_state();
  void set_halves(std::size_t rows, T* below_best, T* below_deleted);
  void add_carried();

  const Query& query_;
  const Layout& layout_;
  std::int64_t* band_ends_;
  Advance<T> advance_;
  std::size_t strip_ = ~std::size_t{0};
  std::vector<Place> places_;  ///< of all rows
  hwy::AlignedFreeUniquePtr<T[]> profile_, state_, carried_, tile_, tile_carried_;
  std::optional<NarrowTables> narrow_;  ///< in place of `profile_`, `carried_` and the tile
  std::vector<T> symbols_, above_best_, above_deleted_, between_best_, between_deleted_, unused_best_, unused_deleted_;
  std::int64_t base_ = 0;
  Chunk<T> chunk_ = {};
};

extern template class Worker<std::uint16_t>;
extern template class Worker<std::uint32_t>;

}  // namespace warpfold::sequence::alignment::strips
