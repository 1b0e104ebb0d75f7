#include "sequence/align/strips/worker.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <span>

#include "sequence/strips/aligned.hpp"

namespace warpfold::sequence::alignment::strips {

namespace {

template <class T>
Advance<T> kernel_for(const Layout& layout) {
  if constexpr (sizeof(T) == 2) {
    if (layout.narrow) return narrow_kernel(layout.compares);
  }
  return kernel<T>(layout.is_local, layout.compares);
}

}  // namespace

template <class T>
Border<T> first_border(const Query& query, const Layout& layout) {
  Border<T> border;
  border.set(layout, complete_table(layout), 0);
  for (std::size_t chunk = 0; chunk < layout.end_chunk(0); ++chunk) {
    const std::size_t before = layout.first_column(chunk);
    const auto at = [&](std::size_t j) { return query.above(j) + layout.bias() * static_cast<std::int64_t>(j); };
    border.base(chunk) = at(before) - layout.corner;
    for (std::size_t j = 0; j <= layout.columns_of(chunk); ++j) {
      const std::int64_t value = at(before + j) - border.base(chunk);
      border.best(chunk)[j] = static_cast<T>(value);
      const std::int64_t to_first = layout.is_local ? layout.open + layout.extend : layout.open;
      if (j > 0) border.deleted(chunk)[j - 1] = static_cast<T>(value - to_first);
    }
  }
  return border;
}

template <class T>
void Border<T>::save(const Layout& layout, std::size_t /*strip*/, std::span<std::byte> row) const {
  const std::int64_t first = base(0) + best(0)[0];
  std::memcpy(row.data(), &first, sizeof first);
  std::byte* to = row.data() + sizeof first;
  for (std::size_t chunk = 0; chunk < layout.chunks(); ++chunk) {
    for (std::size_t j = 0; j < layout.columns_of(chunk); ++j, to += 2 * sizeof(std::uint32_t)) {
      const std::uint32_t values[] = {static_cast<std::uint32_t>(base(chunk) + best(chunk)[j + 1]),
                                      static_cast<std::uint32_t>(base(chunk) + deleted(chunk)[j])};
      std::memcpy(to, values, sizeof values);
    }
  }
}

template <class T>
void Border<T>::restore(const Layout& layout, std::size_t /*strip*/, std::span<const std::byte> row) {
  const auto near = [](std::int64_t value, std::uint32_t bits) {
    return value + static_cast<std::int32_t>(bits - static_cast<std::uint32_t>(value));
  };
  std::int64_t value = 0;
  std::memcpy(&value, row.data(), sizeof value);
  const std::byte* from = row.data() + sizeof value;
  for (std::size_t chunk = 0; chunk < layout.chunks(); ++chunk) {
    base(chunk) = value - layout.corner;
    best(chunk)[0] = static_cast<T>(layout.corner);
    for (std::size_t j = 0; j < layout.columns_of(chunk); ++j, from += 2 * sizeof(std::uint32_t)) {
      std::uint32_t bits[2];
      std::memcpy(bits, from, sizeof bits);
      value = near(value, bits[0]);
      best(chunk)[j + 1] = static_cast<T>(value - base(chunk));
      deleted(chunk)[j] = static_cast<T>(near(value, bits[1]) - base(chunk));
    }
  }
}

template class Border<std::uint16_t>;
template class Border<std::uint32_t>;

template <class T>
Worker<T>::Worker(const Table& table, const Layout& layout, bool has_tile)
    : query_(table.query),
      layout_(layout),
      band_ends_(table.band_ends),
      advance_(kernel_for<T>(layout)),
      profile_(aligned<T>(layout.narrow ? 0 : layout.codes * layout.rows())),
      state_(aligned<T>(2 * layout.rows())),
      carried_(aligned<T>(2 * layout.lanes)),
      symbols_(layout.columns),
      above_best_(layout.columns + 1),
      above_deleted_(layout.columns),
      between_best_(layout.columns + 1),
      between_deleted_(layout.columns),
      unused_best_(layout.columns + 1),
      unused_deleted_(layout.columns) {
  for (std::uint32_t lane = 0; lane < 2 * layout.lanes; ++lane) {
    for (std::uint32_t word = 0; word < layout.words; ++word) {
      const std::size_t half = lane / layout.lanes * (layout.rows() / 2);
      places_.push_back({static_cast<std::uint32_t>(half + word * layout.lanes + lane % layout.lanes), word, lane});
    }
  }
  if (layout.narrow) narrow_.emplace(query_, layout, has_tile);
  if (has_tile && !layout.narrow) {
    tile_ = aligned<T>((layout.columns + 1) * layout.rows());
    tile_carried_ = aligned<T>((layout.columns + 1) * 2 * layout.lanes);
  }
  chunk_.words = layout.words;
  chunk_.profile_size = layout.rows();
  chunk_.symbols = symbols_.data();
  chunk_.open = static_cast<T>(layout.is_local ? layout.open + layout.extend : layout.open);
  chunk_.extend = static_cast<T>(layout.is_local ? layout.extend : 0);
  if (!layout.compares) return;
  chunk_.match = biased(query_.pair.score(0, 0));
  chunk_.mismatch = biased(query_.pair.score(0, 1));
}

/// Scores below the least one count as this one: two gaps are as good.
template <class T>
T Worker<T>::biased(std::int64_t score) const {
  return static_cast<T>(std::max(score + 2 * layout_.bias(), layout_.least_score));
}

template <class T>
T Worker<T>::profile_of(std::size_t row, std::uint32_t code) const {
  if (layout_.compares) {
    return row < query_.n() ? static_cast<T>(query_.pair.a()[row]) : std::numeric_limits<T>::max();
  }
  return row < query_.n() ? biased(query_.pair.score(query_.pair.a()[row], code)) : static_cast<T>(layout_.least_score);
}

template <class T>
void Worker<T>::set_rows(std::size_t strip) {
  if (strip == strip_) return;
  strip_ = strip;
  if (narrow_) return narrow_->set_rows(strip);
  for (std::uint32_t code = 0; code < layout_.codes; ++code) {
    T* const profile = profile_.get() + code * layout_.rows();
    for (std::size_t row = 0; row < layout_.rows(); ++row) {
      profile[places_[row].in_column] = profile_of(layout_.first_row(strip) + row, code);
    }
  }
}

template <class T>
void Worker<T>::enter(std::size_t strip) {
  set_rows(strip);
  const auto at = [&](std::size_t i) { return query_.left_of(i) + layout_.bias() * static_cast<std::int64_t>(i); };
  const std::size_t first = layout_.first_row(strip);
  base_ = at(first) - layout_.corner;
  for (std::size_t row = 0; row < layout_.rows(); ++row) {
    const std::int64_t value = at(first + row + 1) - base_;
    state_[places_[row].in_column] = static_cast<T>(value);
    state_[layout_.rows() + places_[row].in_column] = static_cast<T>(value - layout_.open);
  }
}

template <class T>
void Worker<T>::enter(std::size_t strip, const std::byte* state) {
  set_rows(strip);
  std::memcpy(&base_, state, sizeof base_);
  std::memcpy(state_.get(), state + sizeof base_, layout_.state_bytes() - sizeof base_);
}

template <class T>
void Worker<T>::save(std::byte* state) const {
  std::memcpy(state, &base_, sizeof base_);
  std::memcpy(state + sizeof base_, state_.get(), layout_.state_bytes() - sizeof base_);
}

template <class T>
void Worker<T>::rebase(std::int64_t base) {
  const auto change = static_cast<T>(base_ - base);
  for (T& value : std::span(state_.get(), 2 * layout_.rows())) value = static_cast<T>(value + change);
  base_ = base;
}

/// Goes to the column before a band, which is one deletion from the corner.
template <class T>
void Worker<T>::begin_at_corner(std::int64_t corner) {
  base_ = corner - layout_.corner;
  std::fill_n(state_.get(), layout_.rows(), static_cast<T>(layout_.corner - layout_.open));
  std::fill_n(state_.get() + layout_.rows(), layout_.rows(), static_cast<T>(layout_.corner - 2 * layout_.open));
}

/// Takes the row above a chunk, and moves the state to its corner. Behind the band the row is one insertion from the
/// band's end.
template <class T>
void Worker<T>::set_above(std::size_t chunk, std::size_t columns, const Border<T>& above) {
  const std::size_t end = strip_ > 0 ? layout_.end_chunk(strip_ - 1) : layout_.chunks();
  const bool is_behind = chunk >= end;
  const std::int64_t band_end = is_behind ? std::atomic_ref(band_ends_[strip_ - 1]).load(std::memory_order_relaxed) : 0;
  const std::int64_t corner =
      !is_behind ? above.best(chunk)[0] + above.base(chunk) : band_end - (chunk > end ? layout_.open : 0);
  if (chunk > 0 && chunk == layout_.begin_chunk(strip_)) {
    begin_at_corner(corner);
  } else {
    rebase(corner - layout_.corner);
  }
  if (is_behind) {
    const std::int64_t value = band_end - layout_.open - base_;
    std::fill_n(above_best_.begin(), columns + 1, static_cast<T>(value));
    above_best_[0] = static_cast<T>(layout_.corner);
    std::fill_n(above_deleted_.begin(), columns, static_cast<T>(value - layout_.open));
    return;
  }
  const auto change = static_cast<T>(above.base(chunk) - base_);
  for (std::size_t j = 0; j <= columns; ++j) above_best_[j] = static_cast<T>(above.best(chunk)[j] + change);
  for (std::size_t j = 0; j < columns; ++j) above_deleted_[j] = static_cast<T>(above.deleted(chunk)[j] + change);
}

template <class T>
void Worker<T>::prepare(std::size_t chunk, std::size_t rows, std::size_t columns, const Border<T>& above) {
  set_above(chunk, columns, above);
  const std::uint32_t* const symbols = query_.pair.b().data() + layout_.first_column(chunk);
  for (std::size_t j = 0; j < columns; ++j) symbols_[j] = static_cast<T>(symbols[j]);
  chunk_.columns = columns;
  chunk_.halves = rows > layout_.rows() / 2 ? 2 : 1;
  chunk_.zero = layout_.is_local ? static_cast<T>(std::max(layout_.least_zero, -base_)) : T{0};
  std::fill_n(carried_.get(), 2 * layout_.lanes, chunk_.zero);
}

template <class T>
void Worker<T>::set_halves(std::size_t rows, T* below_best, T* below_deleted) {
  const std::size_t rows_of_half = layout_.rows() / 2;
  const std::size_t last = (rows - 1) % rows_of_half;
  for (std::size_t h = 0; h < 2; ++h) {
    const bool is_last = h + 1 >= chunk_.halves;
    Half<T>& half = chunk_.half[h];
    half.inserted = state_.get() + layout_.rows() + h * rows_of_half;
    half.profile = profile_.get() + h * rows_of_half;
    half.above_best = h == 0 ? above_best_.data() : between_best_.data();
    half.above_deleted = h == 0 ? above_deleted_.data() : between_deleted_.data();
    half.below_best = is_last ? below_best : between_best_.data();
    half.below_deleted = is_last ? below_deleted : between_deleted_.data();
    half.last_word = is_last ? last % layout_.words : layout_.words - 1;
    half.last_lane = is_last ? last / layout_.words : layout_.lanes - 1;
  }
}

template <class T>
void Worker<T>::begin_at_state() {
  for (std::size_t h = 0; h < 2; ++h) {
    chunk_.half[h].best = state_.get() + h * layout_.rows() / 2;
    chunk_.half[h].carried = carried_.get() + h * layout_.lanes;
  }
}

template <class T>
void Worker<T>::run(std::size_t chunk, const Border<T>& above, Border<T>& below) {
  prepare(chunk, rows(), layout_.columns_of(chunk), above);
  below.base(chunk) = base_;
  set_halves(rows(), below.best(chunk), below.deleted(chunk));
  chunk_.column_size = chunk_.carried_size = 0;
  begin_at_state();
  if (narrow_) chunk_.narrow = narrow_->strip(false);
  advance_(chunk_);
  if (!narrow_) add_carried();
  if (!layout_.band || chunk + 1 < layout_.end_chunk(strip_)) return;
  const std::int64_t end = below.base(chunk) + below.best(chunk)[layout_.columns_of(chunk)];
  std::atomic_ref(band_ends_[strip_]).store(end, std::memory_order_relaxed);
}

template <class T>
void Worker<T>::run_tile(std::size_t chunk, std::size_t rows, std::size_t columns, const Border<T>& above) {
  prepare(chunk, rows, columns, above);
  set_halves(rows, unused_best_.data(), unused_deleted_.data());
  if (narrow_) {
    begin_at_state();
    chunk_.narrow = narrow_->strip(true);
    return advance_(chunk_);
  }
  chunk_.column_size = layout_.rows();
  chunk_.carried_size = 2 * layout_.lanes;
  std::copy_n(state_.get(), layout_.rows(), tile_.get());
  std::fill_n(tile_carried_.get(), 2 * layout_.lanes, chunk_.zero);
  for (std::size_t h = 0; h < 2; ++h) {
    chunk_.half[h].best = tile_.get() + h * layout_.rows() / 2;
    chunk_.half[h].carried = tile_carried_.get() + h * layout_.lanes;
  }
  advance_(chunk_);
}

template <class T>
void Worker<T>::walk_through(AlignmentWalk& walk, std::size_t chunk, const Border<T>& above) {
  const std::size_t top = layout_.first_row(strip_), left = layout_.first_column(chunk);
  run_tile(chunk, walk.i() - top, walk.j() - left, above);
  const auto at = [&](std::size_t i, std::size_t j) {
    return layout_.unbiased(i == top ? base_ + above_best_[j - left] : in_tile(i - top, j - left), i, j);
  };
  const auto deleted_to = [&](std::size_t j, std::size_t length) {
    const std::int64_t to_first_row = base_ + above_deleted_[j - left - 1];
    return layout_.unbiased(to_first_row, top + 1, j) - layout_.extend * static_cast<std::int64_t>(length - 1);
  };
  walk.walk_through(top, left, at, deleted_to);
}

/// Adds the deletions that the last column's scan found to H.
template <class T>
void Worker<T>::add_carried() {
  for (std::size_t h = 0; h < chunk_.halves; ++h) {
    const T* const carried = chunk_.half[h].carried;
    for (std::size_t word = 0; word < layout_.words; ++word) {
      T* const values = chunk_.half[h].best + word * layout_.lanes;
      const auto lost = static_cast<T>(word * chunk_.extend);
      for (std::size_t lane = 0; lane < layout_.lanes; ++lane) {
        values[lane] = std::max(values[lane], static_cast<T>(carried[lane] - lost));
      }
    }
  }
}

template <class T>
std::int64_t Worker<T>::in_tile(std::size_t row, std::size_t column) const {
  if (narrow_) return base_ + narrow_->in_tile(row - 1, column);
  const Place& place = places_[row - 1];
  const T value = tile_[column * layout_.rows() + place.in_column];
  if (column == 0) return base_ + value;
  const T carried = tile_carried_[2 * column * layout_.lanes + place.lane];
  return base_ + std::max(value, static_cast<T>(carried - static_cast<T>(place.word * chunk_.extend)));
}

template <class T>
BestEnd Worker<T>::find_best(std::size_t chunk) const {
  BestEnd found;
  for (std::size_t column = 1; column <= chunk_.columns; ++column) {
    const T* const values = tile_.get() + column * layout_.rows();
    bool is_here = false;
    for (std::size_t place = 0; place < chunk_.halves * layout_.rows() / 2; ++place)
      is_here |= values[place] == chunk_.best;
    if (!is_here) continue;
    for (std::size_t row = 1; row <= rows(); ++row) {
      if (values[places_[row - 1].in_column] != chunk_.best) continue;
      found.offer_any({best(), layout_.first_row(strip_) + row, layout_.first_column(chunk) + column});
      break;
    }
  }
  return found;
}

template class Worker<std::uint16_t>;
template class Worker<std::uint32_t>;
template Border<std::uint16_t> first_border(const Query&, const Layout&);
template Border<std::uint32_t> first_border(const Query&, const Layout&);

}  // namespace warpfold::sequence::alignment::strips
