#pragma once

#include <hwy/aligned_allocator.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <new>
#include <optional>
#include <vector>

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
/// A `Walk` has `is_done()`.
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

/// A table in strips, and what is kept of it for a walk.
template <class Worker>
class StripTable {
 public:
  using Layout = typename Worker::LayoutOf;
  using Border = typename Worker::BorderOf;
  using Input = typename Worker::Input;

  /// The arguments must outlive it. `top`: the row above the table. `kept_bytes`: for borders; nothing: no walk
  /// follows.
  StripTable(const Input& input, const Layout& layout, const Border& top, Context& context, Team& team,
             std::optional<std::size_t> kept_bytes)
      : StripTable(input, layout, top, context, team, kept_bytes.value_or(0), first_grid(layout, kept_bytes)) {}

  /// Computes the table. `run_chunk(worker, chunk, above, below)` runs a chunk, by any thread, and returns whether to
  /// go on. `has_tile`: of the workers. Returns whether all chunks have been run.
  template <class RunChunk>
  bool run(bool has_tile, const RunChunk& run_chunk) {
    return run(kept_, has_tile, run_chunk, true);
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
             std::size_t kept_bytes, const Grid& grid)
      : input_(input),
        layout_(layout),
        context_(context),
        team_(team),
        monitor_(context.options, layout.cells()),
        taken_(context.budget.reserve(grid.bytes(layout, complete_table(layout)))),
        bytes_left_(kept_bytes - std::min(kept_bytes, grid.bytes(layout, complete_table(layout)))),
        kept_(layout, complete_table(layout), grid, nullptr, top) {}

  static Grid first_grid(const Layout& layout, std::optional<std::size_t> kept_bytes) {
    const TablePart all = complete_table(layout);
    return kept_bytes ? grid_of(layout, all, *kept_bytes) : Grid{all.strips(), all.chunks()};
  }

  /// Runs all strips of a part in a pipeline over the team: each takes the border of the strip before as it comes. One
  /// member tells the progress, if `tells`.
  template <class RunChunk>
  bool run(Kept& kept, bool has_tile, const RunChunk& run_chunk, bool tells) {
    const TablePart& part = kept.part();
    const auto members = static_cast<std::size_t>(team_.size());
    const auto done = std::make_unique<Done[]>(part.strips());
    std::atomic<bool> is_over = false;
    std::vector<Border> passing(members + 1);
    const auto below = [&](std::size_t strip) -> Border& {
      Border* const border = kept.below(strip);
      return border ? *border : passing[strip % passing.size()];
    };
    const auto run_strip = [&](Worker& worker, std::size_t at, bool tells_here) {
      const std::size_t strip = part.first_strip + at;
      const std::size_t begin = part.begin_chunk(layout_, strip), end = part.end_chunk(layout_, strip);
      const std::size_t end_above = at > 0 ? part.end_chunk(layout_, strip - 1) : 0;
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
        if (tells_here) monitor_.advance(layout_.chunk_cells(strip) * team_.size());
      }
      done[at].chunks.store(std::max<std::size_t>(end, 1), std::memory_order_release);
    };
    team_.run([&](int member) {
      Worker worker(input_, layout_, has_tile);
      for (auto at = static_cast<std::size_t>(member); at < part.strips() && !team_.failed(); at += members) {
        run_strip(worker, at, tells && member == 0);
      }
    });
    return !is_over;
  }

  /// Walks to the beginning of a part. Each tile of its grid that the walk comes to is a part of its own.
  template <class Walk>
  void walk_through(Walk& walk, Worker& worker, Kept& kept, std::size_t bytes) {
    while (is_in(walk, kept.part())) {
      const StripPlace place = layout_.place_of(walk);
      if (kept.grid().keeps_all()) {
        monitor_.check();
        kept.enter(worker, place.strip, place.chunk);
        worker.walk_through(walk, place.chunk, kept.above(place.strip));
      } else {
        walk_through_tile(walk, worker, kept, kept.grid().tile_up_to(place, kept.part()), bytes);
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
    const auto run_chunk = [](Worker& of_member, std::size_t chunk, const Border& above, Border& below) {
      of_member.run(chunk, above, below);
      return true;
    };
    run(kept_tile, false, run_chunk, false);
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
};

}  // namespace warpfold::sequence
