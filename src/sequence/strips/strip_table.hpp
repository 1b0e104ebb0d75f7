#pragma once

#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <vector>

#include "sequence/saved_rows.hpp"
#include "sequence/strips/grid.hpp"
#include "warpfold/run/backend.hpp"
#include "warpfold/run/team.hpp"

/// The strips of a table, computed by a team, and the walk back through them. A `Worker` computes one strip at a time,
/// chunk by chunk. It has
///
/// * `LayoutOf`, `BorderOf`, `Input`: the types of the layout, of the row below a strip, and of the sequences;
/// * `Worker(input, layout, has_tile)`: `has_tile` if it keeps all cells of a chunk;
/// * `enter(strip)`, `enter(strip, state)`: goes to the beginning of a strip, or to a state; `save(state)`: copies it;
/// * `run(chunk, above, below)`: runs a chunk and sets its part of the border below;
/// * `walk_through(walk, chunk, above)`: runs a chunk again, keeps all cells, and walks until it leaves the chunk.
///
/// A `Walk` has `is_done()`. For a checkpoint, a `Border` also has `save(layout, strip, row)` and `restore(layout,
/// strip, row)`, which copy the row below a strip in a form that all layouts have in common, and a `Layout`
/// `unit_strips()`, the strips of a unit of RowGroups.
namespace warpfold::sequence {

/// The borders and states that are kept of a part. What is outside comes from the part around it.
template <class Worker>
class KeptPart {
 public:
  using Layout = typename Worker::LayoutOf;
  using Border = typename Worker::BorderOf;

  KeptPart(const Layout& layout, const TablePart& part, const Grid& grid, const KeptPart* around, const Border& above)
      : layout_(layout), part_(part), grid_(grid), around_(around), above_(above), borders_(part.strips()) {
    std::size_t count = 0;
    for (std::size_t strip = part.first_strip; strip < part.last_strip; ++strip) {
      if (grid.keeps_border(part, strip)) borders_[strip - part.first_strip].set(layout, part, strip);
      first_states_.push_back(count);
      count += grid.count_kept(layout, part, strip);
    }
    states_ = hwy::AllocateAligned<std::byte>(std::max<std::size_t>(1, count * layout.state_bytes()));
    if (!states_) throw std::bad_alloc();
  }

  [[nodiscard]] const TablePart& part() const { return part_; }
  [[nodiscard]] const Grid& grid() const { return grid_; }

  /// The kept border below a strip, or null.
  [[nodiscard]] Border* below(std::size_t strip) {
    return grid_.keeps_border(part_, strip) ? &borders_[strip - part_.first_strip] : nullptr;
  }
  /// The border above a strip, which is the first one of the part or follows a kept border.
  [[nodiscard]] const Border& above(std::size_t strip) {
    return strip == part_.first_strip ? above_ : *below(strip - 1);
  }

  /// Keeps the worker's state before a chunk of a strip, if the grid has it.
  void keep(const Worker& worker, std::size_t strip, std::size_t chunk) {
    const std::size_t first = grid_.first_kept(layout_, part_, strip);
    if (chunk >= first && (chunk - first) % grid_.chunks == 0) worker.save(state_at(strip, chunk));
  }
  /// Brings a worker to a strip's state before a chunk that is its first one, the part's, or one of the grid.
  void enter(Worker& worker, std::size_t strip, std::size_t chunk) const {
    if (chunk == layout_.begin_chunk(strip)) return worker.enter(strip);
    if (chunk == part_.first_chunk) return around_->enter(worker, strip, chunk);
    worker.enter(strip, state_at(strip, chunk));
  }

 private:
  [[nodiscard]] std::byte* state_at(std::size_t strip, std::size_t chunk) const {
    const std::size_t at = (chunk - grid_.first_kept(layout_, part_, strip)) / grid_.chunks;
    return states_.get() + (first_states_[strip - part_.first_strip] + at) * layout_.state_bytes();
  }

  const Layout& layout_;
  TablePart part_;
  Grid grid_;
  const KeptPart* around_;
  const Border& above_;
  std::vector<Border> borders_;            ///< below all strips; those that are not kept are empty
  std::vector<std::size_t> first_states_;  ///< of all strips
  hwy::AlignedFreeUniquePtr<std::byte[]> states_;
};

/// The rows of a checkpoint. Each begins with a header of the caller, which `set_header(group, header)` sets.
struct SavedStrips {
  SavedRows* rows = nullptr;  ///< null: none is saved
  std::size_t header_bytes = 0;
  std::function<void(std::size_t group, std::byte* header)> set_header = [](std::size_t, std::byte*) {};
};

/// A table in strips, and what is kept of it for a walk. With saved rows, strips above the last restored row are not
/// run, except those of a group that the walk comes to.
template <class Worker>
class StripTable {
 public:
  using Layout = typename Worker::LayoutOf;
  using Border = typename Worker::BorderOf;
  using Input = typename Worker::Input;

  /// The arguments must outlive it. `top`: the row above the table. `kept_bytes`: for borders; nothing: no walk
  /// follows.
  StripTable(const Input& input, const Layout& layout, const Border& top, Context& context, Team& team,
             std::optional<std::size_t> kept_bytes, SavedStrips saved = {})
      : StripTable(input, layout, top, context, team, kept_bytes.value_or(0), first_grid(layout, kept_bytes),
                   std::move(saved)) {}

  /// Computes the table. `run_chunk(worker, chunk, above, below)` runs a chunk, by any thread, and returns whether to
  /// go on. `has_tile`: of the workers. Returns whether all chunks have been run.
  template <class RunChunk>
  bool run(bool has_tile, const RunChunk& run_chunk) {
    if (saved_.rows) first_run_ = first_strip_of(saved_.rows->restored());
    for (std::size_t strip = 0; strip < first_run_; ++strip) {
      const double chunks = static_cast<double>(layout_.end_chunk(strip) - layout_.begin_chunk(strip));
      monitor_.advance(layout_.chunk_cells(strip) * chunks);
    }
    return run(kept_, {first_run_, layout_.strips(), layout_.chunks(), true}, has_tile, run_chunk);
  }
  /// Walks to the beginning of the table, after `run`.
  template <class Walk>
  void walk_back(Walk& walk) {
    Worker worker(input_, layout_, true);
    walk_through(walk, worker, kept_, bytes_left_);
  }

 private:
  using Kept = KeptPart<Worker>;
  struct alignas(64) Done {
    std::atomic<std::size_t> chunks = 0;  ///< the chunk up to which a strip has been run
  };

  StripTable(const Input& input, const Layout& layout, const Border& top, Context& context, Team& team,
             std::size_t kept_bytes, const Grid& grid, SavedStrips saved)
      : input_(input),
        layout_(layout),
        context_(context),
        team_(team),
        monitor_(context.options, layout.cells()),
        taken_(context.budget.reserve(grid.bytes(layout, complete_table(layout)))),
        bytes_left_(kept_bytes - std::min(kept_bytes, grid.bytes(layout, complete_table(layout)))),
        kept_(layout, complete_table(layout), grid, nullptr, top),
        saved_(std::move(saved)) {}

  static Grid first_grid(const Layout& layout, std::optional<std::size_t> kept_bytes) {
    const TablePart all = complete_table(layout);
    return kept_bytes ? grid_of(layout, all, *kept_bytes) : Grid{all.strips(), all.chunks()};
  }

  /// Strips of a part, up to a chunk.
  struct Range {
    std::size_t first_strip, end_strip, end_chunk;
    bool is_first;  ///< whether the progress is told and rows are saved
  };

  /// Runs strips of a part in a pipeline over the team: each takes the border of the strip before as it comes. Strips
  /// that do not begin with the part's begin below a restored row.
  template <class RunChunk>
  bool run(Kept& kept, const Range& range, bool has_tile, const RunChunk& run_chunk) {
    const TablePart& part = kept.part();
    const auto members = static_cast<std::size_t>(team_.size());
    const auto done = std::make_unique<Done[]>(part.strips());
    std::atomic<bool> is_over = false;
    std::vector<Border> passing(members + 1);
    const auto below = [&](std::size_t strip) -> Border& {
      Border* const border = kept.below(strip);
      return border ? *border : passing[strip % passing.size()];
    };
    const auto end_of = [&](std::size_t strip) { return std::min(part.end_chunk(layout_, strip), range.end_chunk); };
    const auto run_strip = [&](Worker& worker, std::size_t strip, bool tells) {
      const std::size_t at = strip - part.first_strip;
      const std::size_t begin = part.begin_chunk(layout_, strip), end = end_of(strip);
      const std::size_t end_above = at > 0 ? end_of(strip - 1) : 0;
      const Border& above = at == 0 ? kept.above(strip) : below(strip - 1);
      if (!kept.below(strip)) below(strip).set(layout_, part, strip);
      if (begin < end) kept.enter(worker, strip, begin);
      for (std::size_t chunk = begin; chunk < end && !is_over; ++chunk) {
        if (at > 0) team_.wait(done[at - 1].chunks, std::min(chunk + 1, end_above));
        if (team_.failed()) return;
        monitor_.check();
        kept.keep(worker, strip, chunk);
        if (!run_chunk(worker, chunk, above, below(strip))) is_over = true;
        if (chunk + 1 < end) done[at].chunks.store(chunk + 1, std::memory_order_release);
        if (tells) monitor_.advance(layout_.chunk_cells(strip) * team_.size());
      }
      if (saved_.rows && range.is_first && !is_over) save(strip, below(strip));
      done[at].chunks.store(std::max<std::size_t>(end, 1), std::memory_order_release);
    };
    if (range.first_strip > part.first_strip) {
      const std::size_t above = range.first_strip - 1;
      below(above).set(layout_, part, above);
      const std::span<std::byte> row = saved_.rows->row(*group_above(range.first_strip));
      below(above).restore(layout_, above, row.subspan(saved_.header_bytes));
      done[above - part.first_strip].chunks = std::max<std::size_t>(end_of(above), 1);
    }
    team_.run([&](int member) {
      Worker worker(input_, layout_, has_tile);
      for (auto strip = range.first_strip + static_cast<std::size_t>(member);
           strip < range.end_strip && !team_.failed(); strip += members) {
        run_strip(worker, strip, range.is_first && member == 0);
      }
    });
    return !is_over;
  }

  [[nodiscard]] std::size_t first_strip_of(std::size_t group) const {
    return group == 0 ? 0 : std::min(saved_.rows->groups().end(group - 1) * layout_.unit_strips(), layout_.strips());
  }
  /// The group that ends above a strip.
  [[nodiscard]] std::optional<std::size_t> group_above(std::size_t strip) const {
    const RowGroups& groups = saved_.rows->groups();
    if (strip == layout_.strips()) return groups.count() - 1;
    if (strip % layout_.unit_strips() != 0) return {};
    return groups.ending_after(strip / layout_.unit_strips());
  }
  /// The last group is never restored, so its row is empty.
  void save(std::size_t strip, const Border& below) {
    const std::optional<std::size_t> group = group_above(strip + 1);
    if (!group) return;
    const std::span<std::byte> row = saved_.rows->row(*group);
    if (strip + 1 == layout_.strips()) {
      std::ranges::fill(row, std::byte{0});
    } else {
      saved_.set_header(*group, row.data());
      below.save(layout_, strip, row.subspan(saved_.header_bytes));
    }
    saved_.rows->made(*group);
  }
  /// Runs the groups that have a tile of the complete table, up to its last chunk.
  void run_restored(const TablePart& tile) {
    while (tile.first_strip < first_run_) {
      const std::size_t first = first_strip_of(*group_above(first_run_));
      run_only(kept_, {first, first_run_, tile.last_chunk, false});
      first_run_ = first;
    }
  }
  /// Runs strips for a walk.
  void run_only(Kept& kept, const Range& range) {
    const auto run_chunk = [](Worker& worker, std::size_t chunk, const Border& above, Border& below) {
      worker.run(chunk, above, below);
      return true;
    };
    run(kept, range, false, run_chunk);
  }

  /// Walks to the beginning of a part. Each tile of its grid that the walk comes to is a part of its own.
  template <class Walk>
  void walk_through(Walk& walk, Worker& worker, Kept& kept, std::size_t bytes) {
    while (is_in(walk, kept.part())) {
      const StripPlace place = layout_.place_of(walk);
      const TablePart tile = kept.grid().tile_up_to(place, kept.part());
      if (&kept == &kept_) run_restored(tile);
      if (kept.grid().keeps_all()) {
        monitor_.check();
        kept.enter(worker, place.strip, place.chunk);
        worker.walk_through(walk, place.chunk, kept.above(place.strip));
      } else {
        walk_through_tile(walk, worker, kept, tile, bytes);
      }
    }
  }

  /// Whether the walk has a step to take in the part or behind it.
  template <class Walk>
  [[nodiscard]] bool is_in(const Walk& walk, const TablePart& part) const {
    if (walk.is_done()) return false;
    const StripPlace place = layout_.place_of(walk);
    return place.strip >= part.first_strip && place.chunk >= part.first_chunk;
  }

  template <class Walk>
  void walk_through_tile(Walk& walk, Worker& worker, Kept& kept, const TablePart& tile, std::size_t bytes) {
    const Grid grid = grid_of(layout_, tile, bytes);
    const std::size_t needed = grid.bytes(layout_, tile);
    const auto taken = context_.budget.reserve(needed);
    Kept kept_tile(layout_, tile, grid, &kept, kept.above(tile.first_strip));
    run_only(kept_tile, {tile.first_strip, tile.last_strip, tile.last_chunk, false});
    walk_through(walk, worker, kept_tile, bytes - std::min(needed, bytes));
  }

  const Input& input_;
  const Layout& layout_;
  Context& context_;
  Team& team_;
  SolveMonitor monitor_;
  Budget::Reservation taken_;
  std::size_t bytes_left_;
  Kept kept_;
  SavedStrips saved_;
  std::size_t first_run_ = 0;  ///< the first strip that has been run
};

}  // namespace warpfold::sequence
