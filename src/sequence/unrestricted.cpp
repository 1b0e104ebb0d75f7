// Transpositions without restriction, by Lowrance and Wagner, "An Extension of the String-to-String Correction
// Problem" (1975). With the last k < i where A[k] matches B[j] and the last l < j where B[l] matches A[i]:
//
//     D(i,j) = min(D(i-1,j-1) + (A[i] = B[j] ? 0 : substitution), D(i-1,j) + deletion, D(i,j-1) + insertion,
//                  D(k-1,l-1) + (i - k - 1) deletion + transposition + (j - l - 1) insertion)
//
// An earlier k or l never costs less: D(k'-1,l-1) <= D(k-1,l-1) + (k' - k) deletion for k < k'.
#include <algorithm>
#include <vector>

#include "sequence/backends.hpp"
#include "sequence/table_costs.hpp"

namespace warpfold::sequence {

namespace {

class Table {
 public:
  Table(const Query& query, const Costs& costs, SolveMonitor& monitor)
      : pair_(query.pair),
        a_(query.pair.a()),
        b_(query.pair.b()),
        costs_(costs),
        values_((a_.size() + 1) * (b_.size() + 1)) {
    std::vector<std::size_t> last_rows(pair_.codes(), 0);  // by code: the last row whose symbol matches it
    for (std::size_t j = 0; j <= b_.size(); ++j) at(0, j) = static_cast<std::int64_t>(j) * costs_.insertion;
    for (std::size_t i = 1; i <= a_.size(); ++i) {
      monitor.check();
      fill_row(i, last_rows);
      note_row(i, last_rows);
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
        backwards.push(matches(i, j) ? Edit::match : Edit::substitution);
        --i, --j;
      } else if (const auto [k, l] = transposed(i, j); k > 0 && at(i, j) == swapped(i, j, k, l)) {
        push_transposition(backwards, i - k - 1, j - l - 1);
        i = k - 1, j = l - 1;
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
  struct Place {
    std::size_t k = 0, l = 0;  ///< 0: there is none
  };

  [[nodiscard]] std::int64_t& at(std::size_t i, std::size_t j) { return values_[i * (b_.size() + 1) + j]; }
  [[nodiscard]] std::int64_t at(std::size_t i, std::size_t j) const { return values_[i * (b_.size() + 1) + j]; }
  [[nodiscard]] bool matches(std::size_t i, std::size_t j) const { return pair_.matches(a_[i - 1], b_[j - 1]); }

  [[nodiscard]] std::int64_t diagonal(std::size_t i, std::size_t j) const {
    return at(i - 1, j - 1) + (matches(i, j) ? 0 : costs_.substitution);
  }
  /// D(i,j) if A[k] and A[i] become B[j] and B[l].
  [[nodiscard]] std::int64_t swapped(std::size_t i, std::size_t j, std::size_t k, std::size_t l) const {
    return at(k - 1, l - 1) + static_cast<std::int64_t>(i - k - 1) * costs_.deletion + costs_.transposition +
           static_cast<std::int64_t>(j - l - 1) * costs_.insertion;
  }

  void fill_row(std::size_t i, const std::vector<std::size_t>& last_rows) {
    at(i, 0) = static_cast<std::int64_t>(i) * costs_.deletion;
    std::size_t last_column = 0;  // whose symbol matches A[i]
    for (std::size_t j = 1; j <= b_.size(); ++j) {
      at(i, j) = std::min({diagonal(i, j), at(i - 1, j) + costs_.deletion, at(i, j - 1) + costs_.insertion});
      const std::size_t last_row = last_rows[b_[j - 1]];
      if (last_row > 0 && last_column > 0) at(i, j) = std::min(at(i, j), swapped(i, j, last_row, last_column));
      if (matches(i, j)) last_column = j;
    }
  }
  /// Row i becomes the last one of all codes that its symbol matches.
  void note_row(std::size_t i, std::vector<std::size_t>& last_rows) const {
    if (!pair_.has_sets()) {
      last_rows[a_[i - 1]] = i;
      return;
    }
    for (std::uint32_t code = 0; code < pair_.codes(); ++code) {
      if (pair_.matches(a_[i - 1], code)) last_rows[code] = i;
    }
  }

  /// The last k and l of cell (i,j), found by a search: a walk needs few of them.
  [[nodiscard]] Place transposed(std::size_t i, std::size_t j) const {
    if (i < 2 || j < 2) return {};
    std::size_t k = i - 1, l = j - 1;
    while (k > 0 && !matches(k, j)) --k;
    while (l > 0 && !matches(i, l)) --l;
    return k > 0 && l > 0 ? Place{k, l} : Place{};
  }

  /// From the end to the beginning. Between both symbols deletions come before insertions.
  static void push_transposition(Script& backwards, std::size_t deletions, std::size_t insertions) {
    if (deletions + insertions == 0) return backwards.push(Edit::transposition);
    backwards.push(Edit::transposition_begin);
    backwards.push(Edit::deletion, deletions);
    backwards.push(Edit::insertion, insertions);
    backwards.push(Edit::transposition_end);
  }

  const Coded& pair_;
  std::span<const std::uint32_t> a_, b_;
  Costs costs_;
  std::vector<std::int64_t> values_;
};

}  // namespace

Distance by_last_occurrences(const Query& query, Context& context) {
  const std::size_t cells = (query.pair.n() + 1) * (query.pair.m() + 1) + query.pair.codes();
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
