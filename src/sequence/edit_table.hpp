#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sequence/backends.hpp"
#include "sequence/table_costs.hpp"

namespace warpfold::sequence {

/// D(i,j) for all i and j, which a derived class fills.
class EditTable {
 public:
  [[nodiscard]] std::int64_t total() const { return values_.back(); }

 protected:
  EditTable(const Query& query, const Costs& costs)
      : pair_(query.pair),
        a_(query.pair.a()),
        b_(query.pair.b()),
        costs_(costs),
        values_((a_.size() + 1) * (b_.size() + 1)) {}

  [[nodiscard]] std::int64_t& at(std::size_t i, std::size_t j) { return values_[i * (b_.size() + 1) + j]; }
  [[nodiscard]] std::int64_t at(std::size_t i, std::size_t j) const { return values_[i * (b_.size() + 1) + j]; }
  [[nodiscard]] bool matches(std::size_t i, std::size_t j) const { return pair_.matches(a_[i - 1], b_[j - 1]); }
  [[nodiscard]] std::int64_t diagonal(std::size_t i, std::size_t j) const {
    return at(i - 1, j - 1) + (matches(i, j) ? 0 : costs_.substitution);
  }

  /// Walks from the end to the beginning. The order of the four cases is the rule for ties.
  /// `take_transposition(i, j, backwards)`: goes back over one that ends at (i,j) and is optimal, if there is one.
  template <class TakeTransposition>
  [[nodiscard]] Script walk(const TakeTransposition& take_transposition) const {
    Script backwards;
    std::size_t i = a_.size();
    std::size_t j = b_.size();
    while (i > 0 || j > 0) {
      if (i > 0 && j > 0 && at(i, j) == diagonal(i, j)) {
        backwards.push(matches(i, j) ? Edit::match : Edit::substitution);
        --i, --j;
      } else if (take_transposition(i, j, backwards)) {
        continue;
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

  const Coded& pair_;
  std::span<const std::uint32_t> a_, b_;
  Costs costs_;

 private:
  std::vector<std::int64_t> values_;
};

/// Solves by a Table(query, costs, monitor), which takes that many values.
template <class Table>
[[nodiscard]] Distance solve_by_table(const Query& query, std::size_t values, Context& context) {
  const Budget::Reservation taken = context.budget.reserve(values, sizeof(std::int64_t));
  SolveMonitor monitor(context.options, static_cast<double>(values));
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
