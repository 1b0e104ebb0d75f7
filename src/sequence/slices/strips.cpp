#include "sequence/slices/strips.hpp"

#include <algorithm>
#include <numeric>

namespace warpfold::sequence::slices {

Strips::Strips(const Query& query, const Layout& layout, std::size_t threads, SavedRows* saved)
    : query_(query),
      layout_(layout),
      advance_(kernel(query.measure, layout.planes, false)),
      advance_keeping_(kernel(query.measure, layout.planes, true)),
      done_(std::make_unique<Done[]>(layout.strips())),
      sums_(layout.strips()),
      saved_(saved) {
  for (std::size_t s = 0; s < layout.streams(threads); ++s) streams_.emplace_back(layout);
  if (layout.kept_states() > 0) states_ = aligned_words(layout.kept_states() * layout.state_words());
}

void Strips::run(Team& team, SolveMonitor& monitor) {
  if (saved_ && saved_->restored() > 0) {
    first_run_ = first_strip_of(saved_->restored());
    restore_row(saved_->restored() - 1);
    monitor.advance(query_.cells() * static_cast<double>(first_run_) / static_cast<double>(layout_.strips()));
  }
  run({first_run_, layout_.strips()}, team, monitor);
}

void Strips::run(const Range& range, Team& team, SolveMonitor& monitor) {
  team.run([&](int member) {
    Strip worker = this->worker();
    for (auto strip = range.first + static_cast<std::size_t>(member); strip < range.end && !team.failed();
         strip += static_cast<std::size_t>(team.size())) {
      sweep(strip, worker, range, team, monitor, range.is_first && member == 0);
    }
  });
}

/// Down the left border of each strip, then along its last row to the next strip's first column.
std::int64_t Strips::distance() const {
  const auto n = static_cast<std::int64_t>(layout_.n);
  const std::int64_t sum = std::accumulate(sums_.begin(), sums_.end(), std::int64_t{0});
  return query_.measure == Measure::edit ? n + sum : n + static_cast<std::int64_t>(layout_.m) - 2 * sum;
}

Script Strips::script(Team& team, SolveMonitor& monitor) {
  team_ = &team;
  monitor_ = &monitor;
  for (int member = 0; member < team.size(); ++member) workers_.push_back(worker());
  for (std::size_t slot = 0; slot < layout_.parts; ++slot) {
    kept_.push_back({.steps = aligned_words(layout_.kept_steps() * layout_.step_words())});
  }
  return walk_by_parts({layout_.n, layout_.m}, *this, team, monitor);
}

std::size_t Strips::chunk_of(std::size_t i, std::size_t j) const {
  const std::size_t stripe = (i - 1 + layout_.rows_before()) % layout_.rows() / layout_.words;
  return ((j - 1) / columns + stripe) / chunk_steps;
}

Strips::Part Strips::part_of(std::size_t i, std::size_t j) const {
  const std::size_t strip = strip_of(i), first = layout_.first_chunk(strip);
  const std::size_t chunk = std::clamp(chunk_of(i, j), first, layout_.last_chunk(strip) - 1);
  return {strip, (chunk - first) / layout_.interval};
}

std::uint64_t* Strips::kept_state(std::size_t strip, std::size_t part) {
  return states_.get() + (strip * layout_.states_of_a_strip() + part - 1) * layout_.state_words();
}

/// Only one member `tells` the progress.
void Strips::sweep(std::size_t strip, Strip& worker, const Range& range, Team& team, SolveMonitor& monitor,
                   bool tells) {
  worker.enter(strip);
  const std::size_t end = layout_.last_chunk(strip);
  const std::size_t last = range.columns < layout_.m ? std::min(end, layout_.chunks_for(range.columns)) : end;
  stream(strip).begin(layout_.first_chunk(strip), end);
  const double cells = cells_of_chunk(strip) * team.size();
  for (std::size_t at = layout_.first_chunk(strip); at < last; ++at) {
    wait_for_strip_above(strip, at, team);
    if (team.failed()) return;
    monitor.check();
    keep_state(strip, at, worker);
    worker.run(advance_, at, above(strip), nullptr);
    stream(strip).put(worker.chunk(), at);
    if (at + 1 < last) done_[strip].chunks.store(at + 1, std::memory_order_release);
    if (tells) monitor.advance(cells);
  }
  if (range.is_first) sum_last_row(strip);
  if (range.is_first && saved_) save_row(strip);
  done_[strip].chunks.store(end, std::memory_order_release);  // a later strip may now take this one's stream
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

/// Groups are counted from the last row, because the first strip begins above the first row.
std::size_t Strips::first_strip_of(std::size_t group) const {
  const RowGroups& groups = saved_->groups();
  const std::size_t units_below = groups.units - (group == 0 ? 0 : groups.end(group - 1));
  const std::size_t strips_below = units_below * (layout_.unit / layout_.rows());
  return group == 0 ? 0 : layout_.strips() - strips_below;
}

/// The group that ends above a strip.
std::optional<std::size_t> Strips::group_above(std::size_t strip) const {
  const std::size_t strips_below = layout_.strips() - strip, strips_of_unit = layout_.unit / layout_.rows();
  if (strips_below % strips_of_unit != 0) return {};
  return saved_->groups().ending_after(saved_->groups().units - strips_below / strips_of_unit);
}

void Strips::save_row(std::size_t strip) {
  const std::optional<std::size_t> group = group_above(strip + 1);
  if (!group) return;
  stream(strip).save(reinterpret_cast<std::uint64_t*>(saved_->row(*group).data()), layout_);
  saved_->made(*group);
}

void Strips::restore_row(std::size_t group) {
  const std::size_t strip = first_strip_of(group + 1) - 1;
  const auto* const words = reinterpret_cast<const std::uint64_t*>(saved_->row(group).data());
  stream(strip).restore(words, layout_.last_chunk(strip), layout_);
  done_[strip].chunks = layout_.last_chunk(strip);
}

/// Runs the groups of these parts, up to the walk's column.
void Strips::fetch(const std::vector<PartAhead<Part>>& parts) {
  for (const auto& ahead : parts) {
    while (ahead.part.strip < first_run_) {
      const std::size_t group = *group_above(first_run_);
      const std::size_t first = first_strip_of(group);
      if (group > 0) restore_row(group - 1);
      run({first, first_run_, parts[0].j, false}, *team_, *monitor_);
      first_run_ = first;
    }
  }
}

/// The cells of the table that a chunk counts as, so that all chunks are the complete table.
double Strips::cells_of_chunk(std::size_t strip) const {
  const std::size_t chunks = layout_.strips() * (layout_.last_chunk(strip) - layout_.first_chunk(strip));
  return static_cast<double>(layout_.n) * static_cast<double>(layout_.m) / static_cast<double>(chunks);
}

void Strips::compute(const PartAhead<Part>& ahead, std::size_t slot, int member) {
  const Part& part = ahead.part;
  Strip& worker = workers_[static_cast<std::size_t>(member)];
  KeptPart& kept = kept_[slot];
  const std::size_t first = layout_.first_chunk(part.strip) + part.number * layout_.interval;
  const std::size_t last_row = std::min(ahead.i, layout_.first_row(part.strip + 1));
  const std::size_t last =
      std::min({chunk_of(last_row, ahead.j) + 1, first + layout_.interval, layout_.last_chunk(part.strip)});
  if (part.number > 0) {
    worker.enter(part.strip, first, kept_state(part.strip, part.number));
  } else {
    worker.enter(part.strip);
  }
  for (std::size_t at = first; at < last; ++at) {
    std::uint64_t* const steps = kept.steps.get() + (at - first) * chunk_steps * layout_.step_words();
    worker.run(advance_keeping_, at, above(part.strip), steps);
  }
  kept.first_step = first * chunk_steps;
  kept.first_row = layout_.first_row(part.strip);
  kept.rows_before = part.strip == 0 ? layout_.rows_before() : 0;
}

}  // namespace warpfold::sequence::slices
