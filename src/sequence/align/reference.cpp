#include <algorithm>
#include <array>
#include <vector>

#include "sequence/align/backends.hpp"

namespace warpfold::sequence::alignment {

namespace {

/// H(i,j) for all i and j, by the recurrence in align.hpp.
class Table {
 public:
  Table(const Query& query, SolveMonitor& monitor)
      : query_(query), pieces_(pieces_of(query.gaps())), values_((query.n() + 1) * (query.m() + 1)) {
    for (Gaps& gaps : deleted_) gaps.assign(query.m() + 1, impossible);
    for (std::size_t i = 0; i <= query.n(); ++i) {
      inserted_.fill(impossible);
      for (std::size_t j = 0; j <= query.m(); ++j) at(i, j) = value(i, j);
      monitor.check();
    }
  }

  [[nodiscard]] BestEnd end() const {
    BestEnd best;
    for (std::size_t i = 0; i <= query_.n(); ++i) {
      for (std::size_t j = 0; j <= query_.m(); ++j) {
        if (is_end(i, j)) best.offer(at(i, j), i, j);
      }
    }
    return best;
  }

  /// Walks from an end to the beginning. The order of the cases is the rule for ties.
  [[nodiscard]] Script script(const BestEnd& end) const {
    Script backwards;
    std::size_t i = end.i;
    std::size_t j = end.j;
    while (!is_beginning(i, j)) {
      if (i > 0 && j > 0 && at(i, j) == at(i - 1, j - 1) + query_.score(i, j)) {
        backwards.push(query_.pair.matches(query_.pair.a()[i - 1], query_.pair.b()[j - 1]) ? Edit::match
                                                                                           : Edit::substitution);
        --i, --j;
      } else if (const std::size_t deleted = shortest_gap(at(i, j), i, [&](std::size_t k) { return at(i - k, j); })) {
        backwards.push(Edit::deletion, deleted);
        i -= deleted;
      } else {
        const std::size_t inserted = shortest_gap(at(i, j), j, [&](std::size_t k) { return at(i, j - k); });
        backwards.push(Edit::insertion, inserted);
        j -= inserted;
      }
    }
    Script script = backwards.reversed();
    script.begin_a = i;
    script.begin_b = j;
    return script;
  }

 private:
  [[nodiscard]] std::int64_t& at(std::size_t i, std::size_t j) { return values_[i * (query_.m() + 1) + j]; }
  [[nodiscard]] std::int64_t at(std::size_t i, std::size_t j) const { return values_[i * (query_.m() + 1) + j]; }

  [[nodiscard]] std::int64_t value(std::size_t i, std::size_t j) {
    if (i == 0) return query_.above(j);
    if (j == 0) return query_.left_of(i);
    std::int64_t best = at(i - 1, j - 1) + query_.score(i, j);
    for (std::size_t p = 0; p < pieces_.size(); ++p) {
      const auto [open, extend] = pieces_[p];
      deleted_[p][j] = std::max(deleted_[p][j], at(i - 1, j) - open) - extend;
      inserted_[p] = std::max(inserted_[p], at(i, j - 1) - open) - extend;
      best = std::max({best, deleted_[p][j], inserted_[p]});
    }
    return query_.ends().local ? std::max<std::int64_t>(best, 0) : best;
  }

  [[nodiscard]] bool is_end(std::size_t i, std::size_t j) const {
    const FreeEnds& ends = query_.ends();
    return ends.local ||
           ((i == query_.n() || ends.end_a) && (j == query_.m() || ends.end_b) && (i == query_.n() || j == query_.m()));
  }
  [[nodiscard]] bool is_beginning(std::size_t i, std::size_t j) const {
    const FreeEnds& ends = query_.ends();
    if (ends.local) return at(i, j) == 0;
    return (i == 0 || (j == 0 && ends.begin_a)) && (j == 0 || (i == 0 && ends.begin_b));
  }

  /// The shortest gap of at most `longest` symbols that gives `value`, or 0.
  template <class Before>
  [[nodiscard]] std::size_t shortest_gap(std::int64_t value, std::size_t longest, const Before& before) const {
    for (std::size_t length = 1; length <= longest; ++length) {
      if (before(length) - query_.gaps().of(length) == value) return length;
    }
    return 0;
  }

  using Gaps = std::vector<std::int64_t>;

  const Query& query_;
  std::vector<GapCosts::Piece> pieces_;
  std::vector<std::int64_t> values_;
  std::array<Gaps, 2> deleted_;             ///< of each piece and column: the best that ends with a deletion
  std::array<std::int64_t, 2> inserted_{};  ///< the best that ends with an insertion
};

}  // namespace

Alignment reference(const Query& query, Context& context) {
  const std::size_t cells = (query.n() + 1) * (query.m() + 1);
  const Budget::Reservation taken = context.budget.reserve(cells, sizeof(std::int64_t));
  SolveMonitor monitor(context.options, static_cast<double>(query.n() + 1));
  const Table table(query, monitor);
  Alignment solution = table.end().alignment();
  if (query.request.script) solution.script = table.script(table.end());
  return solution;
}

}  // namespace warpfold::sequence::alignment
