#include "sequence/warp/strips/layout.hpp"

#include <algorithm>
#include <bit>

#include "sequence/tuning.hpp"

namespace warpfold::sequence::warp::strips {

namespace {

std::size_t rounded_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

/// The vectors of cells that all strips compute, and those of the tiles that a path goes through.
double vectors_of(const Layout& layout, bool has_script) {
  const auto strips = static_cast<double>(layout.strips());
  const double steps =
      layout.band.cells() / static_cast<double>(layout.band.n * columns_together) +
      static_cast<double>(layout.lanes + layout.rows() / columns_together * (layout.band.has_all() ? 0 : 1));
  const double vectors =
      strips * steps * (static_cast<double>(layout.words * columns_together) + tuning::warp_step_vectors);
  if (!has_script) return vectors;
  const auto tile = static_cast<double>(layout.words * columns_together * layout.steps);
  const double chunks = static_cast<double>(layout.band.m) / static_cast<double>(columns_together * layout.steps);
  return vectors + tuning::warp_kept_vector * tile * (strips + chunks);
}

}  // namespace

/// The last row is a step behind the row below it.
Layout::Columns Layout::border_columns(const TablePart& part, std::size_t strip) const {
  const std::size_t lane = last_row(strip) / words;
  const auto column = [&](std::size_t step) { return (step - std::min(step, lane)) * columns_together; };
  const std::size_t first = part.first_chunk * steps, last = part.last_chunk * steps;
  const std::size_t begin = std::max(begin_column(strip), column(first - std::min<std::size_t>(first, 1)));
  return {begin, std::max(begin, std::min(end_column(strip), column(last)))};
}

std::size_t Layout::worker_bytes(bool has_tile) const {
  const std::size_t columns = steps * columns_together;
  const std::size_t values = state_values() + rows() * dimensions + columns_together * lanes * dimensions +
                             columns * (dimensions + 2) + 2 * lanes;
  return (values + (has_tile ? tile_values() : 0)) * value_bytes;
}

std::size_t Layout::fixed_bytes(std::size_t threads, bool has_script) const {
  const std::size_t working = threads * worker_bytes(false) + (has_script ? worker_bytes(true) : 0);
  std::size_t widest = 0;
  for (std::size_t strip = 0; strip < std::min<std::size_t>(strips(), 3); ++strip) {
    widest = std::max(widest, border_bytes(complete_table(*this), strip));
  }
  widest = std::max(widest, border_bytes(complete_table(*this), strips() / 2));
  return working + (threads + 1) * widest + strips() * 128;
}

Layout layout_of(const Size& size, std::size_t threads, std::size_t bytes, std::size_t unit) {
  Layout best{};
  for (std::size_t most = tuning::warp_max_words; most >= tuning::warp_min_words; most /= 2) {
    Layout layout{size.band,
                  size.dimensions,
                  size.lane_bytes,
                  0,
                  0,
                  size.script ? tuning::warp_path_steps : tuning::warp_chunk_steps,
                  unit};
    layout.lanes = size.lane_bytes == sizeof(float) ? lanes<float>() : lanes<double>();
    const std::size_t words = std::max(std::size_t{1}, most / size.dimensions);
    const std::size_t strips = rounded_up(rounded_up(size.band.n, layout.lanes * words), threads) * threads;
    layout.words = unit > 0 ? std::min(std::bit_floor(words), unit / layout.lanes)
                            : rounded_up(size.band.n, layout.lanes * strips);
    while (layout.steps > tuning::warp_min_steps && layout.tile_values() * layout.value_bytes > bytes / 16) {
      layout.steps /= 2;
    }
    if (best.words == 0 || vectors_of(layout, size.script) < vectors_of(best, size.script)) best = layout;
  }
  return best;
}

}  // namespace warpfold::sequence::warp::strips
