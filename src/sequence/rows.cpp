#include "sequence/rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "sequence/tuning.hpp"
#include "sequence/walk.hpp"

namespace warpfold::sequence {

namespace {

using Row = std::vector<std::int64_t>;

/// How rows are kept for a walk: `levels` times `kept` pairs of rows, and `base` rows that are walked through. Nothing
/// is kept for a score.
struct Plan {
  std::size_t base = 0, kept = 0, levels = 0;

  [[nodiscard]] std::size_t rows() const { return base + 2 + 2 * kept * levels + 3; }
};

/// The fewest levels with which n rows are walked in at most `rows` rows, or in few.
Plan plan_of(std::size_t n, std::size_t rows) {
  constexpr std::size_t min_rows = 48;
  const std::size_t usable = (std::max(rows, min_rows) - 5) / 2;
  if (n <= usable) return {n, 0, 0};
  for (std::size_t levels = 1;; ++levels) {
    const std::size_t kept = std::max<std::size_t>(2, usable / (2 * levels));
    if (static_cast<double>(usable) * std::pow(static_cast<double>(kept), static_cast<double>(levels)) >=
        static_cast<double>(n)) {
      return {usable, kept, levels};
    }
  }
}

/// The rows that the memory for scripts has.
Plan plan_of(double n, double m, const Request& request, std::size_t bytes_left) {
  if (!request.script) return {};
  const double bytes = std::min(static_cast<double>(tuning::script_bytes) + tuning::symbol_bytes * (n + m),
                                static_cast<double>(bytes_left));
  return plan_of(static_cast<std::size_t>(n), static_cast<std::size_t>(bytes / (8 * (m + 1))));
}

class Rows {
 public:
  Rows(const Query& query, SolveMonitor& monitor)
      : a_(query.pair.a()),
        b_(query.pair.b()),
        costs_(query.costs()),
        transpositions_(query.request.transpositions),
        monitor_(monitor) {}

  /// Row 0, and above it nothing.
  [[nodiscard]] std::array<Row, 2> first() const {
    std::array<Row, 2> rows = {Row(b_.size() + 1), Row(b_.size() + 1)};
    for (std::size_t j = 0; j <= b_.size(); ++j) rows[1][j] = static_cast<std::int64_t>(j) * costs_.insertion;
    return rows;
  }

  /// Row i up to column `last`, from the two above.
  void fill(std::size_t i, std::size_t last, const Row& two_above, const Row& above, Row& row) const {
    row[0] = static_cast<std::int64_t>(i) * costs_.deletion;
    const std::uint32_t symbol = a_[i - 1];
    for (std::size_t j = 1; j <= last; ++j) {
      const std::int64_t diagonal = above[j - 1] + (symbol == b_[j - 1] ? 0 : costs_.substitution);
      row[j] = std::min({diagonal, above[j] + costs_.deletion, row[j - 1] + costs_.insertion});
    }
    if (transpositions_ && i > 1) swap_neighbors(i, last, two_above, row);
  }

  /// The last row.
  [[nodiscard]] Row last() const {
    auto [above, row] = first();
    advance(0, a_.size(), b_.size(), above, row);
    return row;
  }

  [[nodiscard]] Script script(const Plan& plan) const {
    Walk walk{a_.size(), b_.size()};
    auto [above, row] = first();
    walk_up(walk, 0, above, row, plan, plan.levels);
    return walk.finished();
  }

 private:
  /// Row i again, where a swap may be better. What follows a better value in the row may become better, too.
  void swap_neighbors(std::size_t i, std::size_t last, const Row& two_above, Row& row) const {
    for (std::size_t j = 2; j <= last; ++j) {
      if (is_swapped(i, j)) row[j] = std::min(row[j], two_above[j - 2] + costs_.transposition);
      row[j] = std::min(row[j], row[j - 1] + costs_.insertion);
    }
  }
  [[nodiscard]] bool is_swapped(std::size_t i, std::size_t j) const {
    return transpositions_ && i > 1 && j > 1 && a_[i - 1] == b_[j - 2] && a_[i - 2] == b_[j - 1] &&
           a_[i - 1] != a_[i - 2];
  }

  /// From rows i - 1 and i to rows `to` - 1 and `to`.
  void advance(std::size_t i, std::size_t to, std::size_t last, Row& above, Row& row) const {
    Row next(row.size());
    while (i < to) {
      monitor_.check();
      fill(++i, last, above, row, next);
      std::swap(above, row);
      std::swap(row, next);
    }
  }

  /// Walks from the walk's row to row `from`, whose values are `row`.
  void walk_up(Walk& walk, std::size_t from, const Row& above, const Row& row, const Plan& plan,
               std::size_t level) const {
    if (level == 0) return walk_through(walk, from, above, row);
    const std::size_t height = walk.i - from;
    const std::size_t part = std::max(plan.base, (height + plan.kept - 1) / plan.kept);
    std::vector<std::array<Row, 2>> kept = {{above, row}};
    while (from + part * kept.size() < walk.i) {
      kept.push_back(kept.back());
      advance(from + part * (kept.size() - 2), from + part * (kept.size() - 1), walk.j, kept.back()[0], kept.back()[1]);
    }
    for (; !kept.empty(); kept.pop_back()) {
      const std::size_t first = from + part * (kept.size() - 1);
      if (walk.i > first && walk.j > 0) walk_up(walk, first, kept.back()[0], kept.back()[1], plan, level - 1);
    }
  }

  /// The same by all rows between.
  void walk_through(Walk& walk, std::size_t from, const Row& above, const Row& row) const {
    std::vector<Row> rows = {above, row};
    for (std::size_t i = from + 1; i <= walk.i; ++i) {
      rows.emplace_back(walk.j + 1);
      monitor_.check();
      fill(i, walk.j, rows[rows.size() - 3], rows[rows.size() - 2], rows.back());
    }
    const auto at = [&](std::size_t i, std::size_t j) { return rows[i + 1 - from][j]; };
    while (walk.i > from && walk.j > 0) take_step(walk, at);
  }

  template <class At>
  void take_step(Walk& walk, const At& at) const {
    const std::size_t i = walk.i;
    const std::size_t j = walk.j;
    const bool is_equal = a_[i - 1] == b_[j - 1];
    if (at(i, j) == at(i - 1, j - 1) + (is_equal ? 0 : costs_.substitution)) {
      walk.take(is_equal ? Edit::match : Edit::substitution);
    } else if (is_swapped(i, j) && at(i, j) == at(i - 2, j - 2) + costs_.transposition) {
      walk.take(Edit::transposition);
    } else {
      walk.take(at(i, j) == at(i - 1, j) + costs_.deletion ? Edit::deletion : Edit::insertion);
    }
  }

  std::span<const std::uint32_t> a_, b_;
  Costs costs_;
  bool transpositions_;
  SolveMonitor& monitor_;
};

}  // namespace

std::size_t bytes_of_rows(const Size& size, const Options& options) {
  const Plan plan = plan_of(size.n, size.m, size.request, Budget(options).left());
  return plan.rows() * sizeof(std::int64_t) * static_cast<std::size_t>(size.m + 1);
}

Distance by_rows(const Query& query, Context& context) {
  const auto n = static_cast<double>(query.pair.n());
  const auto m = static_cast<double>(query.pair.m());
  const Plan plan = plan_of(n, m, query.request, context.budget.left());
  const auto taken = context.budget.reserve(plan.rows() * (query.pair.m() + 1), sizeof(std::int64_t));
  SolveMonitor monitor(context.options, n * m);
  const Rows rows(query, monitor);
  const std::int64_t distance = rows.last().back();
  if (!query.is_within(distance)) return {};
  return {distance, query.request.script ? rows.script(plan) : Script()};
}

}  // namespace warpfold::sequence
