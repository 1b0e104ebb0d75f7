#include <algorithm>
#include <vector>

#include "sequence/backends.hpp"
#include "sequence/table_costs.hpp"

namespace warpfold::sequence {

namespace {

/// D(i,j) for all i and j, by the recurrence in edit_distance.hpp.
class Table {
 public:
  Table(const Query& query, const Costs& costs, SolveMonitor& monitor)
      : pair_(query.pair),
        a_(query.pair.a()),
        b_(query.pair.b()),
        costs_(costs),
        transpositions_(query.request.transpositions),
        values_((a_.size() + 1) * (b_.size() + 1)) {
    for (std::size_t i = 0; i <= a_.size(); ++i) {
      for (std::size_t j = 0; j <= b_.size(); ++j) at(i, j) = value(i, j);
      monitor.check();
    }
  }

  [[nodiscard]] std::int64_t total() const { return values_.back(); }

  /// Walks from the end to the beginning. The order of the four cases is the rule for ties.
  [[nodiscard]] Script script() const {
    Script backwards;
    std::size_t i = a_.size();
    std::size_t j = b_.size();
    while (i > 0 || j > 0) {
      if (i > 0 && j > 0 && at(i, j) == diagonal(i, j)) {
        --i, --j;
        backwards.push(pair_.matches(a_[i], b_[j]) ? Edit::match : Edit::substitution);
      } else if (is_swapped(i, j) && at(i, j) == at(i - 2, j - 2) + costs_.transposition) {
        i -= 2, j -= 2;
        backwards.push(Edit::transposition);
      } else if (i > 0 && at(i, j) == at(i - 1, j) + costs_.deletion) {
        --i;
        backwards.push(Edit::deletion);
      } else {
        --j;
        backwards.push(Edit::insertion);
      }
    }
    return backwards.reversed();
  }

 private:
  [[nodiscard]] std::int64_t& at(std::size_t i, std::size_t j) { return values_[i * (b_.size() + 1) + j]; }
  [[nodiscard]] std::int64_t at(std::size_t i, std::size_t j) const { return values_[i * (b_.size() + 1) + j]; }

  [[nodiscard]] std::int64_t diagonal(std::size_t i, std::size_t j) const {
    return at(i - 1, j - 1) + (pair_.matches(a_[i - 1], b_[j - 1]) ? 0 : costs_.substitution);
  }
  [[nodiscard]] bool is_swapped(std::size_t i, std::size_t j) const {
    return transpositions_ && i > 1 && j > 1 && pair_.matches(a_[i - 1], b_[j - 2]) &&
           pair_.matches(a_[i - 2], b_[j - 1]) && a_[i - 1] != a_[i - 2];
  }

  [[nodiscard]] std::int64_t value(std::size_t i, std::size_t j) const {
    if (i == 0) return static_cast<std::int64_t>(j) * costs_.insertion;
    if (j == 0) return static_cast<std::int64_t>(i) * costs_.deletion;
    std::int64_t least = std::min({diagonal(i, j), at(i - 1, j) + costs_.deletion, at(i, j - 1) + costs_.insertion});
    if (is_swapped(i, j)) least = std::min(least, at(i - 2, j - 2) + costs_.transposition);
    return least;
  }

  const Coded& pair_;
  std::span<const std::uint32_t> a_, b_;
  Costs costs_;
  bool transpositions_;
  std::vector<std::int64_t> values_;
};

}  // namespace

Distance reference(const Query& query, Context& context) {
  if (query.request.unrestricted) return by_last_occurrences(query, context);
  const std::size_t cells = (query.pair.n() + 1) * (query.pair.m() + 1);
  const Budget::Reservation taken = context.budget.reserve(cells, sizeof(std::int64_t));
  SolveMonitor monitor(context.options, static_cast<double>(cells));
  const TableCosts costs(query);
  const Table table(query, costs.costs(), monitor);
  const std::int64_t distance = costs.distance_of(table.total());
  Distance solution;
  if (!query.is_within(distance)) return solution;
  solution.distance = distance;
  if (query.request.script) solution.script = table.script();
  return solution;
}

}  // namespace warpfold::sequence
