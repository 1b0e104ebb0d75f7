#include "sequence/dominance.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "sequence/walk.hpp"

namespace warpfold::sequence {

namespace {

using Position = std::uint32_t;

/// The positions in B, from 1, of every code, in descending order.
class Occurrences {
 public:
  explicit Occurrences(const Coded& pair) : first_(pair.codes() + 1), positions_(pair.m()) {
    for (const std::uint32_t code : pair.b()) ++first_[code + 1];
    for (std::size_t code = 1; code < first_.size(); ++code) first_[code] += first_[code - 1];
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (std::size_t j = pair.m(); j > 0; --j) positions_[next[pair.b()[j - 1]]++] = static_cast<Position>(j);
  }
  [[nodiscard]] std::span<const Position> of(std::uint32_t code) const {
    return {positions_.data() + first_[code], positions_.data() + first_[code + 1]};
  }

 private:
  std::vector<std::size_t> first_;
  std::vector<Position> positions_;
};

/// T(c + 1) was `before` until a row lowered it.
struct Lowered {
  Position c, before;
};

/// T of the last row, and how to get those of the rows before.
class Thresholds {
 public:
  Thresholds(const Query& query, Context& context, SolveMonitor& monitor)
      : pair_(query.pair), taken_(context.budget.reserve(fixed_bytes(query))) {
    const Occurrences occurrences(pair_);
    PeriodicCheck check(monitor, 1 << 12);
    rows_.push_back(0);
    for (const std::uint32_t code : pair_.a()) {
      check.tick();
      for (const Position j : occurrences.of(code)) lower(j, query.request.script);
      if (query.request.script) rows_.push_back(lowered_.size());
    }
  }

  [[nodiscard]] std::size_t length() const { return thresholds_.size(); }

  /// Walks from the end. Undoes the rows that it leaves.
  [[nodiscard]] Script script() {
    Walk walk{pair_.n(), pair_.m()};
    for (std::size_t c = length(); walk.i > 0 && c > 0;) {
      // L(i-1,j) = c: otherwise the walk goes left to the pair of this row that makes c.
      if (pair_.a()[walk.i - 1] != pair_.b()[walk.j - 1] && above(walk.i, c) <= walk.j) {
        undo(walk.i);
        walk.take(Edit::deletion);
        continue;
      }
      while (pair_.a()[walk.i - 1] != pair_.b()[walk.j - 1]) walk.take(Edit::insertion);
      undo(walk.i);
      walk.take(Edit::match);
      --c;
    }
    return walk.finished();
  }

 private:
  static std::size_t fixed_bytes(const Query& query) {
    const Coded& pair = query.pair;
    return 4 * (pair.m() + std::min(pair.n(), pair.m())) + 16 * (pair.codes() + std::size_t{2}) +
           (query.request.script ? 8 * (pair.n() + 1) : 0);
  }

  void lower(Position j, bool remembers) {
    const auto at = std::ranges::lower_bound(thresholds_, j);
    const auto c = static_cast<Position>(at - thresholds_.begin());
    if (at != thresholds_.end() && *at == j) return;
    if (remembers) remember({c, at == thresholds_.end() ? none : *at});
    if (at == thresholds_.end()) {
      thresholds_.push_back(j);
    } else {
      *at = j;
    }
  }

  void remember(const Lowered& lowered) {
    if (lowered_.size() == lowered_.capacity()) {
      const std::size_t larger = std::max<std::size_t>(1024, 2 * lowered_.size());
      taken_.resize(taken_.bytes() + (larger - lowered_.capacity()) * sizeof(Lowered));
      lowered_.reserve(larger);
    }
    lowered_.push_back(lowered);
  }

  [[nodiscard]] std::span<const Lowered> row(std::size_t i) const {
    return {lowered_.data() + rows_[i - 1], lowered_.data() + rows_[i]};
  }

  /// T(c) in row i - 1, while the thresholds are those of row i. In a row each T is lowered from the right to the left.
  [[nodiscard]] std::size_t above(std::size_t i, std::size_t c) const {
    const auto found = std::ranges::find(row(i), static_cast<Position>(c - 1), &Lowered::c);
    return found != row(i).end() ? found->before : thresholds_[c - 1];
  }

  void undo(std::size_t i) {
    const auto lowered = row(i);
    for (std::size_t at = lowered.size(); at > 0; --at) thresholds_[lowered[at - 1].c] = lowered[at - 1].before;
  }

  static constexpr Position none = 0xFFFFFFFF;

  const Coded& pair_;
  Budget::Reservation taken_;
  std::vector<Position> thresholds_;
  std::vector<Lowered> lowered_;
  std::vector<std::size_t> rows_;
};

}  // namespace

Distance by_dominance(const Query& query, Context& context) {
  SolveMonitor monitor(context.options, query.cells());
  Thresholds thresholds(query, context, monitor);
  const auto distance = static_cast<std::int64_t>(query.pair.n() + query.pair.m() - 2 * thresholds.length());
  if (!query.is_within(distance)) return {};
  return {distance, query.request.script ? thresholds.script() : Script()};
}

}  // namespace warpfold::sequence
