#include "sequence/align/strips/strips.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "sequence/align/strips/worker.hpp"
#include "sequence/align/walk.hpp"
#include "sequence/saved_rows.hpp"
#include "sequence/strips/strip_table.hpp"
#include "sequence/tuning.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold::sequence::alignment {

namespace strips {
namespace {

/// Collects the ends of alignments from all threads.
template <class T>
class Ends {
 public:
  /// `saved`: null, or the rows of a checkpoint, whose headers have the best end in each group.
  Ends(const Query& query, const Layout& layout, const SavedRows* saved)
      : query_(query), layout_(layout), saved_(saved), of_groups_(saved ? saved->groups().count() : 0) {
    const FreeEnds& ends = query.ends();
    if (ends.local) best_ = {0, 0, 0};
    if (!ends.local && ends.end_a) offer({query.above(query.m()), 0, query.m()});
    if (!ends.local && ends.end_b) offer({query.left_of(query.n()), query.n(), 0});
    for (std::size_t group = 0; saved && group < saved->restored(); ++group) {
      Header header;
      std::memcpy(&header, saved->row(group).data(), sizeof header);
      if (header.is_there) offer({header.score, header.i, header.j});
    }
  }
  static constexpr std::size_t header_bytes = 4 * sizeof(std::int64_t);

  /// Sets the header of a group that has been run.
  void set_header(std::size_t group, std::byte* to) {
    const std::lock_guard lock(mutex_);
    const BestEnd& end = of_groups_[group];
    const Header header{end.score ? 1U : 0U, end.score.value_or(0), end.i, end.j};
    std::memcpy(to, &header, sizeof header);
  }

  [[nodiscard]] const BestEnd& best() const { return best_; }

  /// Looks at the chunk that the worker has run. `before`: the worker's state before it, of local alignments.
  void look_at(Worker<T>& worker, std::size_t chunk, const Border<T>& above, const Border<T>& below,
               const std::vector<std::byte>& before) {
    const FreeEnds& ends = query_.ends();
    if (ends.local) return look_for_local(worker, chunk, above, before);
    const bool is_last_strip = worker.strip() + 1 == layout_.strips();
    const bool is_last_chunk = chunk + 1 == layout_.chunks();
    if (is_last_strip && (ends.end_b || is_last_chunk)) look_at_last_row(chunk, below, ends.end_b);
    if (is_last_chunk && ends.end_a) look_at_last_column(worker);
  }

 private:
  struct Header {
    std::uint64_t is_there;
    std::int64_t score;
    std::uint64_t i, j;
  };
  static_assert(sizeof(Header) == header_bytes);

  void offer(const BestEnd& end) {
    const std::lock_guard lock(mutex_);
    best_.offer_any(end);
  }
  void offer(const BestEnd& end, std::size_t strip) {
    offer(end);
    if (!saved_) return;
    const std::lock_guard lock(mutex_);
    of_groups_[saved_->groups().that_has(strip / layout_.unit_strips())].offer_any(end);
  }
  void look_at_last_row(std::size_t chunk, const Border<T>& below, bool at_all) {
    const std::size_t columns = layout_.columns_of(chunk);
    BestEnd end;
    for (std::size_t column = at_all ? 1 : columns; column <= columns; ++column) {
      const std::size_t j = layout_.first_column(chunk) + column;
      end.offer(layout_.unbiased(below.base(chunk) + below.best(chunk)[column], layout_.n, j), layout_.n, j);
    }
    offer(end);
  }

  void look_at_last_column(const Worker<T>& worker) {
    const std::size_t first = layout_.first_row(worker.strip());
    BestEnd end;
    for (std::size_t row = 1; row <= worker.rows(); ++row) {
      end.offer(layout_.unbiased(worker.in_state(row), first + row, layout_.m), first + row, layout_.m);
    }
    offer(end, worker.strip());
  }

  void look_for_local(Worker<T>& worker, std::size_t chunk, const Border<T>& above,
                      const std::vector<std::byte>& before) {
    {
      const std::lock_guard lock(mutex_);
      const bool is_behind = best_.i <= layout_.first_row(worker.strip());
      if (worker.best() < *best_.score || (worker.best() == *best_.score && is_behind)) return;
    }
    std::vector<std::byte> after(layout_.state_bytes());
    worker.save(after.data());
    worker.enter(worker.strip(), before.data());
    worker.run_tile(chunk, worker.rows(), layout_.columns_of(chunk), above);
    offer(worker.find_best(chunk), worker.strip());
    worker.enter(worker.strip(), after.data());
  }

  const Query& query_;
  const Layout& layout_;
  const SavedRows* saved_;
  std::mutex mutex_;
  BestEnd best_;
  std::vector<BestEnd> of_groups_;
};

/// `saved`: null, or the rows of a checkpoint.
template <class T>
Alignment solve(const Query& query, const Layout& layout, std::size_t kept_bytes, Context& context, Team& team,
                SavedRows* saved) {
  const Border<T> above_all = first_border<T>(query, layout);
  const bool has_script = query.request.script;
  std::vector<std::int64_t> band_ends(layout.band ? layout.strips() : 0);
  const Table input{query, band_ends.data()};
  Ends<T> ends(query, layout, saved);
  const auto set_header = [&](std::size_t group, std::byte* header) { ends.set_header(group, header); };
  StripTable<Worker<T>> table(input, layout, above_all, context, team,
                              has_script ? std::optional(kept_bytes) : std::nullopt,
                              {saved, Ends<T>::header_bytes, set_header});
  const auto run_chunk = [&](Worker<T>& worker, std::size_t chunk, const Border<T>& above, Border<T>& below) {
    std::vector<std::byte> before(layout.is_local ? layout.state_bytes() : 0);
    if (layout.is_local) worker.save(before.data());
    worker.run(chunk, above, below);
    ends.look_at(worker, chunk, above, below, before);
    return true;
  };
  table.run(layout.is_local, run_chunk);
  Alignment solution = ends.best().alignment();
  if (!has_script) return solution;
  AlignmentWalk walk(query, ends.best());
  table.walk_back(walk);
  solution.script = walk.finished();
  return solution;
}

}  // namespace
}  // namespace strips

namespace {

using strips::Diagonals;
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

std::optional<Layout> layout_for(const Size& size, std::size_t threads, std::size_t bytes_left,
                                 const std::optional<Diagonals>& band = {}, std::size_t unit = 0) {
  return strips::layout_of(size, threads, std::min(bytes_left, script_bytes(size.n, size.m)) / 4, band, unit);
}

RowGroups groups_of(const Size& size) {
  return row_groups(static_cast<std::size_t>(size.n), tuning::max_table_groups, tuning::min_scored_unit,
                    tuning::narrow_strip_rows);
}
/// The same for both types of values.
std::size_t row_bytes(const Size& size) {
  return strips::Ends<std::uint32_t>::header_bytes +
         strips::Border<std::uint32_t>::saved_bytes(static_cast<std::size_t>(size.m));
}

Alignment solve_with(const Layout& layout, const Query& query, Context& context, Team& team,
                     SavedRows* saved = nullptr) {
  const Size size = size_of(query.pair, query.request);
  const auto threads = static_cast<std::size_t>(team.size());
  const std::size_t kept = kept_bytes(layout, size, threads, context.budget.left());
  const auto taken = context.budget.reserve(layout.fixed_bytes(threads, query.request.script));
  return layout.value_bytes == sizeof(std::uint16_t)
             ? strips::solve<std::uint16_t>(query, layout, kept, context, team, saved)
             : strips::solve<std::uint32_t>(query, layout, kept, context, team, saved);
}

/// It has the scores of all codes; without a matrix, of a match and of a mismatch.
TableIdentity identity_of(const Query& query) {
  const FreeEnds& ends = query.ends();
  std::vector<std::int64_t> request = {static_cast<std::int64_t>(query.n()),
                                       query.gaps().open,
                                       query.gaps().extend,
                                       ends.begin_a,
                                       ends.end_a,
                                       ends.begin_b,
                                       ends.end_b,
                                       ends.local};
  const std::uint32_t rows = query.pair.has_matrix() ? query.pair.codes() : 1;
  const std::uint32_t columns = query.pair.has_matrix() ? query.pair.codes() : 2;
  for (std::uint32_t x = 0; x < rows; ++x) {
    for (std::uint32_t y = 0; y < columns; ++y) request.push_back(query.pair.score(x, y));
  }
  return identity_of_pair("scores", "symbols", query.pair.a(), query.pair.b(), std::span<const std::int64_t>(request));
}

Alignment solve_saved(const Query& query, Context& context, Team& team) {
  const Size size = size_of(query.pair, query.request);
  const RowGroups groups = groups_of(size);
  return solve_saving(groups, row_bytes(size), identity_of(query), context, [&](SavedRows& saved) {
    const auto threads = static_cast<std::size_t>(team.size());
    const auto layout = layout_for(size, threads, context.budget.left(), {}, groups.unit);
    return solve_with(*layout, query, context, team, &saved);
  });
}

/// Of what the strips of a band have in common.
std::size_t shared_bytes_of_band(double n) {
  constexpr std::size_t bytes_of_strip = 128 + sizeof(std::int64_t);
  return (static_cast<std::size_t>(n) / tuning::chunk_columns + 1) * bytes_of_strip;
}

/// The diagonals of the corners, and so many on both sides.
Diagonals diagonals_beside_corners(const Size& size, double width) {
  return {static_cast<std::size_t>(std::max(size.n - size.m, 0.0) + width),
          static_cast<std::size_t>(std::max(size.m - size.n, 0.0) + width)};
}

/// The layout of a band, if it takes at most so much of all cells.
std::optional<Layout> worthwhile_band(const Size& size, const Diagonals& band, double worth, std::size_t threads,
                                      std::size_t bytes_left) {
  auto layout = layout_for(size, threads, bytes_left, band);
  if (layout && layout->cells() > worth * size.cells()) layout.reset();
  return layout;
}

}  // namespace

// An alignment that comes to diagonal k = j - i >= max(0, m - n) inserts k symbols or more. It deletes n - m + k or
// more, and has at most m - k pairs of symbols. So with gap costs g its score is at most
//
//     max(0, s) (m - k) - g(k) - g(n - m + k)
//
// for a largest score s. This decreases in k. An alignment of a larger score stays on the nearer diagonals. The same
// holds on the other side, with n and m exchanged.
strips::Diagonals diagonals_of_score(const Size& size, std::int64_t score) {
  const auto n = static_cast<std::int64_t>(size.n), m = static_cast<std::int64_t>(size.m);
  const std::int64_t pair_score = std::max<std::int64_t>(0, size.max_score);
  const GapCosts& gaps = size.request.gaps;
  const auto furthest = [&](std::int64_t length, std::int64_t other) {
    const auto may_reach = [&](std::int64_t k) {
      const std::int64_t back = other - length + k;
      const std::int64_t most = pair_score * (length - k) - gaps.of(static_cast<std::uint64_t>(k)) -
                                gaps.of(static_cast<std::uint64_t>(back));
      return most >= score;
    };
    std::int64_t reached = std::max<std::int64_t>(0, length - other), beyond = length + 1;
    while (reached + 1 < beyond) {
      const std::int64_t middle = reached + (beyond - reached) / 2;
      (may_reach(middle) ? reached : beyond) = middle;
    }
    return static_cast<std::size_t>(reached);
  };
  return {furthest(n, m), std::max<std::size_t>(1, furthest(m, n))};
}

Alignment by_strips(const Query& query, Context& context) {
  Team team(static_cast<int>(threads_for(query.cells(), context.options)));
  context.report.threads = team.size();
  if (context.options.checkpointer) return solve_saved(query, context, team);
  const auto threads = static_cast<std::size_t>(team.size());
  const Size size = size_of(query.pair, query.request);
  return solve_with(*layout_for(size, threads, context.budget.left()), query, context, team);
}

Alignment by_band(const Query& query, Context& context) {
  Team team(static_cast<int>(threads_for(query.cells(), context.options)));
  context.report.threads = team.size();
  const auto threads = static_cast<std::size_t>(team.size());
  const auto taken = context.budget.reserve(shared_bytes_of_band(static_cast<double>(query.n())));
  const Size size = size_of(query.pair, query.request);
  const auto band_of = [&](const Diagonals& band, double worth) {
    return worthwhile_band(size, band, worth, threads, context.budget.left());
  };
  std::optional<Layout> layout = band_of(diagonals_beside_corners(size, tuning::first_band), tuning::worth_first_band);
  if (layout) {
    AlignmentRequest score_alone = query.request;
    score_alone.script = false;
    auto progress = std::exchange(context.options.progress, {});  // the second run tells it
    const Alignment found = solve_with(*layout, {query.pair, score_alone}, context, team);
    context.options.progress = std::move(progress);
    const Diagonals band = diagonals_of_score(size, found.score);
    const bool is_known = band.below <= layout->band->below && band.above <= layout->band->above;
    if (is_known && !query.request.script) return found;
    layout = band_of(band, tuning::worth_band);
  }
  if (!layout) layout = layout_for(size, threads, context.budget.left());
  return solve_with(*layout, query, context, team);
}

Alignment by_band(const Query& query, Context& context, const Diagonals& band) {
  Team team(static_cast<int>(threads_for(query.cells(), context.options)));
  context.report.threads = team.size();
  const Size size = size_of(query.pair, query.request);
  const auto layout = layout_for(size, static_cast<std::size_t>(team.size()), context.budget.left(), band);
  return solve_with(*layout, query, context, team);
}

double seconds_of_band(const Size& size, const Options& options) {
  return (1 + tuning::free_part) * seconds_of_strips(size, options);
}

std::string unsupported_by_band(const Size& size) {
  if (size.request.ends != global_ends) return "aligns from end to end only";
  return unsupported_by_strips(size);
}

namespace {

/// With a band of a size that is not known yet: of `finer` times as many strips.
std::size_t bytes_with_strips(const Size& size, const Options& options, std::size_t finer) {
  if (size.cells() == 0) return 0;
  const std::size_t threads = threads_for(size.cells(), options);
  const RowGroups groups = groups_of(size);
  const std::size_t saved = options.checkpointer ? SavedRows::bytes(groups, row_bytes(size)) : 0;
  const std::size_t all = Budget(options).left(), left = all - std::min(saved, all);
  const std::optional<Layout> layout = layout_for(size, threads, left, {}, options.checkpointer ? groups.unit : 0);
  if (!layout) return 0;
  const std::size_t fixed = saved + layout->fixed_bytes(threads, size.request.script);
  if (!size.request.script) return fixed;
  const std::size_t borders = Grid{1, 1}.bytes(*layout, complete_table(*layout));
  const std::size_t least = std::min(borders, least_bytes(*layout, complete_table(*layout)));
  return fixed + std::clamp(kept_bytes(*layout, size, threads, left), least, finer * borders);
}

}  // namespace

std::size_t bytes_of_strips(const Size& size, const Options& options) { return bytes_with_strips(size, options, 1); }

std::size_t bytes_of_band(const Size& size, const Options& options) {
  return bytes_with_strips(size, options, tuning::narrow_strip_rows / tuning::band_strip_rows) +
         shared_bytes_of_band(size.n);
}

double seconds_of_strips(const Size& size, const Options& options) {
  if (size.cells() == 0) return 0;
  const std::size_t threads = threads_for(size.cells(), options);
  const std::optional<Layout> layout = layout_for(size, threads, Budget(options).left());
  if (!layout) return 0;
  const double cells = static_cast<double>(layout->strips() * layout->rows()) * size.m;
  const double lanes = static_cast<double>(layout->lanes) * (layout->narrow ? 2 : 1);
  const double vectors = cells / lanes / static_cast<double>(threads);
  const double operations = vectors * (layout->is_local ? 13 : 8) * (size.request.script ? 1.3 : 1);
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
