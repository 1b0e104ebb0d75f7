#include <algorithm>

#include "sequence/backends.hpp"
#include "sequence/edit_table.hpp"

namespace warpfold::sequence {

namespace {

/// By the recurrence in edit_distance.hpp.
class Table : public EditTable {
 public:
  Table(const Query& query, const Costs& costs, SolveMonitor& monitor)
      : EditTable(query, costs), transpositions_(query.request.transpositions) {
    for (std::size_t i = 0; i <= a_.size(); ++i) {
      for (std::size_t j = 0; j <= b_.size(); ++j) at(i, j) = value(i, j);
      monitor.check();
    }
  }

  [[nodiscard]] Script script() const {
    return walk([&](std::size_t& i, std::size_t& j, Script& backwards) {
      if (!is_swapped(i, j) || at(i, j) != at(i - 2, j - 2) + costs_.transposition) return false;
      i -= 2, j -= 2;
      backwards.push(Edit::transposition);
      return true;
    });
  }

 private:
  [[nodiscard]] bool is_swapped(std::size_t i, std::size_t j) const {
    return transpositions_ && i > 1 && j > 1 && matches(i, j - 1) && matches(i - 1, j) && a_[i - 1] != a_[i - 2];
  }

  [[nodiscard]] std::int64_t value(std::size_t i, std::size_t j) const {
    if (i == 0) return static_cast<std::int64_t>(j) * costs_.insertion;
    if (j == 0) return static_cast<std::int64_t>(i) * costs_.deletion;
    std::int64_t least = std::min({diagonal(i, j), at(i - 1, j) + costs_.deletion, at(i, j - 1) + costs_.insertion});
    if (is_swapped(i, j)) least = std::min(least, at(i - 2, j - 2) + costs_.transposition);
    return least;
  }

  bool transpositions_;
};

}  // namespace

Distance reference(const Query& query, Context& context) {
  if (query.request.unrestricted) return by_last_occurrences(query, context);
  return solve_by_table<Table>(query, (query.pair.n() + 1) * (query.pair.m() + 1), context);
}

}  // namespace warpfold::sequence
