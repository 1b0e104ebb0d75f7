#include "sequence/slices/layout.hpp"

#include <algorithm>
#include <utility>

#include "sequence/tuning.hpp"

namespace warpfold::sequence::slices {

namespace {

std::size_t quotient_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

/// The words and the interval between kept states that are cheapest. Among layouts that do not fit the memory decides,
/// among others the time, with that of memory which is touched for the first time.
Layout with_kept_states(Layout layout, std::size_t threads, std::size_t bytes) {
  const auto cost = [&](const Layout& of) {
    const std::size_t taken = of.bytes(threads), beyond = std::max(taken, bytes) - bytes;
    return std::pair(beyond, of.operations(threads) + tuning::byte_operations * static_cast<double>(taken));
  };
  layout.interval = tuning::min_interval;
  Layout best = layout;
  for (; layout.words <= tuning::max_words; ++layout.words) {
    if (!layout.fits_unit()) continue;
    for (Layout next = layout; next.interval < 2 * next.chunks(); next.interval *= 2) {
      if (cost(next) < cost(best)) best = next;
    }
  }
  return best;
}

}  // namespace

std::size_t Layout::strips() const { return quotient_up(n, rows()); }

std::size_t Layout::first_row(std::size_t strip) const { return strip == 0 ? 0 : strip * rows() - rows_before(); }

std::size_t Layout::first_chunk(std::size_t strip) const {
  const std::size_t row = first_row(strip);
  return row > deletions ? std::min(row - deletions, m) / chunk_columns : 0;
}

std::size_t Layout::last_chunk(std::size_t strip) const {
  return chunks_for(std::min(m, first_row(strip + 1) + insertions));
}

std::size_t Layout::chunks() const {
  return chunks_for(std::min(m, rows() + deletions + insertions + chunk_columns)) + 1;
}

std::size_t Layout::chunks_for(std::size_t width) const {
  return quotient_up(quotient_up(width, columns) + stripes() - 1, chunk_steps);
}

std::size_t Layout::kept_steps() const { return std::min(interval, chunks()) * chunk_steps; }

std::size_t Layout::streams(std::size_t threads) const { return interval ? strips() : std::min(strips(), threads + 1); }

std::size_t Layout::bytes(std::size_t threads) const {
  const std::size_t of_a_thread = row_words() + window_words() + state_words() + left_words();
  return sizeof(std::uint64_t) * (streams(threads) * signs * stream_words() + kept_states() * state_words() +
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
  layout.deletions = both + (layout.n > layout.m ? longer : 0);
  layout.insertions = both + (layout.n < layout.m ? longer : 0);
  return layout;
}

Layout for_score(Layout layout, std::size_t threads) {
  Layout best = layout;
  for (layout.words = 1; layout.words <= tuning::max_score_words; ++layout.words) {
    if (layout.fits_unit() && layout.operations(threads) < best.operations(threads)) best = layout;
    if (layout.strips() == 1) break;
  }
  return best;
}

std::size_t parts_at_a_time(std::size_t threads) { return threads < tuning::min_threads_ahead ? 1 : threads; }

Layout for_script(Layout layout, std::size_t threads, std::size_t bytes_left) {
  const std::size_t bytes = std::min(bytes_left, tuning::script_bytes + tuning::symbol_bytes * (layout.n + layout.m));
  layout.parts = parts_at_a_time(threads);
  const Layout by_all = with_kept_states(layout, threads, bytes);
  if (by_all.bytes(threads) <= bytes) return by_all;
  layout.parts = 1;
  return with_kept_states(layout, threads, bytes);
}

}  // namespace warpfold::sequence::slices
