#include "sequence/slices/strip.hpp"

#include <algorithm>
#include <new>

namespace warpfold::sequence::slices {

AlignedWords aligned_words(std::size_t count) {
  auto memory = hwy::AllocateAligned<std::uint64_t>(count);
  if (!memory) throw std::bad_alloc();
  return memory;
}

Strip::Strip(Measure measure, std::span<const std::uint32_t> a, std::span<const std::uint32_t> b, const Layout& layout)
    : measure_(measure),
      a_(a),
      b_(b),
      layout_(layout),
      rows_(aligned_words(layout.row_words())),
      window_(aligned_words(layout.window_words())),
      state_(aligned_words(layout.state_words())),
      left_(aligned_words(layout.left_words())),
      chunk_{.rows = rows_.get(),
             .words = layout.words,
             .planes = layout.planes,
             .state = state_.get(),
             .window = window_.get(),
             .above = {},
             .below = {},
             .steps = nullptr,
             .first_step = 0,
             .left = nullptr} {}

void Strip::enter(std::size_t strip) {
  if (strip != strip_) set_rows(strip);
  set_first_state();
  fill_window(layout_.first_chunk(strip));
}

void Strip::enter(std::size_t strip, std::size_t at, const std::uint64_t* state) {
  if (strip != strip_) set_rows(strip);
  std::copy_n(state, layout_.state_words(), state_.get());
  fill_window(at);
}

void Strip::run(Advance advance, std::size_t at, const Stream* above, std::uint64_t* steps) {
  const auto set_above = [&](Chunk& chunk) {
    if (above) {
      above->get(chunk, at, layout_.lag());
    } else {
      set_row_zero(chunk);
    }
  };
  run_below(advance, at, set_above, steps);
}

void Strip::set_row_zero(Chunk& chunk) const {
  std::fill_n(chunk.above[0], chunk_words, measure_ == Measure::edit ? ~std::uint64_t{0} : 0);
  std::fill_n(chunk.above[1], chunk_words, std::uint64_t{0});
}

/// Rows below the last one have some symbol. No row above depends on it.
void Strip::set_rows(std::size_t strip) {
  strip_ = strip;
  const std::size_t before = strip == 0 ? layout_.rows_before() : 0;
  const std::size_t first = layout_.first_row(strip);
  const std::size_t end = std::min(layout_.rows(), before + a_.size() - first);
  std::fill_n(rows_.get(), layout_.row_words(), measure_ == Measure::indel ? ~std::uint64_t{0} : 0);
  for (std::size_t row = before; row < end; ++row) set_row(row, a_[first + row - before]);
  chunk_.left = nullptr;
  if (before > 0) set_left(before, [&](std::size_t) { return measure_ == Measure::indel ? 1 : -1; });
}

void Strip::set_row(std::size_t row, std::uint32_t code) {
  const std::size_t stripe = row / layout_.words;
  for (std::size_t p = 0; p < layout_.planes; ++p) {
    const std::uint64_t bit = std::uint64_t{code >> p & 1} << (stripe / layout_.lanes);
    rows_[((row % layout_.words) * layout_.planes + p) * layout_.lanes + stripe % layout_.lanes] ^= bit;
  }
}

/// v before column 0: +1 (LCS: 0).
void Strip::set_column_zero(std::uint64_t* v) const {
  for (std::size_t word = 0; word < layout_.left_words(); ++word) {
    v[word] = measure_ == Measure::edit && word / layout_.lanes % 2 == 0 ? ~std::uint64_t{0} : 0;
  }
}

/// No difference in the row above counts, and the rows keep theirs until their column 0.
void Strip::set_first_state() {
  set_column_zero(state_.get());
  for (std::size_t word = layout_.left_words(); word < layout_.state_words(); ++word) {
    state_[word] = measure_ == Measure::edit && word / layout_.lanes % 2 == 0 ? 0 : ~std::uint64_t{0};
  }
}

std::uint32_t Strip::code_of_b(std::size_t step, std::size_t column) const {
  const std::size_t j = step * columns + column;
  return j < layout_.m ? b_[j] : 0;
}

std::uint64_t* Strip::window(std::size_t column, std::size_t plane) {
  return window_.get() + (column * layout_.planes + plane) * slices::window_words;
}

/// Makes the window that chunk `at` finds.
void Strip::fill_window(std::size_t at) {
  const std::size_t step = at * chunk_steps;
  for (std::size_t c = 0; c < columns; ++c) {
    for (std::size_t p = 0; p < layout_.planes; ++p) {
      for (std::size_t lane = 0; lane < layout_.lanes; ++lane) {
        std::uint64_t word = 0;
        for (std::size_t bit = 0; bit < 64 && 1 + lane + layout_.lanes * bit <= step; ++bit) {
          word |= std::uint64_t{code_of_b(step - 1 - lane - layout_.lanes * bit, c) >> p & 1} << bit;
        }
        window(c, p)[lane] = word;
      }
    }
  }
}

void Strip::move_window(std::size_t at) {
  for (std::size_t c = 0; c < columns; ++c) {
    std::uint32_t codes[chunk_steps];
    for (std::size_t step = 0; step < chunk_steps; ++step) codes[step] = code_of_b(at * chunk_steps + step, c);
    for (std::size_t p = 0; p < layout_.planes; ++p) {
      std::uint64_t* const words = window(c, p);
      std::copy_n(words, layout_.lanes, words + chunk_steps);
      for (std::size_t step = 0; step < chunk_steps; ++step) {
        std::uint64_t* const word = words + chunk_steps - 1 - step;
        *word = word[layout_.lanes] << 1 | (codes[step] >> p & 1);
      }
    }
  }
}

}  // namespace warpfold::sequence::slices
