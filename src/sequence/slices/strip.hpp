#pragma once

#include <hwy/aligned_allocator.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "sequence/slices/layout.hpp"
#include "sequence/slices/stream.hpp"

namespace warpfold::sequence::slices {

/// Words that a vector may load. Raises std::bad_alloc.
using AlignedWords = hwy::AlignedFreeUniquePtr<std::uint64_t[]>;
[[nodiscard]] AlignedWords aligned_words(std::size_t count);

/// The strip that a thread works on: the planes of its rows, the window of B's planes, its state.
class Strip {
 public:
  /// The query and the layout must outlive it.
  Strip(const Query& query, const Layout& layout);

  /// Enters a strip at its beginning.
  void enter(std::size_t strip);
  /// Enters a strip before chunk `at`, whose state is given.
  void enter(std::size_t strip, std::size_t at, const std::uint64_t* state);

  /// Runs chunk `at` below `above` (null: below row 0). `steps`: where to keep what a walk needs, or null.
  void run(Advance advance, std::size_t at, const Stream* above, std::uint64_t* steps);

  [[nodiscard]] const std::uint64_t* state() const { return state_.get(); }
  [[nodiscard]] const Chunk& chunk() const { return chunk_; }

 private:
  void set_rows(std::size_t strip);
  void set_row(std::size_t row, std::uint32_t code);
  void set_first_state();
  void fill_window(std::size_t at);
  void move_window(std::size_t at);
  void set_row_zero_above();
  [[nodiscard]] std::uint32_t code_of_b(std::size_t step, std::size_t column) const;
  [[nodiscard]] std::uint64_t* window(std::size_t column, std::size_t plane);

  const Query& query_;
  const Layout& layout_;
  AlignedWords rows_, window_, state_;
  Chunk chunk_;
  std::optional<std::size_t> strip_;  ///< the strip whose rows are set
};

}  // namespace warpfold::sequence::slices
