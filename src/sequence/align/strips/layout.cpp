#include "sequence/align/strips/layout.hpp"

#include <algorithm>
#include <limits>

#include "sequence/align/strips/kernel.hpp"
#include "sequence/tuning.hpp"

namespace warpfold::sequence::alignment::strips {

namespace {

std::size_t rounded_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

/// How much H, with its bias, rises at most from a row or column to the next one, besides a gap that was opened once.
std::int64_t rise_of(std::int64_t max_score, std::int64_t extend) {
  return std::max({max_score + 2 * extend, extend, std::int64_t{1}});
}

/// Sets what the values of a chunk are relative to. Returns whether they fit.
///
/// Let e be the cost to extend a gap, o that to open it. One gap leads from any cell to any cell below it or right of
/// it. So H(i,j) is at least H of the chunk's corner minus two gaps. On the other hand, an alignment of d rows more is
/// better by at most d (s + e) + o for a largest score s >= 0: if its last d rows are left out, their matches become
/// insertions. The same holds for columns. E of the column before a chunk may be less than the corner by one more
/// column.
///
/// What a band leaves out is replaced by one gap from the corner where the band begins or ends. A row or column that is
/// left out may be part of a gap that goes on. So the bounds above may take one more cost to open a gap, which they
/// have.
bool set_range(Layout& layout, std::int64_t max_score) {
  const auto span = static_cast<std::int64_t>(layout.rows() + layout.columns);
  const std::int64_t open = layout.open, extend = layout.extend;
  const std::int64_t rise = rise_of(max_score, extend);
  if (layout.is_local) {
    layout.least_zero = 4 * (open + extend) + static_cast<std::int64_t>(layout.words + 1) * extend + 16;
    layout.corner = layout.least_zero + 4 * (open + extend) + span * extend + rise;
    layout.least_score = -2 * (open + extend) - 1;
  } else {
    layout.least_zero = 0;
    layout.corner = 8 * open + rise + 16;
    layout.least_score = -2 * open;
  }
  const std::int64_t most = layout.corner + (span + 1) * rise + 8 * (open + extend);
  return most <= (layout.value_bytes == 2 ? std::int64_t{std::numeric_limits<std::uint16_t>::max()}
                                          : std::int64_t{std::numeric_limits<std::uint32_t>::max()});
}

/// The largest costs and scores that the arithmetic above takes without an overflow.
constexpr std::int64_t max_cost = std::int64_t{1} << 31;

/// Whether chunks are run in 8 bits, and how. A code is left for rows behind the last one.
std::optional<NarrowStrip> narrow_for(const Layout& layout, const Size& size) {
  if (layout.is_local || size.codes > std::numeric_limits<std::uint8_t>::max() || !narrow_kernel(false)) return {};
  return narrow_strip(layout.open, rise_of(size.max_score, layout.extend), size.min_score + 2 * layout.extend,
                      layout.band ? layout.open : 0);
}

/// The fewest words that hold all rows in as many strips as `max_words` words would have, or a few more, so that all
/// threads have as many.
std::size_t words_for(std::size_t n, std::size_t lanes, std::size_t max_words, std::size_t threads) {
  std::size_t strips = rounded_up(n, 2 * lanes * max_words);
  if (strips > threads) strips = rounded_up(strips, threads) * threads;
  return rounded_up(n, 2 * lanes * strips);
}

}  // namespace

// Let H(i0,j0) be the corner of a group, o the cost to open a gap and r the rise, and let i >= i0 and j >= j0. Two gaps
// lead from the corner to (i,j), an insertion last. So H(i,j), and E(i,j) for j > j0, is at least the corner's less 2
// o. An alignment that ends in (i,j) crosses row i0 or column j0 below or right of the corner. What it gains up to
// there and from there on is at most r for each row, or for each column, and o once. So H(i,j) is at most the corner's
// plus max(i - i0, j - j0) r + o. The least value without saturation is E when the base moves: o more below the corner
// of the column before, from which H may have risen. The group's first diagonal is as much lower, but for a gap, and
// gets a score. The largest is a deletion into a lane, before the cost to open a gap is taken back. In a band H may
// rise by `slack` besides, once.
//
// F of a group's first row i, for j > j0, is at least E(i-1,j) - o >= H(i-1,j0) - 2 o, and H(i,j0) is at most
// H(i-1,j0) + r + o. So F is at least the group's corner less 3 o + r, which is not below 0: it moves to the group's
// base without saturation.
std::optional<NarrowStrip> narrow_strip(std::int64_t open, std::int64_t rise, std::int64_t min_score,
                                        std::int64_t slack) {
  constexpr std::int64_t most = std::numeric_limits<std::uint8_t>::max();
  constexpr std::int64_t least_rows = 4, max_rows = 32;
  NarrowStrip strip{};
  strip.least_score = std::max(min_score, -2 * open);
  const std::int64_t corner = 2 * open + rise + std::max(open, -strip.least_score) + slack;
  const std::int64_t group = std::min((most - corner - open - slack) / rise + 1, max_rows) / least_rows * least_rows;
  const std::int64_t columns = std::min((most - corner - 2 * open - slack) / rise, max_rows);
  if (corner + 2 * open + slack > most || group < least_rows || columns < least_rows) return {};
  strip.group = static_cast<std::size_t>(group);
  strip.columns = static_cast<std::size_t>(columns);
  strip.corner = static_cast<std::uint8_t>(corner);
  return strip;
}

std::size_t Layout::worker_bytes(bool has_tile) const {
  const std::size_t vectors = max_vector_bytes * 8 + rows() * 3 * sizeof(std::uint32_t);
  const std::size_t profile = codes * rows() * (narrow ? 1 : value_bytes);
  const std::size_t work = 4 * state_bytes() + 2 * (2 * columns + 1) * value_bytes + columns * value_bytes;
  const std::size_t in_8_bits = narrow ? 13 * rows() + NarrowStrip::memory_bytes(words, 2 * lanes) : 0;
  return profile + in_8_bits + work + vectors + (has_tile ? tile_bytes() : 0);
}

std::size_t Layout::workers_bytes(std::size_t threads, bool has_script) const {
  return threads * worker_bytes(is_local) + (has_script ? worker_bytes(true) : 0);
}

std::size_t Layout::fixed_bytes(std::size_t threads, bool has_script) const {
  return workers_bytes(threads, has_script) + (threads + 2) * border_bytes(max_chunks()) + strips() * 128;
}

std::optional<Layout> layout_of(const Size& size, std::size_t threads, std::size_t bytes,
                                const std::optional<Diagonals>& band, std::size_t unit) {
  const auto& gaps = size.request.gaps;
  const std::int64_t largest = std::max({gaps.open, gaps.extend, std::abs(size.max_score), std::abs(size.min_score)});
  if (largest > max_cost) return {};
  Layout layout{};
  layout.n = std::max<std::size_t>(1, static_cast<std::size_t>(size.n));
  layout.m = static_cast<std::size_t>(size.m);
  layout.is_local = size.request.ends.local;
  layout.compares = !size.has_matrix && size.codes > tuning::profile_codes;
  layout.open = gaps.open;
  layout.extend = gaps.extend;
  layout.codes = layout.compares ? 1 : size.codes;
  layout.band = band;
  layout.unit = unit;
  for (const std::size_t value_bytes : {sizeof(std::uint16_t), sizeof(std::uint32_t)}) {
    layout.value_bytes = value_bytes;
    layout.lanes = value_bytes == 2 ? lanes<std::uint16_t>() : lanes<std::uint32_t>();
    if (value_bytes == 2 && size.codes > std::numeric_limits<std::uint16_t>::max()) continue;
    layout.narrow = value_bytes == 2 ? narrow_for(layout, size) : std::nullopt;
    const std::size_t max_rows = band            ? tuning::band_strip_rows
                                 : layout.narrow ? tuning::narrow_strip_rows
                                                 : tuning::strip_rows;
    std::size_t max_words = max_rows / (2 * layout.lanes);
    // Without a unit, strips have only as many rows as the sequence needs. With one they may have to be as low.
    const std::size_t least_words = unit > 0 ? 1 : 4;
    layout.columns = tuning::chunk_columns;
    for (;; max_words /= 2) {
      layout.words = unit > 0 ? std::min(max_words, unit / (2 * layout.lanes))
                              : words_for(layout.n, layout.lanes, max_words, threads);
      const bool fits = set_range(layout, size.max_score);
      const bool is_small = max_words <= 4 || layout.workers_bytes(threads, size.request.script) <= bytes;
      if (fits && is_small && (!band || layout.rows() >= layout.columns)) return layout;
      if (max_words <= least_words) break;
      layout.columns = std::max<std::size_t>(layout.columns / 2, 64);
    }
  }
  return {};
}

}  // namespace warpfold::sequence::alignment::strips
