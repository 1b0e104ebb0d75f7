#include "sequence/slices/strip.hpp"

#include <algorithm>
#include <new>

namespace warpfold::sequence::slices {

AlignedWords aligned_words(std::size_t count) {
  auto memory = hwy::AllocateAligned<std::uint64_t>(count);
  if (!memory) throw std::bad_alloc();
  return memory;
}

Strip::Strip(const Query& query, const Layout& layout)
    : query_(query),
      layout_(layout),
      rows_(aligned_words(layout.row_words())),
      window_(aligned_words(layout.window_words())),
      state_(aligned_words(layout.state_words())),
      chunk_{.rows = rows_.get(),
             .words = layout.words,
             .planes = layout.planes,
             .state = state_.get(),
             .window = window_.get(),
             .above = {},
             .below = {},
             .steps = nullptr,
             .first_step = 0,
             .rows_before = 0} {}

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
    set_row_zero_above();
  }
  chunk_.steps = steps;
  chunk_.first_step = at * chunk_steps;
  advance(chunk_);
}

void Strip::set_row_zero_above() {
  std::fill_n(chunk_.above[0], chunk_words, query_.measure == Measure::edit ? ~std::uint64_t{0} : 0);
  std::fill_n(chunk_.above[1], chunk_words, std::uint64_t{0});
}

void Strip::set_rows(std::size_t strip) {
  strip_ = strip;
  chunk_.rows_before = strip == 0 ? layout_.rows_before() : 0;
  const bool is_inverted = query_.measure == Measure::indel;
  std::fill_n(rows_.get(), layout_.row_words(), is_inverted ? ~std::uint64_t{0} : 0);
  for (std::size_t row = chunk_.rows_before; row < layout_.rows(); ++row) {
    set_row(row, query_.pair.a()[strip * layout_.rows() + row - layout_.rows_before()]);
  }
}

void Strip::set_row(std::size_t row, std::uint32_t code) {
  const std::size_t stripe = row / layout_.words;
  for (std::size_t p = 0; p < layout_.planes; ++p) {
    const std::uint64_t bit = std::uint64_t{code >> p & 1} << (stripe / layout_.lanes);
    rows_[((row % layout_.words) * layout_.planes + p) * layout_.lanes + stripe % layout_.lanes] ^= bit;
  }
}

/// No difference in the row above counts, and the rows keep theirs until their column 0.
void Strip::set_first_state() {
  const std::size_t v_words = layout_.words * layout_.lanes * layout_.signs;
  if (query_.measure == Measure::indel) {
    std::fill_n(state_.get(), v_words, std::uint64_t{0});
    std::fill_n(state_.get() + v_words, layout_.state_words() - v_words, ~std::uint64_t{0});
    return;
  }
  for (std::size_t word = 0; word < layout_.state_words(); ++word) {
    const bool is_plus = word / layout_.lanes % 2 == 0;
    state_[word] = is_plus == (word < v_words) ? ~std::uint64_t{0} : 0;
  }
}

std::uint32_t Strip::code_of_b(std::size_t step, std::size_t column) const {
  const std::size_t j = step * columns + column;
  return j < layout_.m ? query_.pair.b()[j] : 0;
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
