#include "sequence/slices/strips.hpp"

#include <algorithm>
#include <numeric>
#include <thread>

#include "sequence/tuning.hpp"

namespace warpfold::sequence::slices {

Strips::Strips(const Table& table, const Layout& layout, std::size_t threads, SavedRows* saved)
    : Strips(table, layout, share_of_all(threads), saved, nullptr) {}

Strips::Strips(const Table& table, const Layout& layout, const Share& share, RowExchange& exchange)
    : Strips(table, layout, share, nullptr, share.is_all() ? nullptr : &exchange) {}

Strips::Strips(const Table& table, const Layout& layout, const Share& share, SavedRows* saved, RowExchange* exchange)
    : table_(table),
      layout_(layout),
      share_(share),
      advance_(kernel(table.measure, layout.planes, false)),
      advance_keeping_(kernel(table.measure, layout.planes, true)),
      done_(std::make_unique<Done[]>(layout.strips())),
      sums_(layout.strips()),
      saved_(saved),
      exchange_(exchange),
      sent_(passed_from(share.first + share.count - 1)),
      received_(passed_from((share.first + share.total - 1) % share.total)) {
  for (std::size_t s = 0; s < share.streams(layout); ++s) streams_.emplace_back(layout);
  if (table.above) above_.emplace(layout).restore(*table.above, layout.first_chunk(0), layout.last_chunk(0), layout);
  if (share.kept_states(layout) > 0) states_ = aligned_words(share.kept_states(layout) * layout.state_words());
  if (layout.has_tiles()) keep_borders();
}

/// Makes places for the borders of the tiles.
void Strips::keep_borders() {
  const std::size_t row_words = layout_.signs * layout_.kept_row_words(), column_words = layout_.kept_column_words();
  border_words_.resize(layout_.kept_rows() * row_words + layout_.kept_columns() * column_words);
  std::uint64_t* words = border_words_.data();
  for (std::size_t row = 1; row <= layout_.kept_rows(); ++row, words += row_words) {
    const std::size_t strip = row * layout_.tile_strips, begin = layout_.first_column(strip);
    const std::size_t end = std::min(layout_.saved_words(), layout_.last_chunk(strip - 1) * chunk_words);
    kept_rows_.push_back({static_cast<std::ptrdiff_t>(begin), end - begin / 64, layout_.signs, words});
  }
  for (std::size_t column = 1; column <= layout_.kept_columns(); ++column, words += column_words) {
    const auto [first, end] = layout_.strips_at(column * layout_.tile_columns);
    kept_columns_.push_back({&layout_, first, end, 0, words});
  }
}

void Strips::run(Team& team, SolveMonitor& monitor) {
  if (saved_ && saved_->restored() > 0) {
    first_run_ = first_strip_of(saved_->restored());
    restore_row(saved_->restored() - 1);
    monitor.advance(table_.cells() * static_cast<double>(first_run_) / static_cast<double>(layout_.strips()));
  }
  run({.first = first_run_, .end = layout_.strips(), .is_first = !layout_.is_part}, team, monitor);
}

void Strips::run(const Range& range, Team& team, SolveMonitor& monitor) {
  team.run([&](int member) {
    Strip worker = this->worker();
    for (auto strip = range.first + share_.first + static_cast<std::size_t>(member);
         strip < range.end && !team.failed(); strip += share_.total) {
      sweep(strip, worker, range, team, monitor, member);
    }
    while (exchange_ && member == 0 && !team.failed() && !(has_passed(sent_) && has_passed(received_))) pass_rows();
  });
}

std::int64_t Strips::sum() const { return std::accumulate(sums_.begin(), sums_.end(), std::int64_t{0}); }

/// Down the left border of each strip, then along its last row to the next strip's first column.
std::int64_t Strips::distance(std::int64_t sum) const {
  const auto n = static_cast<std::int64_t>(layout_.n);
  return table_.measure == Measure::edit ? n + sum : n + static_cast<std::int64_t>(layout_.m) - 2 * sum;
}

void Strips::walk_back(Walk& walk, std::size_t bytes_left, Team& team, SolveMonitor& monitor) {
  team_ = &team;
  monitor_ = &monitor;
  if (layout_.has_tiles()) return walk_by_tiles(walk, bytes_left);
  while (workers_.size() < static_cast<std::size_t>(team.size())) workers_.push_back(worker());
  while (kept_.size() < layout_.parts) {
    kept_.push_back({.steps = aligned_words(layout_.kept_steps() * layout_.step_words())});
  }
  walk_by_parts(walk, *this, team, monitor);
}

void Strips::walk_by_tiles(Walk& walk, std::size_t bytes_left) {
  const auto threads = static_cast<std::size_t>(team_->size());
  while (walk.i > 0 && walk.j > 0) {
    const std::size_t row = strip_of(walk.i) / layout_.tile_strips, column = (walk.j - 1) / layout_.tile_columns;
    const std::size_t strip = row * layout_.tile_strips;
    run_restored(strip - (strip > 0 ? 1 : 0), walk.j);  // with the row above the tile
    const std::size_t i = layout_.first_row(strip), j = column * layout_.tile_columns;
    Table tile{table_.measure, table_.a.subspan(i, walk.i - i), table_.b.subspan(j, walk.j - j)};
    if (row > 0) tile.above = kept_rows_[row - 1].seen_from(j);
    if (row == 0 && table_.above) tile.above = table_.above->seen_from(j);
    if (column > 0) tile.left = kept_columns_[column - 1].seen_from(i);
    if (column == 0 && table_.left) tile.left = table_.left->seen_from(i);
    const Layout layout = for_script(layout_.part(i, j, walk.i - i, walk.j - j), threads, bytes_left);
    Strips strips(tile, layout, threads);
    strips.run(*team_, *monitor_);
    Walk in_tile{walk.i - i, walk.j - j, std::move(walk.backwards)};
    strips.walk_back(in_tile, bytes_of_tiles(layout, threads, bytes_left), *team_, *monitor_);
    walk = {in_tile.i + i, in_tile.j + j, std::move(in_tile.backwards)};
  }
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
  return states_.get() + (share_.number(strip) * layout_.states_of_a_strip() + part - 1) * layout_.state_words();
}

/// Only member 0 tells the progress, and passes rows.
void Strips::sweep(std::size_t strip, Strip& worker, const Range& range, Team& team, SolveMonitor& monitor,
                   int member) {
  worker.enter(strip);
  const std::size_t end = layout_.last_chunk(strip);
  const std::size_t last = range.columns < layout_.m ? std::min(end, layout_.chunks_for(range.columns)) : end;
  const double cells = cells_of_chunk(strip) * static_cast<double>(share_.total);
  for (std::size_t at = layout_.first_chunk(strip); at < last; ++at) {
    wait_for_strip_above(strip, at, team, member);
    if (team.failed()) return;
    if (at == layout_.first_chunk(strip)) stream(strip).begin(at, end);  // of which no strip reads any more
    if (exchange_ && member == 0 && at % tuning::block_chunks == 0) pass_rows();
    monitor.check();
    keep_state(strip, at, worker);
    keep_column(strip, at, worker);
    worker.run(advance_, at, above(strip), nullptr);
    stream(strip).put(worker.chunk(), at);
    if (at + 1 < last) done_[strip].chunks.store(at + 1, std::memory_order_release);
    if (range.is_first && member == 0) monitor.advance(cells);
  }
  if (range.is_first) sum_last_row(strip);
  if (range.is_first && saved_) save_row(strip);
  if (layout_.has_tiles()) keep_row(strip);
  done_[strip].chunks.store(end, std::memory_order_release);  // a later strip may now take this one's stream
}

void Strips::wait_for_strip_above(std::size_t strip, std::size_t at, const Team& team, int member) {
  if (strip == 0) return;
  const std::size_t least = std::min(at + layout_.lag() + 1, layout_.last_chunk(strip - 1));
  const std::atomic<std::size_t>& chunks = done_[strip - 1].chunks;
  if (!exchange_ || member > 0) return team.wait(chunks, least);
  while (chunks.load(std::memory_order_acquire) < least && !team.failed()) pass_rows();
}

Strips::Passed Strips::passed_from(std::size_t strip) const {
  return {strip, strip < layout_.strips() ? layout_.first_chunk(strip) : 0};
}

/// Sends what the last strip of a round has made, and receives what is above the first one.
void Strips::pass_rows() {
  exchange_->check();
  bool any = false;
  while (!has_passed(sent_) && send_block()) any = true;
  while (!has_passed(received_) && receive_block()) any = true;
  if (!any) std::this_thread::yield();
}

bool Strips::send_block() {
  const std::size_t end = end_of_block(sent_);
  if (done_[sent_.strip].chunks.load(std::memory_order_acquire) < end) return false;
  stream(sent_.strip).copy(sent_.chunk, end, block_);
  exchange_->send(block_);
  sent_ = end < layout_.last_chunk(sent_.strip) ? Passed{sent_.strip, end} : passed_from(sent_.strip + share_.total);
  return true;
}

bool Strips::receive_block() {
  const std::size_t strip = received_.strip, first = layout_.first_chunk(strip), last = layout_.last_chunk(strip);
  const std::size_t end = end_of_block(received_);
  if (!exchange_->receive(block_)) return false;
  if (received_.chunk == first) stream(strip).begin(first, last);
  stream(strip).put(received_.chunk, end, block_);
  received_ = end < last ? Passed{strip, end} : passed_from(strip + share_.total);
  done_[strip].chunks.store(end, std::memory_order_release);
  return true;
}

/// Makes room for the words of a block.
std::size_t Strips::end_of_block(const Passed& passed) {
  const std::size_t end = std::min(passed.chunk + tuning::block_chunks, layout_.last_chunk(passed.strip));
  block_.resize((end - passed.chunk) * chunk_words * layout_.signs);
  return end;
}

void Strips::keep_state(std::size_t strip, std::size_t at, const Strip& worker) {
  const std::size_t done = at - layout_.first_chunk(strip);
  if (layout_.interval == 0 || done == 0 || done % layout_.interval != 0) return;
  std::copy_n(worker.state(), layout_.state_words(), kept_state(strip, done / layout_.interval));
}

/// Of the tiles' borders, the column that the strip comes to with all of its stripes.
void Strips::keep_column(std::size_t strip, std::size_t at, Strip& worker) {
  const std::size_t number = layout_.kept_column_in(at);
  const bool is_there =
      number > 0 && strip >= kept_columns_[number - 1].first_strip && strip < kept_columns_[number - 1].end_strip;
  worker.keep_column(number * layout_.tile_columns, is_there ? kept_columns_[number - 1].of_strip(strip) : nullptr);
}

void Strips::keep_row(std::size_t strip) {
  const std::size_t strips = strip + 1;
  if (strips < layout_.strips() && strips % layout_.tile_strips == 0) {
    stream(strip).save(kept_rows_[strips / layout_.tile_strips - 1], layout_);
  }
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
  stream(strip).save(saved_row(*group), layout_);
  saved_->made(*group);
}

KeptRow Strips::saved_row(std::size_t group) const {
  return {0, layout_.saved_words(), layout_.signs, reinterpret_cast<std::uint64_t*>(saved_->row(group).data())};
}

void Strips::restore_row(std::size_t group) {
  const std::size_t strip = first_strip_of(group + 1) - 1;
  stream(strip).restore(saved_row(group), 0, layout_.last_chunk(strip), layout_);
  done_[strip].chunks = layout_.last_chunk(strip);
}

void Strips::fetch(const std::vector<PartAhead<Part>>& parts) {
  for (const auto& ahead : parts) run_restored(ahead.part.strip, parts[0].j);
}

/// Runs the groups down to a strip's, up to a column.
void Strips::run_restored(std::size_t strip, std::size_t width) {
  while (strip < first_run_) {
    const std::size_t group = *group_above(first_run_);
    const std::size_t first = first_strip_of(group);
    if (group > 0) restore_row(group - 1);
    run({first, first_run_, width, false}, *team_, *monitor_);
    first_run_ = first;
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
