#include "sequence/warp/strips/strips.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "sequence/saved_rows.hpp"
#include "sequence/strips/strip_table.hpp"
#include "sequence/tuning.hpp"
#include "sequence/warp/converted.hpp"
#include "sequence/warp/strips/worker.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold::sequence::warp {

namespace strips {
namespace {

/// The distance, once all strips have been run.
template <class T>
class Distance {
 public:
  Distance(const Layout& layout, std::optional<double> bound) : layout_(layout), bound_(bound) {}

  [[nodiscard]] T value() const { return value_; }
  [[nodiscard]] bool exceeds_bound(T distance) const { return bound_ && static_cast<double>(distance) > *bound_; }

  /// Looks at the border below a strip that has been run up to a chunk. Returns whether a distance within the bound is
  /// possible.
  bool look_at(std::size_t strip, std::size_t chunk, const Border<T>& below) {
    if (chunk + 1 < layout_.end_chunk(strip)) return true;
    if (exceeds_bound(below.least())) return false;
    if (strip + 1 == layout_.strips()) value_ = below.last();
    return true;
  }

 private:
  const Layout& layout_;
  std::optional<double> bound_;
  T value_ = 0;
};

/// `script`: null, or set to the path. `bound`: the largest distance of interest. `saved`: null, or the rows of a
/// checkpoint.
template <class T>
T solve(const Points<T>& points, const Layout& layout, std::size_t kept_bytes, Script* script,
        std::optional<double> bound, Context& context, Team& team, SavedRows* saved) {
  const Border<T> top;
  StripTable<Worker<T>> table(points, layout, top, context, team, script ? std::optional(kept_bytes) : std::nullopt,
                              {.rows = saved});
  Distance<T> distance(layout, bound);
  const auto run_chunk = [&](Worker<T>& worker, std::size_t chunk, const Border<T>& above, Border<T>& below) {
    worker.run(chunk, above, below);
    return distance.look_at(worker.strip(), chunk, below);
  };
  if (!table.run(false, run_chunk)) return std::numeric_limits<T>::infinity();
  const bool is_found = distance.value() < std::numeric_limits<T>::infinity();
  if (!script || !is_found || distance.exceeds_bound(distance.value())) return distance.value();
  WarpingWalk walk{layout.band.n - 1, layout.band.m - 1};
  table.walk_back(walk);
  *script = walk.finished();
  return distance.value();
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

RowGroups groups_of(const Size& size) {
  return row_groups(size.band.n, tuning::max_table_groups, tuning::min_warp_unit, tuning::max_warp_unit);
}
/// Of the values that the band has in a row.
std::size_t row_bytes(const Size& size) {
  const auto width = static_cast<std::size_t>(size.band.most - size.band.least + 1);
  return std::min(width, size.band.m) * size.lane_bytes;
}
std::size_t saved_bytes(const Size& size) { return SavedRows::bytes(groups_of(size), row_bytes(size)); }

/// Of the numbers in the type of the lanes.
template <class Lane>
TableIdentity identity_of(const strips::Points<Lane>& points, const Size& size) {
  const Band& band = size.band;
  const std::int64_t request[] = {static_cast<std::int64_t>(band.n), static_cast<std::int64_t>(size.dimensions),
                                  std::max(band.least, -static_cast<std::int64_t>(band.n)),
                                  std::min(band.most, static_cast<std::int64_t>(band.m)), points.is_squared};
  return identity_of_pair(sizeof(Lane) == sizeof(float) ? "f32" : "f64", "numbers", points.a, points.b,
                          std::span<const std::int64_t>(request));
}

template <class Lane, class T>
Warping<T> solve_with(const strips::Points<Lane>& points, const Query<T>& query, Context& context, Team& team,
                      SavedRows* saved) {
  const Size& size = query.size;
  const auto threads = static_cast<std::size_t>(team.size());
  const Layout layout = strips::layout_of(size, threads, context.budget.left(), saved ? saved->groups().unit : 0);
  const std::size_t kept = kept_bytes(layout, size, threads, context.budget.left());
  const auto taken = context.budget.reserve(layout.fixed_bytes(threads, size.script));
  Warping<T> solution;
  const Lane distance = strips::solve(points, layout, kept, query.request.script ? &solution.script : nullptr,
                                      query.request.max_distance, context, team, saved);
  if (query.request.max_distance && static_cast<double>(distance) > *query.request.max_distance) return {};
  solution.distance = static_cast<WarpingCost<T>>(distance);
  return solution;
}

template <class Lane, class T>
Warping<T> solve_in(const strips::Points<Lane>& points, const Query<T>& query, Context& context) {
  Team team(static_cast<int>(threads_for(query.size, context.options)));
  context.report.threads = team.size();
  const Size& size = query.size;
  if (!context.options.checkpointer) return solve_with(points, query, context, team, nullptr);
  return solve_saving(groups_of(size), row_bytes(size), identity_of(points, size), context,
                      [&](SavedRows& saved) { return solve_with(points, query, context, team, &saved); });
}

template <class Lane>
Warping<std::int32_t> solve_converted(const Query<std::int32_t>& query, Context& context) {
  const auto taken = context.budget.reserve(converted_bytes(query.size));
  const Converted<Lane> converted(query.a.values(), query.b.values());
  return solve_in<Lane>({converted.a, converted.b, query.is_squared()}, query, context);
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
  const std::size_t copied = converted_bytes(size) + (options.checkpointer ? saved_bytes(size) : 0);
  const std::size_t left = Budget(options).left();
  const std::size_t rest = left - std::min(copied, left);
  const Layout layout = strips::layout_of(size, threads, rest, options.checkpointer ? groups_of(size).unit : 0);
  const std::size_t fixed = copied + layout.fixed_bytes(threads, size.script);
  if (!size.script) return fixed;
  const std::size_t borders = Grid{1, 1}.bytes(layout, complete_table(layout));
  const std::size_t least = std::min(borders, least_bytes(layout, complete_table(layout)));
  return fixed + std::clamp(kept_bytes(layout, size, threads, rest), least, borders);
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
