#include "sequence/slices/strip.hpp"

#include <algorithm>
#include <new>

namespace warpfold::sequence::slices {

AlignedWords aligned_words(std::size_t count) {
  auto memory = hwy::AllocateAligned<std::uint64_t>(count);
  if (!memory) throw std::bad_alloc();
  return memory;
}

Strip::Strip(const Table& table, const Layout& layout)
    : table_(table),
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
             .left = nullptr,
             .right = nullptr,
             .right_step = 0} {}

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
  move_window(at);
  if (above) {
    above->get(chunk_, at, layout_.lag());
  } else {
    set_row_zero(chunk_);
  }
  chunk_.steps = steps;
  chunk_.first_step = at * chunk_steps;
  advance(chunk_);
}

void Strip::set_row_zero(Chunk& chunk) const {
  std::fill_n(chunk.above[0], chunk_words, table_.measure == Measure::edit ? ~std::uint64_t{0} : 0);
  std::fill_n(chunk.above[1], chunk_words, std::uint64_t{0});
}

/// Rows below the last one have some symbol. No row above depends on it.
void Strip::set_rows(std::size_t strip) {
  strip_ = strip;
  const std::size_t before = strip == 0 ? layout_.rows_before() : 0;
  const std::size_t first = layout_.first_row(strip);
  const std::size_t end = std::min(layout_.rows(), before + table_.a.size() - first);
  std::fill_n(rows_.get(), layout_.row_words(), table_.measure == Measure::indel ? ~std::uint64_t{0} : 0);
  std::size_t stripe = before / layout_.words, word = before % layout_.words;
  for (std::size_t row = before; row < end; ++stripe, word = 0) {
    const std::size_t count = std::min(layout_.words - word, end - row);
    set_stripe(stripe, word, table_.a.subspan(first + row - before, count));
    row += count;
  }
  chunk_.left = nullptr;
  if (before > 0) set_left(before, [&](std::size_t) { return table_.measure == Measure::indel ? 1 : -1; });
  if (table_.left && layout_.first_chunk(strip) == 0) {
    set_left(end, [&](std::size_t row) { return table_.left->difference(first + row); });
  }
}

/// The rows of a stripe, from a word on.
void Strip::set_stripe(std::size_t stripe, std::size_t word, std::span<const std::uint32_t> codes) {
  const std::size_t bit = stripe / layout_.lanes;
  std::uint64_t* row = rows_.get() + word * layout_.planes * layout_.lanes + stripe % layout_.lanes;
  for (const std::uint32_t code : codes) {
    for (std::size_t p = 0; p < layout_.planes; ++p, row += layout_.lanes) *row ^= std::uint64_t{code >> p & 1} << bit;
  }
}

/// v before column 0: +1 (LCS: 0).
void Strip::set_column_zero(std::uint64_t* v) const {
  for (std::size_t word = 0; word < layout_.left_words(); ++word) {
    v[word] = table_.measure == Measure::edit && word / layout_.lanes % 2 == 0 ? ~std::uint64_t{0} : 0;
  }
}

/// No difference in the row above counts, and the rows keep theirs until their column 0.
void Strip::set_first_state() {
  set_column_zero(state_.get());
  for (std::size_t word = layout_.left_words(); word < layout_.state_words(); ++word) {
    state_[word] = table_.measure == Measure::edit && word / layout_.lanes % 2 == 0 ? 0 : ~std::uint64_t{0};
  }
}

/// Copies the codes of B for the columns of some steps. Columns behind the last one have the code 0.
void Strip::copy_codes(std::size_t first_step, std::span<std::uint32_t> codes) const {
  const std::size_t first = std::min(first_step * columns, layout_.m),
                    count = std::min(codes.size(), layout_.m - first);
  std::copy_n(table_.b.begin() + static_cast<std::ptrdiff_t>(first), count, codes.begin());
  std::fill(codes.begin() + static_cast<std::ptrdiff_t>(count), codes.end(), std::uint32_t{0});
}

/// Makes the window that chunk `at` finds: bit q of a word is that of the step q * lanes before the one of bit 0.
void Strip::fill_window(std::size_t at) {
  const std::size_t step = at * chunk_steps, steps = std::min(step, layout_.stripes());
  std::uint32_t codes[64 * max_lanes * columns];
  copy_codes(step - steps, {codes, steps * columns});
  for (std::size_t plane = 0; plane < columns * layout_.planes; ++plane) {
    std::fill_n(window_.get() + plane * slices::window_words, layout_.lanes, std::uint64_t{0});
  }
  for (std::size_t back = 0, bit = 0; back < steps; ++bit) {
    for (std::size_t lane = 0; lane < layout_.lanes && back < steps; ++lane, ++back) {
      const std::uint32_t* const of_step = codes + (steps - 1 - back) * columns;
      std::uint64_t* word = window_.get() + lane;
      for (std::size_t c = 0; c < columns; ++c) {
        for (std::size_t p = 0; p < layout_.planes; ++p, word += slices::window_words) {
          *word |= std::uint64_t{of_step[c] >> p & 1} << bit;
        }
      }
    }
  }
}

void Strip::move_window(std::size_t at) {
  std::uint32_t codes[chunk_columns];
  copy_codes(at * chunk_steps, codes);
  std::uint64_t* words = window_.get();
  for (std::size_t c = 0; c < columns; ++c) {
    for (std::size_t p = 0; p < layout_.planes; ++p, words += slices::window_words) {
      std::copy_n(words, layout_.lanes, words + chunk_steps);
      for (std::size_t step = 0; step < chunk_steps; ++step) {
        std::uint64_t* const word = words + chunk_steps - 1 - step;
        *word = word[layout_.lanes] << 1 | (codes[step * columns + c] >> p & 1);
      }
    }
  }
}

}  // namespace warpfold::sequence::slices
