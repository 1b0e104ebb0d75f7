#include "sequence/align/strips/strips.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "sequence/align/strips/worker.hpp"
#include "sequence/align/walk.hpp"
#include "sequence/tuning.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold::sequence::alignment {

namespace strips {
namespace {

/// Strips first_strip .. last_strip - 1 and chunks first_chunk .. last_chunk - 1 of the table.
struct Part {
  std::size_t first_strip, last_strip, first_chunk, last_chunk;

  [[nodiscard]] std::size_t strips() const { return last_strip - first_strip; }
  [[nodiscard]] std::size_t chunks() const { return last_chunk - first_chunk; }
};

/// The borders that are kept of a part: of every `grid.strips` strips the row below, of every `grid.chunks` chunks the
/// states before. What is outside comes from the part around it.
template <class T>
class KeptPart {
 public:
  KeptPart(const Layout& layout, const Part& part, const Grid& grid, const KeptPart* around, const Border<T>& above)
      : layout_(layout), part_(part), grid_(grid), around_(around), above_(above) {
    for (std::size_t at = grid.strips; at < part.strips(); at += grid.strips) {
      borders_.emplace_back(layout, part.first_chunk, part.chunks());
    }
    const std::size_t kept = (part.chunks() + grid.chunks - 1) / grid.chunks - 1;
    bases_.resize(kept * part.strips());
    values_ = hwy::AllocateAligned<T>(std::max<std::size_t>(1, bases_.size() * state_size()));
    if (!values_) throw std::bad_alloc();
  }

  [[nodiscard]] const Part& part() const { return part_; }
  [[nodiscard]] const Grid& grid() const { return grid_; }

  /// The kept border below a strip, or null.
  [[nodiscard]] Border<T>* below(std::size_t strip) {
    const std::size_t at = strip + 1 - part_.first_strip;
    return at % grid_.strips == 0 && at < part_.strips() ? &borders_[at / grid_.strips - 1] : nullptr;
  }
  /// The border above a strip, which is the first one of the part or follows a kept border.
  [[nodiscard]] const Border<T>& above(std::size_t strip) {
    return strip == part_.first_strip ? above_ : *below(strip - 1);
  }

  /// Keeps the worker's state before a chunk, if the grid has it.
  void keep(const Worker<T>& worker, std::size_t chunk) {
    if (chunk == part_.first_chunk || (chunk - part_.first_chunk) % grid_.chunks != 0) return;
    const std::size_t at = state_at(worker.strip(), chunk);
    std::copy_n(worker.state().values, state_size(), values_.get() + at * state_size());
    bases_[at] = worker.state().base;
  }
  /// Brings a worker to a strip's state before a chunk that the grid has.
  void enter(Worker<T>& worker, std::size_t strip, std::size_t chunk) const {
    if (chunk == 0) return worker.enter(strip);
    if (chunk == part_.first_chunk) return around_->enter(worker, strip, chunk);
    const std::size_t at = state_at(strip, chunk);
    worker.enter(strip, {values_.get() + at * state_size(), bases_[at]});
  }

 private:
  [[nodiscard]] std::size_t state_size() const { return 2 * layout_.rows(); }
  [[nodiscard]] std::size_t state_at(std::size_t strip, std::size_t chunk) const {
    return ((chunk - part_.first_chunk) / grid_.chunks - 1) * part_.strips() + strip - part_.first_strip;
  }

  const Layout& layout_;
  Part part_;
  Grid grid_;
  const KeptPart* around_;
  const Border<T>& above_;
  std::vector<Border<T>> borders_;
  hwy::AlignedFreeUniquePtr<T[]> values_;
  std::vector<std::int64_t> bases_;
};

/// Collects the ends of alignments from all threads.
template <class T>
class Ends {
 public:
  Ends(const Query& query, const Layout& layout) : query_(query), layout_(layout) {
    const FreeEnds& ends = query.ends();
    if (ends.local) best_ = {0, 0, 0};
    if (!ends.local && ends.end_a) offer({query.above(query.m()), 0, query.m()});
    if (!ends.local && ends.end_b) offer({query.left_of(query.n()), query.n(), 0});
  }

  [[nodiscard]] const BestEnd& best() const { return best_; }

  /// Looks at the chunk that the worker has run. `enter_again` brings it to the state before.
  template <class EnterAgain>
  void look_at(Worker<T>& worker, std::size_t chunk, const Border<T>& above, const Border<T>& below,
               const EnterAgain& enter_again) {
    const FreeEnds& ends = query_.ends();
    if (ends.local) return look_for_local(worker, chunk, above, enter_again);
    const bool is_last_strip = worker.strip() + 1 == layout_.strips();
    const bool is_last_chunk = chunk + 1 == layout_.chunks();
    if (is_last_strip && (ends.end_b || is_last_chunk)) look_at_last_row(chunk, below, ends.end_b);
    if (is_last_chunk && ends.end_a) look_at_last_column(worker);
  }

 private:
  void offer(const BestEnd& end) {
    const std::lock_guard lock(mutex_);
    best_.offer_any(end);
  }
  [[nodiscard]] std::int64_t unbiased(std::int64_t value, std::size_t i, std::size_t j) const {
    return value - layout_.bias() * static_cast<std::int64_t>(i + j);
  }

  void look_at_last_row(std::size_t chunk, const Border<T>& below, bool at_all) {
    const std::size_t columns = layout_.columns_of(chunk);
    BestEnd end;
    for (std::size_t column = at_all ? 1 : columns; column <= columns; ++column) {
      const std::size_t j = layout_.first_column(chunk) + column;
      end.offer(unbiased(below.base(chunk) + below.best(chunk)[column], layout_.n, j), layout_.n, j);
    }
    offer(end);
  }

  void look_at_last_column(const Worker<T>& worker) {
    const std::size_t first = layout_.first_row(worker.strip());
    BestEnd end;
    for (std::size_t row = 1; row <= worker.rows(); ++row) {
      end.offer(unbiased(worker.in_state(row), first + row, layout_.m), first + row, layout_.m);
    }
    offer(end);
  }

  template <class EnterAgain>
  void look_for_local(Worker<T>& worker, std::size_t chunk, const Border<T>& above, const EnterAgain& enter_again) {
    {
      const std::lock_guard lock(mutex_);
      const bool is_behind = best_.i <= layout_.first_row(worker.strip());
      if (worker.best() < *best_.score || (worker.best() == *best_.score && is_behind)) return;
    }
    const auto after = worker.saved();
    enter_again();
    worker.run_tile(chunk, worker.rows(), layout_.columns_of(chunk), above);
    offer(worker.find_best(chunk));
    worker.restore(after);
  }

  const Query& query_;
  const Layout& layout_;
  std::mutex mutex_;
  BestEnd best_;
};

template <class T>
class Strips {
 public:
  Strips(const Query& query, Context& context, const Layout& layout, Team& team)
      : query_(query), context_(context), layout_(layout), team_(team), monitor_(context.options, query.cells()) {}

  [[nodiscard]] Alignment solve(std::size_t kept_bytes) {
    const Border<T> above = first_border<T>(query_, layout_);
    const Part all{0, layout_.strips(), 0, layout_.chunks()};
    const Grid grid = query_.request.script ? grid_of(layout_, all.strips(), all.chunks(), kept_bytes)
                                            : Grid{all.strips(), all.chunks()};
    const std::size_t bytes = grid.bytes(layout_, all.strips(), all.chunks());
    const auto taken = context_.budget.reserve(bytes);
    KeptPart<T> kept(layout_, all, grid, nullptr, above);
    Ends<T> ends(query_, layout_);
    run(kept, &ends);
    Alignment solution = ends.best().alignment();
    if (query_.request.script) solution.script = script(ends.best(), kept, kept_bytes - std::min(bytes, kept_bytes));
    return solution;
  }

 private:
  struct alignas(64) Done {
    std::atomic<std::size_t> chunks = 0;
  };

  /// Runs all strips of a part in a pipeline over the team: each takes the border of the strip before as it comes.
  void run(KeptPart<T>& kept, Ends<T>* ends) {
    const Part& part = kept.part();
    const auto done = std::make_unique<Done[]>(part.strips());
    std::vector<Border<T>> passing;
    for (int s = 0; s <= team_.size(); ++s) passing.emplace_back(layout_, part.first_chunk, part.chunks());
    const auto below = [&](std::size_t strip) -> Border<T>& {
      Border<T>* const border = kept.below(strip);
      return border ? *border : passing[strip % passing.size()];
    };
    team_.run([&](int member) {
      Worker<T> worker(query_, layout_, ends && layout_.is_local);
      for (auto at = static_cast<std::size_t>(member); at < part.strips() && !team_.failed();
           at += static_cast<std::size_t>(team_.size())) {
        const std::size_t strip = part.first_strip + at;
        const Border<T>& above = at == 0 ? kept.above(strip) : below(strip - 1);
        kept.enter(worker, strip, part.first_chunk);
        for (std::size_t chunk = part.first_chunk; chunk < part.last_chunk; ++chunk) {
          if (at > 0) team_.wait(done[at - 1].chunks, chunk + 1 - part.first_chunk);
          if (team_.failed()) return;
          monitor_.check();
          kept.keep(worker, chunk);
          run_chunk(worker, chunk, above, below(strip), ends);
          done[at].chunks.store(chunk + 1 - part.first_chunk, std::memory_order_release);
          if (ends && member == 0) monitor_.advance(cells_of(chunk) * team_.size());
        }
      }
    });
  }

  void run_chunk(Worker<T>& worker, std::size_t chunk, const Border<T>& above, Border<T>& below, Ends<T>* ends) const {
    const auto before = layout_.is_local && ends ? worker.saved() : typename Worker<T>::Saved();
    worker.run(chunk, above, below);
    if (ends) ends->look_at(worker, chunk, above, below, [&] { worker.restore(before); });
  }

  [[nodiscard]] double cells_of(std::size_t chunk) const {
    return query_.cells() * static_cast<double>(layout_.columns_of(chunk)) /
           static_cast<double>(layout_.strips() * layout_.m);
  }

  [[nodiscard]] Script script(const BestEnd& end, KeptPart<T>& kept, std::size_t bytes) {
    AlignmentWalk walk(query_, end);
    Worker<T> worker(query_, layout_, true);
    walk_through(walk, worker, kept, bytes);
    return walk.finished();
  }

  /// Walks to the beginning of a part. Each tile of its grid that the walk comes to is a part of its own.
  void walk_through(AlignmentWalk& walk, Worker<T>& worker, KeptPart<T>& kept, std::size_t bytes) {
    const Part& part = kept.part();
    const auto begin_of = [](std::size_t at, std::size_t first, std::size_t size) {
      return first + (at - first) / size * size;
    };
    while (!walk.is_done() && walk.i() > layout_.first_row(part.first_strip) &&
           walk.j() > layout_.first_column(part.first_chunk)) {
      const std::size_t strip = (walk.i() - 1) / layout_.rows(), chunk = (walk.j() - 1) / layout_.columns;
      if (kept.grid().keeps_all()) {
        walk_through_tile(walk, worker, kept, strip, chunk);
        continue;
      }
      const Part tile{begin_of(strip, part.first_strip, kept.grid().strips), strip + 1,
                      begin_of(chunk, part.first_chunk, kept.grid().chunks), chunk + 1};
      const Grid grid = grid_of(layout_, tile.strips(), tile.chunks(), bytes);
      const std::size_t needed = grid.bytes(layout_, tile.strips(), tile.chunks());
      const auto taken = context_.budget.reserve(needed);
      KeptPart<T> kept_tile(layout_, tile, grid, &kept, kept.above(tile.first_strip));
      run(kept_tile, nullptr);
      walk_through(walk, worker, kept_tile, bytes - std::min(needed, bytes));
    }
  }

  /// Runs a chunk of a strip again and keeps all of its columns.
  void walk_through_tile(AlignmentWalk& walk, Worker<T>& worker, KeptPart<T>& kept, std::size_t strip,
                         std::size_t chunk) const {
    monitor_.check();
    const Border<T>& above = kept.above(strip);
    const std::size_t top = layout_.first_row(strip), left = layout_.first_column(chunk);
    kept.enter(worker, strip, chunk);
    worker.run_tile(chunk, walk.i() - top, walk.j() - left, above);
    const auto unbiased = [&](std::int64_t value, std::size_t i, std::size_t j) {
      return value - layout_.bias() * static_cast<std::int64_t>(i + j);
    };
    const auto at = [&](std::size_t i, std::size_t j) {
      return unbiased(i == top ? above.base(chunk) + above.best(chunk)[j - left] : worker.in_tile(i - top, j - left), i,
                      j);
    };
    const auto deleted_to = [&](std::size_t j, std::size_t length) {
      const std::int64_t to_first_row = above.base(chunk) + above.deleted(chunk)[j - left - 1];
      return unbiased(to_first_row, top + 1, j) - layout_.extend * static_cast<std::int64_t>(length - 1);
    };
    walk.walk_through(top, left, at, deleted_to);
  }

  const Query& query_;
  Context& context_;
  const Layout& layout_;
  Team& team_;
  SolveMonitor monitor_;
};

}  // namespace
}  // namespace strips

namespace {

using strips::Layout;

std::size_t threads_for(double cells, const Options& options) {
  return cells < tuning::worth_threads / 10 ? 1 : static_cast<std::size_t>(thread_count(options.threads));
}

/// The memory that borders may take for a script, unless more is needed.
std::size_t script_bytes(double n, double m) {
  return tuning::script_bytes + static_cast<std::size_t>(tuning::symbol_bytes * (n + m));
}

/// The bytes for borders beside the fixed memory.
std::size_t kept_bytes(const Layout& layout, const Size& size, std::size_t threads, std::size_t bytes_left) {
  const std::size_t fixed = layout.fixed_bytes(threads, size.request.script);
  return std::min(script_bytes(size.n, size.m), bytes_left - std::min(fixed, bytes_left));
}

std::optional<Layout> layout_for(const Size& size, std::size_t threads, std::size_t bytes_left) {
  return strips::layout_of(size, threads, std::min(bytes_left, script_bytes(size.n, size.m)) / 4);
}

}  // namespace

Alignment by_strips(const Query& query, Context& context) {
  const Size size = size_of(query.pair, query.request);
  Team team(static_cast<int>(threads_for(query.cells(), context.options)));
  context.report.threads = team.size();
  const auto threads = static_cast<std::size_t>(team.size());
  const Layout layout = *layout_for(size, threads, context.budget.left());
  const std::size_t kept = kept_bytes(layout, size, threads, context.budget.left());
  const auto taken = context.budget.reserve(layout.fixed_bytes(threads, query.request.script));
  return layout.value_bytes == sizeof(std::uint16_t)
             ? strips::Strips<std::uint16_t>(query, context, layout, team).solve(kept)
             : strips::Strips<std::uint32_t>(query, context, layout, team).solve(kept);
}

std::size_t bytes_of_strips(const Size& size, const Options& options) {
  if (size.cells() == 0) return 0;
  const std::size_t threads = threads_for(size.cells(), options);
  const std::size_t left = Budget(options).left();
  const std::optional<Layout> layout = layout_for(size, threads, left);
  if (!layout) return 0;
  const std::size_t fixed = layout->fixed_bytes(threads, size.request.script);
  const std::size_t all_borders = strips::Grid{1, 1}.bytes(*layout, layout->strips(), layout->chunks());
  return fixed + (size.request.script ? std::min(all_borders, kept_bytes(*layout, size, threads, left)) : 0);
}

double seconds_of_strips(const Size& size, const Options& options) {
  if (size.cells() == 0) return 0;
  const std::size_t threads = threads_for(size.cells(), options);
  const std::optional<Layout> layout = layout_for(size, threads, Budget(options).left());
  if (!layout) return 0;
  const double cells = static_cast<double>(layout->strips() * layout->rows()) * size.m;
  const double vectors = cells / static_cast<double>(layout->lanes) / static_cast<double>(threads);
  const double operations = vectors * (layout->is_local ? 13 : 8) * (size.request.script ? 1.2 : 1);
  return tuning::slices_start_seconds + tuning::scored_operation_seconds * operations;
}

std::string unsupported_by_strips(const Size& size) {
  if (size.request.gaps.second) return "solves gap costs of one piece only";
  if (size.has_matrix && size.codes > tuning::max_profile_codes) {
    return fmt::format("keeps a row of scores for each symbol, of {}: {} symbols and less are accepted", size.codes,
                       tuning::max_profile_codes);
  }
  return strips::layout_of(size, 1, 0) ? "" : "adds scores in 32 bits, which do not hold these";
}

}  // namespace warpfold::sequence::alignment
