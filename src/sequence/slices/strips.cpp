#include "sequence/slices/strips.hpp"

#include <algorithm>
#include <numeric>

namespace warpfold::sequence::slices {

Strips::Strips(const Query& query, const Layout& layout, std::size_t threads)
    : query_(query),
      layout_(layout),
      advance_(kernel(query.measure, layout.planes, false)),
      advance_keeping_(kernel(query.measure, layout.planes, true)),
      done_(std::make_unique<Done[]>(layout.strips())),
      sums_(layout.strips()) {
  for (std::size_t s = 0; s < layout.streams(threads); ++s) streams_.emplace_back(layout);
  if (layout.kept_states() > 0) states_ = aligned_words(layout.kept_states() * layout.state_words());
}

void Strips::run(Team& team, SolveMonitor& monitor) {
  team.run([&](int member) {
    Strip worker(query_, layout_);
    for (auto strip = static_cast<std::size_t>(member); strip < layout_.strips() && !team.failed();
         strip += static_cast<std::size_t>(team.size())) {
      sweep(strip, worker, team, monitor, member == 0);
    }
  });
}

/// Down the left border of each strip, then along its last row to the next strip's first column.
std::int64_t Strips::distance() const {
  const auto n = static_cast<std::int64_t>(layout_.n);
  const std::int64_t sum = std::accumulate(sums_.begin(), sums_.end(), std::int64_t{0});
  return query_.measure == Measure::edit ? n + sum : n + static_cast<std::int64_t>(layout_.m) - 2 * sum;
}

Script Strips::script(const SolveMonitor& monitor) {
  const AlignedWords steps = aligned_words(layout_.kept_steps() * layout_.step_words());
  Strip worker(query_, layout_);
  Walk walk{layout_.n, layout_.m};
  while (walk.i > 0 && walk.j > 0) {
    monitor.check();
    walk_through_part(walk, worker, steps.get());
  }
  return walk.finished();
}

Strips::Place Strips::place_of(std::size_t i, std::size_t j) const {
  const std::size_t row = i - 1 + layout_.rows_before();
  const std::size_t stripe = row % layout_.rows() / layout_.words;
  return {row / layout_.rows(), row % layout_.words, stripe, (j - 1) / columns + stripe};
}

std::uint64_t* Strips::kept_state(std::size_t strip, std::size_t part) {
  return states_.get() + (strip * layout_.states_of_a_strip() + part - 1) * layout_.state_words();
}

/// Only one member `tells` the progress.
void Strips::sweep(std::size_t strip, Strip& worker, Team& team, SolveMonitor& monitor, bool tells) {
  worker.enter(strip);
  const std::size_t last = layout_.last_chunk(strip);
  stream(strip).begin(layout_.first_chunk(strip), last);
  const double cells = cells_of_chunk(strip) * team.size();
  for (std::size_t at = layout_.first_chunk(strip); at < last; ++at) {
    wait_for_strip_above(strip, at, team);
    if (team.failed()) return;
    monitor.check();
    keep_state(strip, at, worker);
    worker.run(advance_, at, above(strip), nullptr);
    stream(strip).put(worker.chunk(), at);
    done_[strip].chunks.store(at + 1, std::memory_order_release);
    if (tells) monitor.advance(cells);
  }
  sum_last_row(strip);
}

void Strips::wait_for_strip_above(std::size_t strip, std::size_t at, const Team& team) const {
  if (strip == 0) return;
  team.wait(done_[strip - 1].chunks, std::min(at + layout_.lag() + 1, layout_.last_chunk(strip - 1)));
}

void Strips::keep_state(std::size_t strip, std::size_t at, const Strip& worker) {
  const std::size_t done = at - layout_.first_chunk(strip);
  if (layout_.interval == 0 || done == 0 || done % layout_.interval != 0) return;
  std::copy_n(worker.state(), layout_.state_words(), kept_state(strip, done / layout_.interval));
}

void Strips::sum_last_row(std::size_t strip) {
  const std::size_t from = layout_.first_column(strip);
  const std::size_t to = strip + 1 < layout_.strips() ? layout_.first_column(strip + 1) : layout_.m;
  sums_[strip] = stream(strip).count(0, from, to, layout_);
  if (layout_.signs == 2) sums_[strip] -= stream(strip).count(1, from, to, layout_);
}

/// The cells of the table that a chunk counts as, so that all chunks are the complete table.
double Strips::cells_of_chunk(std::size_t strip) const {
  const std::size_t chunks = layout_.strips() * (layout_.last_chunk(strip) - layout_.first_chunk(strip));
  return static_cast<double>(layout_.n) * static_cast<double>(layout_.m) / static_cast<double>(chunks);
}

/// Runs the part of a strip that the walk is in again, and walks to its beginning or to the strip's.
void Strips::walk_through_part(Walk& walk, Strip& worker, std::uint64_t* steps) {
  const Place from = place_of(walk.i, walk.j);
  const std::size_t first_of_strip = layout_.first_chunk(from.strip);
  const std::size_t part = (from.chunk() - first_of_strip) / layout_.interval;
  const std::size_t first = first_of_strip + part * layout_.interval;
  if (part > 0) {
    worker.enter(from.strip, first, kept_state(from.strip, part));
  } else {
    worker.enter(from.strip);
  }
  for (std::size_t at = first; at <= from.chunk(); ++at) {
    worker.run(advance_keeping_, at, above(from.strip), steps + (at - first) * chunk_steps * layout_.step_words());
  }
  walk_back(walk, from, first * chunk_steps, steps);
}

/// Walks until it leaves the strip, or comes before `first_step`, whose steps are the first in `steps`.
void Strips::walk_back(Walk& walk, const Place& from, std::size_t first_step, const std::uint64_t* steps) const {
  const std::size_t first_row = layout_.first_row(from.strip);
  const bool is_edit = query_.measure == Measure::edit;
  std::size_t word = from.word;
  std::size_t stripe = from.stripe;
  const auto bit = [&](std::size_t sign) {
    const std::size_t step = (walk.j - 1) / columns + stripe - first_step;
    const std::size_t vector = (step * layout_.words + word) * columns + (walk.j - 1) % columns;
    const std::uint64_t bits = steps[(vector * layout_.signs + sign) * layout_.lanes + stripe % layout_.lanes];
    return (bits >> (stripe / layout_.lanes) & 1) != 0;
  };
  const auto may_substitute = [&](std::size_t, std::size_t) { return is_edit && bit(0); };
  const auto may_delete = [&](std::size_t, std::size_t) { return is_edit ? bit(1) : !bit(0); };
  while (walk.i > first_row && walk.j > 0 && (walk.j - 1) / columns + stripe >= first_step) {
    const Edit edit = step_to(query_.pair.a(), query_.pair.b(), walk.i, walk.j, may_substitute, may_delete);
    walk.take(edit);
    if (edit == Edit::insertion) continue;
    stripe -= word == 0 ? 1 : 0;
    word = word == 0 ? layout_.words - 1 : word - 1;
  }
}

}  // namespace warpfold::sequence::slices
