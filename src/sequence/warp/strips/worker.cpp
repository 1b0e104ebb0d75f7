#include "sequence/warp/strips/worker.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "sequence/strips/aligned.hpp"

namespace warpfold::sequence::warp::strips {

template <class T>
Worker<T>::Worker(const Points<T>& points, const Layout& layout, bool has_tile)
    : points_(points),
      layout_(layout),
      rows_(aligned<T>(layout.rows() * layout.dimensions)),
      state_(aligned<T>(layout.state_values())),
      columns_(aligned<T>(columns_together * layout.lanes * layout.dimensions)),
      right_(aligned<T>(layout.lanes)),
      down_(aligned<T>(layout.lanes)),
      lane_points_(layout.steps * columns_together * layout.dimensions),
      above_(layout.steps * columns_together),
      below_(layout.steps * columns_together) {
  if (has_tile) tile_ = aligned<T>(layout.tile_values());
  steps_.words = layout.words;
  steps_.dimensions = layout.dimensions;
  steps_.state = state_.get();
  steps_.rows = rows_.get();
  steps_.columns = columns_.get();
  steps_.points = lane_points_.data();
  steps_.above = above_.data();
  steps_.below = below_.data();
}

/// Rows beyond the last one have points of 0. No other row depends on them.
template <class T>
void Worker<T>::set_rows(std::size_t strip) {
  if (strip == strip_) return;
  strip_ = strip;
  const std::size_t dimensions = layout_.dimensions, lanes = layout_.lanes;
  for (std::size_t row = 0; row < layout_.rows(); ++row) {
    const std::size_t i = layout_.first_row(strip) + row, word = row % layout_.words, lane = row / layout_.words;
    for (std::size_t k = 0; k < dimensions; ++k) {
      rows_[(word * dimensions + k) * lanes + lane] = i < layout_.band.n ? points_.a[i * dimensions + k] : T{0};
    }
  }
  const std::size_t last = layout_.last_row(strip) - layout_.first_row(strip);
  steps_.last_word = last % layout_.words;
  steps_.last_lane = last / layout_.words;
}

template <class T>
void Worker<T>::enter(std::size_t strip) {
  set_rows(strip);
  std::fill_n(state_.get(), layout_.state_values(), std::numeric_limits<T>::infinity());
  T* const corner = state_.get() + (layout_.words + columns_together) * layout_.lanes;
  if (strip == 0) corner[0] = 0;
  is_at_state_ = false;
}

template <class T>
void Worker<T>::enter(std::size_t strip, const std::byte* state) {
  set_rows(strip);
  std::memcpy(state_.get(), state, layout_.state_bytes());
  is_at_state_ = true;
}

template <class T>
void Worker<T>::save(std::byte* state) const {
  std::memcpy(state, state_.get(), layout_.state_bytes());
}

/// Sets the points of the step before.
template <class T>
void Worker<T>::set_columns() {
  const std::size_t dimensions = layout_.dimensions, lanes = layout_.lanes;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const std::ptrdiff_t column = column_of(first_step_, lane + 1);
    for (std::size_t at = 0; at < columns_together * dimensions; ++at) {
      columns_[at * lanes + lane] = point_of_b(column + static_cast<std::ptrdiff_t>(at / dimensions), at % dimensions);
    }
  }
}

/// Sets where the lanes are in the band. Returns whether the chunk has a cell outside. Distances beyond 2^20 count as
/// that, which is more than a chunk has rows and columns, so that all types hold them.
template <class T>
bool Worker<T>::set_band() {
  constexpr std::int64_t far = std::int64_t{1} << 20;
  const auto columns = static_cast<std::int64_t>(steps_.steps * columns_together);
  const auto words = static_cast<std::int64_t>(layout_.words);
  bool leaves = false;
  for (std::size_t lane = 0; lane < layout_.lanes; ++lane) {
    const auto row = static_cast<std::int64_t>(layout_.first_row(strip_)) + static_cast<std::int64_t>(lane) * words;
    const std::int64_t offset = column_of(first_step_, lane) - row;
    const std::int64_t right = layout_.band.most - offset, down = offset - layout_.band.least;
    right_[lane] = static_cast<T>(std::clamp(right, -far, far));
    down_[lane] = static_cast<T>(std::clamp(down, -far, far));
    leaves |= right < columns || down < words;
  }
  return leaves;
}

template <class T>
void Worker<T>::prepare(std::size_t chunk, std::size_t end_step, const Border<T>& above) {
  first_step_ = std::max(chunk * layout_.steps, layout_.begin_step(strip_));
  steps_.steps = std::min({(chunk + 1) * layout_.steps, layout_.end_step(strip_), end_step}) - first_step_;
  set_columns();
  const std::ptrdiff_t first = column_of(first_step_, 0);
  const std::size_t columns = steps_.steps * columns_together, dimensions = layout_.dimensions;
  above.read(first, std::span(above_).first(columns));
  const std::ptrdiff_t from = std::max<std::ptrdiff_t>(first, 0);
  const std::ptrdiff_t to = std::min(first + static_cast<std::ptrdiff_t>(columns),
                                     std::ssize(points_.b) / static_cast<std::ptrdiff_t>(dimensions));
  std::fill_n(lane_points_.begin(), columns * dimensions, T{0});
  if (from >= to) return;
  std::copy_n(points_.b.begin() + from * static_cast<std::ptrdiff_t>(dimensions),
              static_cast<std::size_t>(to - from) * dimensions,
              lane_points_.begin() + (from - first) * static_cast<std::ptrdiff_t>(dimensions));
}

template <class T>
void Worker<T>::advance() {
  const bool leaves_band = !layout_.band.has_all() && set_band();
  steps_.right = leaves_band ? right_.get() : nullptr;
  steps_.down = leaves_band ? down_.get() : nullptr;
  kernel<T>(points_.is_squared, layout_.dimensions == 1, leaves_band)(steps_);
}

template <class T>
void Worker<T>::hand_on(std::size_t chunk, Border<T>& below) const {
  const T* const last_row = state_.get() + layout_.words * layout_.lanes;
  std::array<T, columns_together> values;
  for (std::size_t c = 0; c < columns_together; ++c) values[c] = last_row[(c + 1) * layout_.lanes - 1];
  below.set(column_of(chunk * layout_.steps - 1, layout_.lanes - 1), values);
}

template <class T>
void Worker<T>::run(std::size_t chunk, const Border<T>& above, Border<T>& below) {
  if (is_at_state_) hand_on(chunk, below);
  is_at_state_ = false;
  prepare(chunk, layout_.end_step(strip_), above);
  steps_.tile = nullptr;
  advance();
  below.set(column_of(first_step_, steps_.last_lane), std::span(below_).first(steps_.steps * columns_together));
}

template <class T>
void Worker<T>::run_tile(std::size_t chunk, std::size_t last_step, const Border<T>& above) {
  prepare(chunk, last_step + 1, above);
  steps_.tile = tile_.get();
  advance();
}

template <class T>
void Worker<T>::walk_through(WarpingWalk& walk, std::size_t chunk, const Border<T>& above) {
  run_tile(chunk, layout_.step_of(walk.i, walk.j), above);
  const std::size_t top = layout_.first_row(strip_), first_step = chunk * layout_.steps;
  while (!walk.is_done() && walk.i >= top && layout_.step_of(walk.i, walk.j) >= first_step) {
    walk.take(step_to(walk.i, walk.j));
  }
}

template <class T>
Edit Worker<T>::step_to(std::size_t i, std::size_t j) const {
  const std::size_t row = i - layout_.first_row(strip_), lane = row / layout_.words, word = row % layout_.words;
  const std::size_t column = j % columns_together, step_size = (layout_.words + 1) * columns_together;
  const std::size_t step = layout_.step_of(i, j) - first_step_ + 1;
  // The vectors of the tile lie in the order of steps, words and columns.
  const std::size_t left = column > 0 ? step * step_size + (word + 1) * columns_together + column - 1
                                      : (step - 1) * step_size + (word + 2) * columns_together - 1;
  const std::size_t above = step * step_size + word * columns_together + column;
  const auto at = [&](std::size_t vector) { return tile_[vector * layout_.lanes + lane]; };
  return sequence::warp::step_from(at(left - columns_together), at(above), at(left));
}

template class Worker<float>;
template class Worker<double>;

}  // namespace warpfold::sequence::warp::strips
