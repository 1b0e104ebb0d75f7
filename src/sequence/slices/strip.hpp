#pragma once

#include <hwy/aligned_allocator.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "sequence/slices/stream.hpp"
#include "sequence/slices/table.hpp"

namespace warpfold::sequence::slices {

/// Words that a vector may load. Raises std::bad_alloc.
using AlignedWords = hwy::AlignedFreeUniquePtr<std::uint64_t[]>;
[[nodiscard]] AlignedWords aligned_words(std::size_t count);

/// The strip that a thread works on: the planes of its rows, the window of B's planes, its state.
class Strip {
 public:
  /// A table whose strips are those of the layout. Both must outlive it.
  Strip(const Table& table, const Layout& layout);

  /// Enters a strip at its beginning.
  void enter(std::size_t strip);
  /// Enters a strip before chunk `at`, whose state is given.
  void enter(std::size_t strip, std::size_t at, const std::uint64_t* state);

  /// Runs chunk `at` below `above` (null: below row 0). `steps`: where to keep what a walk needs, or null.
  void run(Advance advance, std::size_t at, const Stream* above, std::uint64_t* steps);
  /// In the next chunks v at the left of `column` goes to `right`, or nowhere if that is null.
  void keep_column(std::size_t column, std::uint64_t* right) {
    chunk_.right = right;
    chunk_.right_step = column / columns;
  }

  [[nodiscard]] const std::uint64_t* state() const { return state_.get(); }
  [[nodiscard]] const Chunk& chunk() const { return chunk_; }

 private:
  void set_rows(std::size_t strip);
  void set_stripe(std::size_t stripe, std::size_t word, std::span<const std::uint32_t> codes);
  void set_column_zero(std::uint64_t* v) const;
  void set_first_state();
  /// Sets the differences at the left border of the strip that was entered: `difference(row)` for its first rows.
  template <class Difference>
  void set_left(std::size_t rows, const Difference& difference) {
    set_column_zero(left_.get());
    for (std::size_t row = 0; row < rows; ++row) put_left(row, difference(row));
    chunk_.left = left_.get();
  }
  void put_left(std::size_t row, int difference) {
    const std::size_t stripe = row / layout_.words;
    const std::uint64_t bit = std::uint64_t{1} << (stripe / layout_.lanes);
    std::uint64_t* const word =
        left_.get() + row % layout_.words * layout_.signs * layout_.lanes + stripe % layout_.lanes;
    for (std::size_t sign = 0; sign < layout_.signs; ++sign) {
      std::uint64_t& bits = word[sign * layout_.lanes];
      bits = difference == (sign == 0 ? 1 : -1) ? bits | bit : bits & ~bit;
    }
  }
  void fill_window(std::size_t at);
  void move_window(std::size_t at);
  void set_row_zero(Chunk& chunk) const;
  void copy_codes(std::size_t first_step, std::span<std::uint32_t> codes) const;

  const Table& table_;
  const Layout& layout_;
  AlignedWords rows_, window_, state_, left_;
  Chunk chunk_;
  std::optional<std::size_t> strip_;  ///< the strip whose rows are set
};

}  // namespace warpfold::sequence::slices
