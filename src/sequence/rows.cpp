#include "sequence/rows.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "sequence/kept_rows.hpp"
#include "sequence/table_costs.hpp"
#include "sequence/walk.hpp"

namespace warpfold::sequence {

namespace {

using Row = std::vector<std::int64_t>;
/// A row, after the one above it.
using TwoRows = std::array<Row, 2>;

KeptRows plan_of(double n, double m, const Request& request, std::size_t bytes_left) {
  return request.script ? rows_for_script<std::int64_t>(n, m, 2, bytes_left) : KeptRows();
}

class Rows {
 public:
  Rows(const Query& query, const Costs& costs, SolveMonitor& monitor)
      : pair_(query.pair),
        a_(query.pair.a()),
        b_(query.pair.b()),
        costs_(costs),
        transpositions_(query.request.transpositions),
        monitor_(monitor) {}

  /// Row 0, and above it nothing.
  [[nodiscard]] TwoRows first() const {
    TwoRows rows = {Row(b_.size() + 1), Row(b_.size() + 1)};
    for (std::size_t j = 0; j <= b_.size(); ++j) rows[1][j] = static_cast<std::int64_t>(j) * costs_.insertion;
    return rows;
  }

  /// Row i up to column `last`, from the two above.
  void fill(std::size_t i, std::size_t last, const Row& two_above, const Row& above, Row& row) const {
    row[0] = static_cast<std::int64_t>(i) * costs_.deletion;
    const std::uint32_t symbol = a_[i - 1];
    if (pair_.has_sets()) {
      fill_cells(last, above, row, [&](std::uint32_t other) { return pair_.matches(symbol, other); });
    } else {
      fill_cells(last, above, row, [&](std::uint32_t other) { return symbol == other; });
    }
    if (transpositions_ && i > 1) swap_neighbors(i, last, two_above, row);
  }

  /// The last row.
  [[nodiscard]] Row last() const {
    TwoRows rows = first();
    advance(0, a_.size(), b_.size(), rows);
    return rows[1];
  }

  [[nodiscard]] Script script(const KeptRows& plan) const {
    Walker walker{*this, {a_.size(), b_.size()}};
    walk_up(walker, 0, first(), plan, plan.levels);
    return walker.walk.finished();
  }

 private:
  template <class Matches>
  void fill_cells(std::size_t last, const Row& above, Row& row, const Matches& matches) const {
    for (std::size_t j = 1; j <= last; ++j) {
      const std::int64_t diagonal = above[j - 1] + (matches(b_[j - 1]) ? 0 : costs_.substitution);
      row[j] = std::min({diagonal, above[j] + costs_.deletion, row[j - 1] + costs_.insertion});
    }
  }

  /// Row i again, where a swap may be better. What follows a better value in the row may become better, too.
  void swap_neighbors(std::size_t i, std::size_t last, const Row& two_above, Row& row) const {
    for (std::size_t j = 2; j <= last; ++j) {
      if (is_swapped(i, j)) row[j] = std::min(row[j], two_above[j - 2] + costs_.transposition);
      row[j] = std::min(row[j], row[j - 1] + costs_.insertion);
    }
  }
  [[nodiscard]] bool is_swapped(std::size_t i, std::size_t j) const {
    return transpositions_ && i > 1 && j > 1 && pair_.matches(a_[i - 1], b_[j - 2]) &&
           pair_.matches(a_[i - 2], b_[j - 1]) && a_[i - 1] != a_[i - 2];
  }

  /// A walk for `walk_up`.
  struct Walker {
    const Rows& table;
    Walk walk;

    [[nodiscard]] std::size_t row() const { return walk.i; }
    [[nodiscard]] bool is_done() const { return walk.j == 0; }
    void advance(std::size_t from, std::size_t to, TwoRows& rows) const { table.advance(from, to, walk.j, rows); }
    void walk_through(std::size_t from, const TwoRows& first) { table.walk_through(walk, from, first); }
  };

  /// From rows i - 1 and i to rows `to` - 1 and `to`.
  void advance(std::size_t i, std::size_t to, std::size_t last, TwoRows& rows) const {
    auto& [above, row] = rows;
    Row next(row.size());
    while (i < to) {
      monitor_.check();
      fill(++i, last, above, row, next);
      std::swap(above, row);
      std::swap(row, next);
    }
  }

  /// Walks from the walk's row to row `from` by all rows between.
  void walk_through(Walk& walk, std::size_t from, const TwoRows& first) const {
    std::vector<Row> rows = {first[0], first[1]};
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
    const bool is_match = pair_.matches(a_[i - 1], b_[j - 1]);
    if (at(i, j) == at(i - 1, j - 1) + (is_match ? 0 : costs_.substitution)) {
      walk.take(is_match ? Edit::match : Edit::substitution);
    } else if (is_swapped(i, j) && at(i, j) == at(i - 2, j - 2) + costs_.transposition) {
      walk.take(Edit::transposition);
    } else {
      walk.take(at(i, j) == at(i - 1, j) + costs_.deletion ? Edit::deletion : Edit::insertion);
    }
  }

  const Coded& pair_;
  std::span<const std::uint32_t> a_, b_;
  Costs costs_;
  bool transpositions_;
  SolveMonitor& monitor_;
};

}  // namespace

std::size_t bytes_of_rows(const Size& size, const Options& options) {
  const KeptRows plan = plan_of(size.n, size.m, size.request, Budget(options).left());
  return plan.rows() * sizeof(std::int64_t) * static_cast<std::size_t>(size.m + 1);
}

Distance by_rows(const Query& query, Context& context) {
  const auto n = static_cast<double>(query.pair.n());
  const auto m = static_cast<double>(query.pair.m());
  const KeptRows plan = plan_of(n, m, query.request, context.budget.left());
  const auto taken = context.budget.reserve(plan.rows() * (query.pair.m() + 1), sizeof(std::int64_t));
  SolveMonitor monitor(context.options, n * m);
  const TableCosts costs(query);
  const Rows rows(query, costs.costs(), monitor);
  const std::int64_t distance = costs.distance_of(rows.last().back());
  if (!query.is_within(distance)) return {};
  return {distance, query.request.script ? rows.script(plan) : Script()};
}

}  // namespace warpfold::sequence
