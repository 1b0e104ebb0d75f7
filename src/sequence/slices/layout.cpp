#include "sequence/slices/layout.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "sequence/slices/share.hpp"
#include "sequence/tuning.hpp"

namespace warpfold::sequence::slices {

namespace {

std::size_t quotient_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

std::size_t script_bytes(const Layout& layout, std::size_t bytes_left) {
  return std::min(bytes_left, tuning::script_bytes + tuning::symbol_bytes * (layout.n + layout.m));
}

/// The words and the interval between kept states that are cheapest. Among layouts that do not fit the memory decides,
/// among others the time, with that of memory which is touched for the first time.
Layout with_kept_states(Layout layout, const Share& share, std::size_t bytes, bool by_all_words = true) {
  const auto cost = [&](const Layout& of) {
    const std::size_t taken = share.bytes(of), beyond = std::max(taken, bytes) - bytes;
    return std::pair(beyond, of.operations(share.total) + tuning::byte_operations * static_cast<double>(taken));
  };
  layout.interval = layout.is_part ? tuning::min_part_interval : tuning::min_interval;
  Layout best = layout;
  for (; layout.words <= tuning::max_words; layout.words += by_all_words ? 1 : layout.words) {
    if (!layout.fits_unit()) continue;
    for (Layout next = layout; next.interval < 2 * next.chunks(); next.interval *= 2) {
      if (cost(next) < cost(best)) best = next;
    }
  }
  return best;
}

/// As many tiles on each side as given, or fewer, of entire strips and chunks.
Layout in_tiles(Layout layout, std::size_t threads, std::size_t tiles) {
  layout.interval = 0;
  Layout best = layout;
  for (layout.words = 1; layout.words <= tuning::max_words; ++layout.words) {
    const bool fits = layout.fits_unit() && layout.rows() * tiles <= layout.n;
    if (fits && layout.operations(threads) < best.operations(threads)) best = layout;
  }
  best.tile_strips = quotient_up(best.strips(), tiles);
  best.tile_columns = std::max(quotient_up(quotient_up(best.m, tiles), chunk_columns), best.lag()) * chunk_columns;
  return best;
}

Layout with_least_bytes(const Layout& layout, std::size_t threads);

std::size_t least_bytes(const Layout& layout, std::size_t threads) {
  const Layout least = with_least_bytes(layout, threads);
  return least.bytes(threads) + (least.has_tiles() ? least_bytes(least.tile(), threads) : 0);
}

Layout with_least_bytes(const Layout& layout, std::size_t threads) {
  const Layout by_states = with_kept_states(layout, share_of_all(threads), 0, false),
               tiles = in_tiles(layout, threads, 2);
  const std::size_t least = by_states.bytes(threads), own = tiles.bytes(threads);
  const bool is_less = tiles.is_divided() && own < least && own + least_bytes(tiles.tile(), threads) < least;
  return is_less ? tiles : by_states;
}

/// The most tiles that leave so many bytes for their own walks, or none.
std::optional<Layout> with_most_tiles(const Layout& layout, std::size_t threads, std::size_t bytes, std::size_t left) {
  for (std::size_t tiles = tuning::max_tiles; tiles > 2; tiles -= (tiles + 7) / 8) {
    const Layout next = in_tiles(layout, threads, tiles);
    const std::size_t own = next.bytes(threads);
    if (!next.is_divided() || own + left > bytes) continue;
    if (own + least_bytes(next.tile(), threads) <= bytes) return next;
  }
  return {};
}

/// The tiles that take least time, whose walks fit, too. If none fits, the layout that takes least memory. Tiles of
/// tiles leave a certain part of the memory, or the choice would take long.
Layout with_tiles(const Layout& layout, std::size_t threads, std::size_t bytes) {
  std::optional<Layout> best;
  if (layout.is_part) {
    best = with_most_tiles(layout, threads, bytes, bytes - bytes / tuning::part_for_borders_of_tile);
  } else {
    double least = std::numeric_limits<double>::infinity();
    for (const std::size_t part : tuning::parts_for_tiles) {
      const std::optional<Layout> next = with_most_tiles(layout, threads, bytes, bytes / part);
      const double operations = next ? needs_of_script(*next, threads, bytes).operations : least;
      if (operations < least) best = next;
      least = std::min(least, operations);
    }
  }
  return best ? *best : with_least_bytes(layout, threads);
}

}  // namespace

/// A column of the table, or its first or last one if there is no such column.
std::size_t Layout::column_in(std::ptrdiff_t column) const {
  return static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(column, 0, static_cast<std::ptrdiff_t>(m)));
}

std::size_t Layout::strips() const { return quotient_up(n, rows()); }

std::size_t Layout::first_row(std::size_t strip) const { return strip == 0 ? 0 : strip * rows() - rows_before(); }

std::size_t Layout::first_chunk(std::size_t strip) const {
  return column_in(static_cast<std::ptrdiff_t>(first_row(strip)) - deletions) / chunk_columns;
}

std::size_t Layout::last_chunk(std::size_t strip) const {
  return chunks_for(column_in(static_cast<std::ptrdiff_t>(first_row(strip + 1)) + insertions));
}

std::size_t Layout::chunks() const { return chunks_for(std::min(m, rows() + diagonals() + chunk_columns)) + 1; }

std::size_t Layout::chunks_for(std::size_t width) const {
  return quotient_up(quotient_up(width, columns) + stripes() - 1, chunk_steps);
}

std::size_t Layout::kept_steps() const { return std::min(interval, chunks()) * chunk_steps; }

std::size_t Layout::streams(std::size_t threads) const { return interval ? strips() : std::min(strips(), threads + 1); }

std::size_t Layout::kept_row_words() const { return std::min(saved_words(), stream_words()); }

std::size_t Layout::kept_column_words() const {
  return std::min(strips(), (diagonals() + 2 * chunk_columns) / rows() + 3) * left_words();
}

std::size_t Layout::kept_column_in(std::size_t chunk) const {
  if (!has_tiles()) return 0;
  const std::size_t chunks = tile_columns / chunk_columns, column = chunk / chunks;
  return chunk % chunks < lag() && column <= kept_columns() ? column : 0;
}

Layout::Strips Layout::strips_at(std::size_t column) const {
  Strips found{0, 0};
  while (found.first < strips() && last_chunk(found.first) < column / chunk_columns + lag()) ++found.first;
  found.end = found.first;
  while (found.end < strips() && first_chunk(found.end) <= column / chunk_columns) ++found.end;
  return found;
}

Layout Layout::part(std::size_t row, std::size_t column, std::size_t height, std::size_t width) const {
  const std::ptrdiff_t moved = static_cast<std::ptrdiff_t>(column) - static_cast<std::ptrdiff_t>(row);
  return {.n = height,
          .m = width,
          .planes = planes,
          .signs = signs,
          .lanes = lanes,
          .deletions = deletions + moved,
          .insertions = insertions - moved,
          .is_part = true};
}

Layout Layout::tile() const { return part(0, 0, std::min(n, tile_strips * rows()), std::min(m, tile_columns)); }

std::size_t Layout::bytes(std::size_t threads) const {
  return bytes(streams(threads) + (is_part ? 1 : 0), kept_states(), threads);
}

std::size_t Layout::bytes(std::size_t so_many_streams, std::size_t states, std::size_t threads) const {
  const std::size_t of_a_thread = row_words() + window_words() + state_words() + left_words();
  return sizeof(std::uint64_t) * (so_many_streams * signs * stream_words() + states * state_words() +
                                  kept_rows() * signs * kept_row_words() + kept_columns() * kept_column_words() +
                                  parts * kept_steps() * step_words() + threads * of_a_thread) +
         bytes_of_progress * strips();
}

double Layout::operations_of_chunk() const {
  const auto k = static_cast<double>(words);
  const double cell = static_cast<double>(2 * planes - 1 + 4 * signs) * (planes > 8 ? tuning::many_planes : 1);
  const double cells = std::max(columns * k * cell, 16 * (k + columns));  // a step is not shorter than its chain
  const double moved = tuning::column_operations * static_cast<double>(signs + planes);
  return chunk_steps * (cells + tuning::step_operations + moved);
}

/// The walk goes through every strip once, and begins at a kept state in each.
double Layout::chunks_of_walk() const {
  const std::size_t of_a_strip = rows() / chunk_columns + lag() + interval;
  return static_cast<double>(strips() * std::min(of_a_strip, chunks()));
}

/// The diagonals leave out a triangle at two corners of the table.
double Layout::chunks_of_all_strips() const {
  const auto height = static_cast<double>(rows()), smaller = static_cast<double>(std::min(n, m));
  const auto chunks_left_out = [&](double side) {
    return std::max(0.0, side * (side - height)) / (2 * height * static_cast<double>(chunk_columns));
  };
  const double below = std::clamp(static_cast<double>(n) - static_cast<double>(deletions), 0.0, smaller);
  const double right = std::clamp(static_cast<double>(m) - static_cast<double>(insertions), 0.0, smaller);
  return static_cast<double>(strips() * chunks_for(m)) - chunks_left_out(below) - chunks_left_out(right);
}

/// Until the last strip ends. In a narrow band a strip waits for the one before to be below its first columns, however
/// many threads there are.
double Layout::chunks_of_a_thread(std::size_t threads) const {
  if (threads == 1) return chunks_of_all_strips();
  const auto strips_of_a_thread = static_cast<double>(quotient_up(strips(), threads));
  const double mean = chunks_of_all_strips() / static_cast<double>(strips());
  const std::size_t behind = (std::min(strips(), threads) - 1) * lag();
  const std::size_t chain = last_chunk(strips() - 1) + (strips() - 1) * lag();
  return std::max(strips_of_a_thread * mean + static_cast<double>(behind), static_cast<double>(chain));
}

double Layout::operations(std::size_t threads) const {
  const double walkers = parts == 1 ? 1 : 1 + tuning::ahead_use * static_cast<double>(threads - 1);
  const double walk = interval ? tuning::kept_step * chunks_of_walk() / walkers : 0;
  return (chunks_of_a_thread(threads) + walk) * operations_of_chunk();
}

Layout layout_of(std::size_t n, std::size_t m, int planes, Measure measure) {
  Layout layout;
  layout.n = n;
  layout.m = m;
  layout.planes = planes_of_kernel(static_cast<std::size_t>(planes));
  layout.signs = measure == Measure::edit ? 2 : 1;
  layout.lanes = lanes();
  return layout;
}

Layout within(Layout layout, std::size_t bound) {
  const std::size_t longer = std::max(layout.n, layout.m) - std::min(layout.n, layout.m);
  const std::size_t both = (std::max(bound, longer) - longer) / 2;
  layout.deletions = static_cast<std::ptrdiff_t>(both + (layout.n > layout.m ? longer : 0));
  layout.insertions = static_cast<std::ptrdiff_t>(both + (layout.n < layout.m ? longer : 0));
  return layout;
}

Layout with_all_diagonals(Layout layout) {
  layout.deletions = layout.insertions = all_diagonals;
  return layout;
}

Layout for_score(Layout layout, std::size_t threads, std::size_t bytes_left) {
  Layout best = layout;
  for (layout.words = 1; layout.words <= tuning::max_score_words; ++layout.words) {
    const bool fits = layout.fits_unit() && layout.bytes(threads) <= bytes_left;
    if (fits && layout.operations(threads) < best.operations(threads)) best = layout;
    if (layout.strips() == 1) break;
  }
  return best;
}

std::size_t parts_at_a_time(std::size_t threads) { return threads < tuning::min_threads_ahead ? 1 : threads; }

Layout for_script(Layout layout, std::size_t threads, std::size_t bytes_left) {
  const std::size_t bytes = script_bytes(layout, bytes_left);
  for (const std::size_t parts : {parts_at_a_time(threads), std::size_t{1}}) {
    layout.parts = parts;
    const Layout by_states = with_kept_states(layout, share_of_all(threads), bytes);
    if (by_states.bytes(threads) <= bytes) return by_states;
  }
  return with_tiles(layout, threads, bytes);
}

Layout for_shared_script(Layout layout, const Share& largest, std::size_t parts, std::size_t bytes_left) {
  layout.parts = parts;
  return with_kept_states(layout, largest, script_bytes(layout, bytes_left));
}

std::size_t bytes_of_tiles(const Layout& layout, std::size_t threads, std::size_t bytes_left) {
  const std::size_t bytes = script_bytes(layout, bytes_left);
  return bytes - std::min(bytes, layout.bytes(threads));
}

/// A walk through all tiles of a diagonal, which are as many as there are kept rows or columns, and one more.
Needs needs_of_script(const Layout& layout, std::size_t threads, std::size_t bytes_left) {
  const std::size_t own = layout.bytes(threads);
  if (!layout.has_tiles()) return {own, layout.operations(threads)};
  const std::size_t left = bytes_of_tiles(layout, threads, bytes_left);
  const Needs tile = needs_of_script(for_script(layout.tile(), threads, left), threads, left);
  const auto tiles = static_cast<double>(std::max(layout.kept_rows(), layout.kept_columns()) + 1);
  return {own + tile.bytes, layout.operations(threads) + tiles * tile.operations};
}

}  // namespace warpfold::sequence::slices
