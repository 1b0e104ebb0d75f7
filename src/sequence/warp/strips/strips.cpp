#include "sequence/warp/strips/strips.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "sequence/tuning.hpp"
#include "sequence/warp/strips/worker.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold::sequence::warp {

namespace strips {
namespace {

/// The borders and states that are kept of a part. What is outside comes from the part around it.
template <class T>
class KeptPart {
 public:
  KeptPart(const Layout& layout, const Part& part, const Grid& grid, const KeptPart* around, const Border<T>& above)
      : layout_(layout), part_(part), grid_(grid), around_(around), above_(above), borders_(part.strips()) {
    std::size_t count = 0;
    for (std::size_t strip = part.first_strip; strip < part.last_strip; ++strip) {
      if (grid.keeps_border(part, strip)) borders_[strip - part.first_strip].set_strip(layout, strip);
      first_states_.push_back(count);
      count += grid.count_kept(layout, part, strip);
    }
    states_ = hwy::AllocateAligned<T>(std::max<std::size_t>(1, count * layout.state_values()));
    if (!states_) throw std::bad_alloc();
  }

  [[nodiscard]] const Part& part() const { return part_; }
  [[nodiscard]] const Grid& grid() const { return grid_; }

  /// The kept border below a strip, or null.
  [[nodiscard]] Border<T>* below(std::size_t strip) {
    return grid_.keeps_border(part_, strip) ? &borders_[strip - part_.first_strip] : nullptr;
  }
  /// The border above a strip, which is the first one of the part or follows a kept border.
  [[nodiscard]] const Border<T>& above(std::size_t strip) {
    return strip == part_.first_strip ? above_ : *below(strip - 1);
  }

  /// Keeps the worker's state before a chunk, if the grid has it.
  void keep(const Worker<T>& worker, std::size_t chunk) {
    const std::size_t first = grid_.first_kept(layout_, part_, worker.strip());
    if (chunk < first || (chunk - first) % grid_.chunks != 0) return;
    std::copy_n(worker.state(), layout_.state_values(), state_at(worker.strip(), chunk));
  }
  /// Brings a worker to a strip's state before a chunk that is its first one, the part's, or one of the grid.
  void enter(Worker<T>& worker, std::size_t strip, std::size_t chunk) const {
    if (chunk == layout_.begin_chunk(strip)) return worker.enter(strip);
    if (chunk == part_.first_chunk) return around_->enter(worker, strip, chunk);
    worker.enter(strip, state_at(strip, chunk));
  }

 private:
  [[nodiscard]] T* state_at(std::size_t strip, std::size_t chunk) const {
    const std::size_t at = (chunk - grid_.first_kept(layout_, part_, strip)) / grid_.chunks;
    return states_.get() + (first_states_[strip - part_.first_strip] + at) * layout_.state_values();
  }

  const Layout& layout_;
  Part part_;
  Grid grid_;
  const KeptPart* around_;
  const Border<T>& above_;
  std::vector<Border<T>> borders_;         ///< below all strips; those that are not kept are empty
  std::vector<std::size_t> first_states_;  ///< of all strips
  hwy::AlignedFreeUniquePtr<T[]> states_;
};

template <class T>
class Strips {
 public:
  /// `bound`: the largest distance of interest.
  Strips(const Points<T>& points, Context& context, const Layout& layout, Team& team, std::optional<double> bound)
      : points_(points),
        context_(context),
        layout_(layout),
        team_(team),
        bound_(bound),
        monitor_(context.options, layout.band.cells()) {}

  /// The distance, or infinity if it exceeds the bound. `script`: null, or set to the path.
  [[nodiscard]] T solve(std::size_t kept_bytes, Script* script) {
    const Part all{0, layout_.strips(), 0, layout_.chunks()};
    const Grid grid = script ? grid_of(layout_, all, kept_bytes) : Grid{all.strips(), all.chunks()};
    const std::size_t bytes = grid.bytes(layout_, all);
    const auto taken = context_.budget.reserve(bytes);
    const Border<T> top;
    KeptPart<T> kept(layout_, all, grid, nullptr, top);
    const T distance = run(kept, true);
    const bool is_found = distance < std::numeric_limits<T>::infinity() && !exceeds_bound(distance);
    if (script && is_found) *script = path(kept, kept_bytes - std::min(bytes, kept_bytes));
    return distance;
  }

 private:
  struct alignas(64) Done {
    std::atomic<std::size_t> chunks = 0;  ///< the chunk up to which a strip has been run
  };

  [[nodiscard]] bool exceeds_bound(T distance) const { return bound_ && static_cast<double>(distance) > *bound_; }

  /// Runs all strips of a part in a pipeline over the team: each takes the border of the strip before as it comes.
  /// Returns D at the end of the last strip; `is_whole`: the part is the table.
  T run(KeptPart<T>& kept, bool is_whole) {
    const Part& part = kept.part();
    const auto done = std::make_unique<Done[]>(part.strips());
    std::atomic<bool> is_passed = false;
    std::vector<Border<T>> passing(static_cast<std::size_t>(team_.size()) + 1);
    const auto below = [&](std::size_t strip) -> Border<T>& {
      Border<T>* const border = kept.below(strip);
      return border ? *border : passing[strip % passing.size()];
    };
    const auto run_strip = [&](Worker<T>& worker, std::size_t at) {
      const std::size_t strip = part.first_strip + at;
      const std::size_t begin = part.begin_chunk(layout_, strip), end = part.end_chunk(layout_, strip);
      if (!kept.below(strip)) below(strip).set_strip(layout_, strip);
      const std::size_t end_above = at > 0 ? part.end_chunk(layout_, strip - 1) : 0;
      const Border<T>& above = at == 0 ? kept.above(strip) : below(strip - 1);
      for (std::size_t chunk = begin; chunk < end && !is_passed; ++chunk) {
        if (at > 0) team_.wait(done[at - 1].chunks, std::min(chunk + 1, end_above));
        if (team_.failed()) return;
        if (chunk == begin) {
          kept.enter(worker, strip, chunk);
          if (chunk > layout_.begin_chunk(strip)) worker.hand_on(chunk, below(strip));
        }
        monitor_.check();
        kept.keep(worker, chunk);
        worker.run(chunk, above, below(strip));
        if (chunk + 1 < end) done[at].chunks.store(chunk + 1, std::memory_order_release);
      }
      if (is_whole && !is_passed && exceeds_bound(below(strip).least())) is_passed = true;
      done[at].chunks.store(std::max<std::size_t>(end, 1), std::memory_order_release);
    };
    team_.run([&](int member) {
      Worker<T> worker(points_, layout_, false);
      const auto members = static_cast<std::size_t>(team_.size());
      for (auto at = static_cast<std::size_t>(member); at < part.strips() && !team_.failed(); at += members) {
        run_strip(worker, at);
        if (is_whole && member == 0) monitor_.advance(monitor_share(members));
      }
    });
    if (is_passed) return std::numeric_limits<T>::infinity();
    return below(part.last_strip - 1).at(static_cast<std::ptrdiff_t>(layout_.band.m) - 1);
  }

  [[nodiscard]] double monitor_share(std::size_t members) const {
    return layout_.band.cells() * static_cast<double>(members) / static_cast<double>(layout_.strips());
  }

  [[nodiscard]] Script path(KeptPart<T>& kept, std::size_t bytes) {
    WarpingWalk walk{layout_.band.n - 1, layout_.band.m - 1};
    Worker<T> worker(points_, layout_, true);
    walk_through(walk, worker, kept, bytes);
    return walk.finished();
  }

  [[nodiscard]] std::size_t chunk_of(const WarpingWalk& walk) const {
    return layout_.step_of(walk.i, walk.j) / layout_.steps;
  }
  /// Whether the walk has a step to take in the strips and chunks from these on.
  [[nodiscard]] bool is_in(const WarpingWalk& walk, std::size_t strip, std::size_t chunk) const {
    return !walk.is_done() && walk.i / layout_.rows() >= strip && chunk_of(walk) >= chunk;
  }

  /// Walks to the beginning of a part. Each tile of its grid that the walk comes to is a part of its own.
  void walk_through(WarpingWalk& walk, Worker<T>& worker, KeptPart<T>& kept, std::size_t bytes) {
    const Part& part = kept.part();
    const auto begin_of = [](std::size_t at, std::size_t first, std::size_t size) {
      return first + (at - first) / size * size;
    };
    while (is_in(walk, part.first_strip, part.first_chunk)) {
      const std::size_t strip = walk.i / layout_.rows(), chunk = chunk_of(walk);
      if (kept.grid().keeps_all()) {
        walk_through_tile(walk, worker, kept, strip, chunk);
        continue;
      }
      const Part tile{begin_of(strip, part.first_strip, kept.grid().strips), strip + 1,
                      begin_of(chunk, part.first_chunk, kept.grid().chunks), chunk + 1};
      const Grid grid = grid_of(layout_, tile, bytes);
      const std::size_t needed = grid.bytes(layout_, tile);
      const auto taken = context_.budget.reserve(needed);
      KeptPart<T> kept_tile(layout_, tile, grid, &kept, kept.above(tile.first_strip));
      run(kept_tile, false);
      walk_through(walk, worker, kept_tile, bytes - std::min(needed, bytes));
    }
  }

  /// Runs a chunk of a strip again and keeps all of its cells.
  void walk_through_tile(WarpingWalk& walk, Worker<T>& worker, KeptPart<T>& kept, std::size_t strip,
                         std::size_t chunk) const {
    monitor_.check();
    const Border<T>& above = kept.above(strip);
    kept.enter(worker, strip, chunk);
    worker.run_tile(chunk, layout_.step_of(walk.i, walk.j), above);
    while (is_in(walk, strip, chunk)) walk.take(worker.step_to(walk.i, walk.j));
  }

  const Points<T>& points_;
  Context& context_;
  const Layout& layout_;
  Team& team_;
  std::optional<double> bound_;
  SolveMonitor monitor_;
};

/// The values of a series in the type of the lanes, relative to `origin` if they are integers.
template <class T, class From>
std::vector<T> converted(std::span<const From> values, From origin) {
  std::vector<T> result;
  result.reserve(values.size());
  for (const From value : values) result.push_back(static_cast<T>(std::int64_t{value} - origin));
  return result;
}

}  // namespace
}  // namespace strips

namespace {

using strips::Layout;

std::size_t threads_for(const Size& size, const Options& options) {
  return size.operations() < tuning::worth_threads ? 1 : static_cast<std::size_t>(thread_count(options.threads));
}

/// The bytes for borders beside the fixed memory.
std::size_t kept_bytes(const Layout& layout, const Size& size, std::size_t threads, std::size_t bytes_left) {
  const std::size_t fixed = layout.fixed_bytes(threads, size.script);
  const std::size_t wanted =
      tuning::script_bytes + static_cast<std::size_t>(tuning::symbol_bytes * (size.n() + size.m()));
  return std::min(wanted, bytes_left - std::min(fixed, bytes_left));
}

std::size_t converted_bytes(const Size& size) {
  return size.converts ? (size.band.n + size.band.m) * size.dimensions * size.lane_bytes : 0;
}

template <class Lane, class T>
Warping<T> solve_in(const strips::Points<Lane>& points, const Query<T>& query, Context& context) {
  const Size& size = query.size;
  Team team(static_cast<int>(threads_for(size, context.options)));
  context.report.threads = team.size();
  const auto threads = static_cast<std::size_t>(team.size());
  const Layout layout = strips::layout_of(size, threads, context.budget.left());
  const std::size_t kept = kept_bytes(layout, size, threads, context.budget.left());
  const auto taken = context.budget.reserve(layout.fixed_bytes(threads, size.script));
  Warping<T> solution;
  strips::Strips<Lane> table(points, context, layout, team, query.request.max_distance);
  const Lane distance = table.solve(kept, query.request.script ? &solution.script : nullptr);
  if (query.request.max_distance && static_cast<double>(distance) > *query.request.max_distance) return {};
  solution.distance = static_cast<WarpingCost<T>>(distance);
  return solution;
}

template <class Lane>
Warping<std::int32_t> solve_converted(const Query<std::int32_t>& query, Context& context) {
  const auto taken = context.budget.reserve(converted_bytes(query.size));
  const auto a = query.a.values(), b = query.b.values();
  const std::int32_t origin = std::min(std::ranges::min(a), std::ranges::min(b));
  const std::vector<Lane> points_of_a = strips::converted<Lane>(a, origin);
  const std::vector<Lane> points_of_b = strips::converted<Lane>(b, origin);
  return solve_in<Lane>({points_of_a, points_of_b, query.is_squared()}, query, context);
}

}  // namespace

template <class T>
Warping<T> by_strips(const Query<T>& query, Context& context) {
  if constexpr (std::is_integral_v<T>) {
    return query.size.lane_bytes == sizeof(float) ? solve_converted<float>(query, context)
                                                  : solve_converted<double>(query, context);
  } else {
    return solve_in<T>({query.a.values(), query.b.values(), query.is_squared()}, query, context);
  }
}

std::size_t bytes_of_strips(const Size& size, const Options& options) {
  if (size.lane_bytes == 0) return 0;
  const std::size_t threads = threads_for(size, options);
  const std::size_t converted = converted_bytes(size);
  const std::size_t left = Budget(options).left();
  const std::size_t rest = left - std::min(converted, left);
  const Layout layout = strips::layout_of(size, threads, rest);
  const std::size_t fixed = converted + layout.fixed_bytes(threads, size.script);
  if (!size.script) return fixed;
  const strips::Part all{0, layout.strips(), 0, layout.chunks()};
  const std::size_t borders = strips::Grid{1, 1}.bytes(layout, all);
  return fixed + std::min(borders, kept_bytes(layout, size, threads, rest));
}

double seconds_of_strips(const Size& size, const Options& options) {
  if (size.lane_bytes == 0) return 0;
  const std::size_t threads = threads_for(size, options);
  const auto lanes = static_cast<double>(strips::layout_of(size, threads, Budget(options).left()).lanes);
  const double operations = size.operations() / lanes / static_cast<double>(threads);
  return tuning::slices_start_seconds + tuning::warp_operation_seconds * operations * (size.script ? 1.2 : 1);
}

std::string unsupported_by_strips(const Size& size) {
  return size.lane_bytes == 0 ? "adds integers in f64, which does not hold these sums" : "";
}

template Warping<float> by_strips(const Query<float>&, Context&);
template Warping<double> by_strips(const Query<double>&, Context&);
template Warping<std::int32_t> by_strips(const Query<std::int32_t>&, Context&);

}  // namespace warpfold::sequence::warp
