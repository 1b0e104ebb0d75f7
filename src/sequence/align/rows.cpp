#include <algorithm>
#include <array>
#include <vector>

#include "sequence/align/walk.hpp"
#include "sequence/kept_rows.hpp"

namespace warpfold::sequence::alignment {

namespace {

using Row = std::vector<std::int64_t>;

/// Row i of H, and of the best that ends with a deletion, by pieces.
struct RowState {
  Row best;
  std::array<Row, 2> deleted;
};

std::size_t state_rows_of(const GapCosts& gaps) { return gaps.second ? 3 : 2; }

KeptRows plan_of(double n, double m, const AlignmentRequest& request, std::size_t bytes_left) {
  const std::size_t state_rows = state_rows_of(request.gaps);
  if (!request.script) return {.state_rows = state_rows};
  return rows_for_script<std::int64_t>(n, m, state_rows, bytes_left);
}

class Rows {
 public:
  Rows(const Query& query, SolveMonitor& monitor)
      : query_(query), pieces_(pieces_of(query.gaps())), monitor_(monitor) {}

  [[nodiscard]] BestEnd end() const {
    BestEnd best;
    RowState state = first();
    offer_ends(0, state.best, best);
    for (std::size_t i = 1; i <= query_.n(); ++i) {
      next(i, query_.m(), state);
      offer_ends(i, state.best, best);
    }
    return best;
  }

  [[nodiscard]] Script script(const BestEnd& end, const KeptRows& plan) const {
    Walker walker{*this, {query_, end}};
    walk_up(walker, 0, first(), plan, plan.levels);
    return walker.walk.finished();
  }

 private:
  /// A walk for `walk_up`.
  struct Walker {
    const Rows& table;
    AlignmentWalk walk;

    [[nodiscard]] std::size_t row() const { return walk.i(); }
    [[nodiscard]] bool is_done() const { return walk.is_done(); }
    void advance(std::size_t from, std::size_t to, RowState& state) const {
      for (std::size_t i = from + 1; i <= to; ++i) table.next(i, walk.j(), state);
    }
    void walk_through(std::size_t from, const RowState& state) { table.walk_through(walk, from, state); }
  };

  [[nodiscard]] RowState first() const {
    RowState state;
    state.best.resize(query_.m() + 1);
    for (std::size_t j = 0; j <= query_.m(); ++j) state.best[j] = query_.above(j);
    for (std::size_t p = 0; p < pieces_.size(); ++p) state.deleted[p].assign(query_.m() + 1, impossible);
    return state;
  }

  /// From row i - 1 to row i, up to column `last`.
  void next(std::size_t i, std::size_t last, RowState& state) const {
    monitor_.check();
    if (query_.pair.has_matrix()) {
      fill(i, last, state,
           [&, x = query_.pair.a()[i - 1]](std::size_t j) { return query_.pair.score(x, query_.pair.b()[j - 1]); });
    } else {
      const std::int64_t match = query_.pair.score(0, 0), mismatch = query_.pair.score(0, 1);
      fill(i, last, state, [=, x = query_.pair.a()[i - 1], b = query_.pair.b()](std::size_t j) {
        return x == b[j - 1] ? match : mismatch;
      });
    }
  }

  template <class Score>
  void fill(std::size_t i, std::size_t last, RowState& state, const Score& score) const {
    const bool is_local = query_.ends().local;
    std::array<std::int64_t, 2> inserted = {impossible, impossible};
    std::int64_t diagonal = state.best[0];
    std::int64_t before = state.best[0] = query_.left_of(i);
    for (std::size_t j = 1; j <= last; ++j) {
      const std::int64_t above = state.best[j];
      std::int64_t best = diagonal + score(j);
      for (std::size_t p = 0; p < pieces_.size(); ++p) {
        const auto [open, extend] = pieces_[p];
        std::int64_t& deleted = state.deleted[p][j];
        deleted = std::max(deleted, above - open) - extend;
        inserted[p] = std::max(inserted[p], before - open) - extend;
        best = std::max({best, deleted, inserted[p]});
      }
      if (is_local) best = std::max<std::int64_t>(best, 0);
      diagonal = above;
      before = state.best[j] = best;
    }
  }

  void offer_ends(std::size_t i, const Row& row, BestEnd& best) const {
    const FreeEnds& ends = query_.ends();
    const bool is_last = i == query_.n();
    if (ends.local || (is_last && ends.end_b)) {
      for (std::size_t j = 0; j < query_.m(); ++j) best.offer(row[j], i, j);
    }
    if (ends.local || is_last || ends.end_a) best.offer(row.back(), i, query_.m());
  }

  void walk_through(AlignmentWalk& walk, std::size_t from, const RowState& first) const {
    std::vector<Row> rows = {first.best};
    RowState state = first;
    for (std::size_t i = from + 1; i <= walk.i(); ++i) {
      next(i, walk.j(), state);
      rows.emplace_back(state.best.begin(), state.best.begin() + static_cast<std::ptrdiff_t>(walk.j()) + 1);
    }
    walk.walk_through(
        from, 0, [&](std::size_t i, std::size_t j) { return rows[i - from][j]; },
        [&](std::size_t j, std::size_t length) { return deleted_to(first, j, length); });
  }

  [[nodiscard]] std::int64_t deleted_to(const RowState& state, std::size_t j, std::size_t length) const {
    std::int64_t best = impossible;
    for (std::size_t p = 0; p < pieces_.size(); ++p) {
      best = std::max(best, state.deleted[p][j] - pieces_[p].extend * static_cast<std::int64_t>(length));
    }
    return best;
  }

  const Query& query_;
  std::vector<GapCosts::Piece> pieces_;
  SolveMonitor& monitor_;
};

}  // namespace

std::size_t bytes_of_rows(const Size& size, const Options& options) {
  const KeptRows plan = plan_of(size.n, size.m, size.request, Budget(options).left());
  return plan.rows() * sizeof(std::int64_t) * static_cast<std::size_t>(size.m + 1);
}

Alignment by_rows(const Query& query, Context& context) {
  const auto n = static_cast<double>(query.n());
  const KeptRows plan = plan_of(n, static_cast<double>(query.m()), query.request, context.budget.left());
  const auto taken = context.budget.reserve(plan.rows() * (query.m() + 1), sizeof(std::int64_t));
  SolveMonitor monitor(context.options, n);
  const Rows rows(query, monitor);
  const BestEnd end = rows.end();
  Alignment solution = end.alignment();
  if (query.request.script) solution.script = rows.script(end, plan);
  return solution;
}

}  // namespace warpfold::sequence::alignment
