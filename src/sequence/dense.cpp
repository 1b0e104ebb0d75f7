#include "sequence/dense.hpp"

#include <algorithm>

#include "sequence/saved_rows.hpp"
#include "sequence/slices/strips.hpp"
#include "sequence/tuning.hpp"

namespace warpfold::sequence {

namespace {

using slices::Layout;
using slices::Needs;

Layout layout_for(const Query& query) {
  return slices::layout_of(query.pair.n(), query.pair.m(), query.pair.planes(), query.measure);
}
Layout all_cells_of(const Size& size) {
  return slices::layout_of(static_cast<std::size_t>(size.n), static_cast<std::size_t>(size.m), size.planes,
                           size.measure);
}
Layout best_of(const Layout& layout, bool with_script, std::size_t threads, std::size_t bytes_left) {
  return with_script ? slices::for_script(layout, threads, bytes_left) : slices::for_score(layout, threads, bytes_left);
}

/// What that layout takes.
Needs needs_of(const Layout& layout, bool with_script, std::size_t threads, std::size_t bytes_left) {
  return with_script ? slices::needs_of_script(layout, threads, bytes_left)
                     : Needs{layout.bytes(threads), layout.operations(threads)};
}
Needs best_needs_of(const Layout& layout, bool with_script, std::size_t threads, std::size_t bytes_left) {
  return needs_of(best_of(layout, with_script, threads, bytes_left), with_script, threads, bytes_left);
}

Distance unless_more(const Query& query, Distance solution) {
  return query.is_within(*solution.distance) ? std::move(solution) : Distance();
}

RowGroups groups_of(const Layout& layout) {
  return row_groups(layout.n, tuning::max_slice_groups, 64 * slices::max_lanes, tuning::max_slice_unit);
}
std::size_t row_bytes(const Layout& layout) { return sizeof(std::uint64_t) * layout.signs * layout.saved_words(); }
std::size_t saved_bytes(const Layout& layout, const RowGroups& groups) {
  return SavedRows::bytes(groups, row_bytes(layout));
}

TableIdentity identity_of(const Query& query) {
  const auto n = static_cast<std::int64_t>(query.pair.n());
  return identity_of_pair(query.measure == Measure::edit ? "edit" : "lcs", "symbols", query.pair.a(), query.pair.b(),
                          std::span(&n, 1));
}

/// Solves by all cells of a layout, in one thread or more.
class Dense {
 public:
  /// `rounds`: how often `solve` is called, at most.
  Dense(const Query& query, Context& context, int rounds)
      : query_(query),
        context_(context),
        team_(static_cast<int>(threads_of_slices(query.cells(), context.options))),
        monitor_(context.options, rounds * query.cells()) {
    context.report.threads = team_.size();
  }

  /// The least cost of a script within the layout's diagonals, and if `with_script` that script.
  [[nodiscard]] Distance solve(const Layout& diagonals, bool with_script, SavedRows* saved = nullptr) {
    const auto threads = static_cast<std::size_t>(team_.size());
    const auto [layout, bytes_left, bytes] = choice_for(diagonals, with_script);
    const auto taken = context_.budget.reserve(bytes);
    const slices::Table table{query_.measure, query_.pair.a(), query_.pair.b()};
    slices::Strips strips(table, layout, threads, saved);
    strips.run(team_, monitor_);
    const std::int64_t distance = strips.distance();
    if (!with_script || !query_.is_within(distance)) return {distance, Script()};
    Walk walk{layout.n, layout.m};
    strips.walk_back(walk, bytes_of_tiles(layout, threads, bytes_left), team_, monitor_);
    return {distance, walk.finished()};
  }
  /// The same of all cells, with a checkpoint.
  [[nodiscard]] Distance solve_saved(Layout layout, bool with_script) {
    const RowGroups groups = groups_of(layout);
    layout.unit = groups.unit;
    return solve_saving(groups, row_bytes(layout), identity_of(query_), context_,
                        [&](SavedRows& saved) { return solve(layout, with_script, &saved); });
  }

 private:
  struct Choice {
    Layout layout;
    std::size_t bytes_left, bytes;  ///< the bytes that it was chosen for, and those that it takes
  };
  /// The memory of a script is estimated without a bound, so a band takes no more than all cells would.
  [[nodiscard]] Choice choice_for(const Layout& diagonals, bool with_script) const {
    const auto best = [&](const Layout& layout, std::size_t bytes_left) {
      const auto threads = static_cast<std::size_t>(team_.size());
      const Layout found = best_of(layout, with_script, threads, bytes_left);
      return Choice{found, bytes_left, needs_of(found, with_script, threads, bytes_left).bytes};
    };
    if (!with_script) return best(diagonals, context_.budget.left());
    const Choice all = best(slices::with_all_diagonals(diagonals), context_.budget.left());
    const Choice band = best(diagonals, all.bytes);
    return diagonals.has_all_diagonals() || band.bytes > all.bytes ? all : band;
  }

  const Query& query_;
  Context& context_;
  Team team_;
  SolveMonitor monitor_;
};

std::size_t difference_of(std::size_t n, std::size_t m) { return std::max(n, m) - std::min(n, m); }

/// The bound of the first band: its diagonals are one for `first_band` symbols.
std::size_t first_bound_of(std::size_t n, std::size_t m) { return difference_of(n, m) + (n + m) / tuning::first_band; }

/// The bound that a first band of unknown sequences is expected to show, or without one all cells.
std::size_t expected_bound_of(const Size& size) {
  const auto n = static_cast<std::size_t>(size.n), m = static_cast<std::size_t>(size.m);
  if (size.planes > 8 || size.cells() <= tuning::worth_a_first_band) return n + m;
  return difference_of(n, m) + static_cast<std::size_t>(tuning::expected_bound * static_cast<double>(std::min(n, m)));
}

double seconds_of(const Needs& needs) {
  return tuning::slices_start_seconds + tuning::vector_operation_seconds * needs.operations;
}

}  // namespace

std::size_t threads_of_slices(double cells, const Options& options) {
  return cells < tuning::worth_threads ? 1 : static_cast<std::size_t>(thread_count(options.threads));
}

Distance by_slices(const Query& query, Context& context) {
  Dense dense(query, context, 1);
  const Layout layout = layout_for(query);
  return unless_more(query, context.options.checkpointer ? dense.solve_saved(layout, query.request.script)
                                                         : dense.solve(layout, query.request.script));
}

Distance by_band(const Query& query, Context& context) {
  const std::size_t symbols = query.pair.n() + query.pair.m();
  std::size_t bound = std::min<std::size_t>(query.request.max_distance.value_or(symbols), symbols);
  const std::size_t first_bound = first_bound_of(query.pair.n(), query.pair.m());
  const bool begins_narrow = first_bound < bound && query.cells() > tuning::worth_a_first_band;
  Dense dense(query, context, begins_narrow ? 2 : 1);
  if (begins_narrow) {
    const Distance first = dense.solve(within(layout_for(query), first_bound), false);
    const auto distance = static_cast<std::size_t>(*first.distance);
    if (distance <= first_bound && !query.request.script) return unless_more(query, first);
    bound = std::min(bound, distance);
  }
  return unless_more(query, dense.solve(within(layout_for(query), bound), query.request.script));
}

std::size_t bytes_of_slices(const Size& size, const Options& options) {
  if (size.cells() == 0) return 0;
  const std::size_t threads = threads_of_slices(size.cells(), options);
  Layout layout = all_cells_of(size);
  std::size_t saved = 0;
  if (options.checkpointer) {
    const RowGroups groups = groups_of(layout);
    layout.unit = groups.unit;
    saved = saved_bytes(layout, groups);
  }
  const std::size_t left = Budget(options).left();
  return saved + best_needs_of(layout, size.request.script, threads, left - std::min(saved, left)).bytes;
}

double seconds_of_slices(const Size& size, const Options& options) {
  if (size.cells() == 0) return 0;
  if (size.cells() < tuning::worth_slices) return 2 * tuning::slices_start_seconds;
  const std::size_t threads = threads_of_slices(size.cells(), options);
  return seconds_of(best_needs_of(all_cells_of(size), size.request.script, threads, Budget(options).left()));
}

double seconds_of_band(const Size& size, const Options& options) {
  if (size.cells() < tuning::worth_slices) return 1.1 * seconds_of_slices(size, options);
  const std::size_t threads = threads_of_slices(size.cells(), options);
  const Layout all = all_cells_of(size);
  const std::size_t bound = std::min(expected_bound_of(size), size.request.max_distance.value_or(max_length));
  const double band =
      seconds_of(best_needs_of(within(all, bound), size.request.script, threads, Budget(options).left()));
  const std::size_t first_bound = first_bound_of(all.n, all.m);
  if (size.cells() <= tuning::worth_a_first_band || first_bound >= bound) return 1.1 * band;
  return band + seconds_of(best_needs_of(within(all, first_bound), false, threads, Budget(options).left()));
}

}  // namespace warpfold::sequence
