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
#include "sequence/edit_table.hpp"

namespace warpfold::sequence {

namespace {

class Table : public EditTable {
 public:
  Table(const Query& query, const Costs& costs, SolveMonitor& monitor) : EditTable(query, costs) {
    std::vector<std::size_t> last_rows(pair_.codes(), 0);  // by code: the last row whose symbol matches it
    for (std::size_t j = 0; j <= b_.size(); ++j) at(0, j) = static_cast<std::int64_t>(j) * costs_.insertion;
    for (std::size_t i = 1; i <= a_.size(); ++i) {
      monitor.check();
      fill_row(i, last_rows);
      note_row(i, last_rows);
    }
  }

  [[nodiscard]] Script script() const {
    return walk([&](std::size_t& i, std::size_t& j, Script& backwards) {
      const auto [k, l] = transposed(i, j);
      if (k == 0 || at(i, j) != swapped(i, j, k, l)) return false;
      push_transposition(backwards, i - k - 1, j - l - 1);
      i = k - 1, j = l - 1;
      return true;
    });
  }

 private:
  struct Place {
    std::size_t k = 0, l = 0;  ///< 0: there is none
  };

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
};

}  // namespace

Distance by_last_occurrences(const Query& query, Context& context) {
  const std::size_t values = (query.pair.n() + 1) * (query.pair.m() + 1) + query.pair.codes();
  return solve_by_table<Table>(query, values, context);
}

}  // namespace warpfold::sequence
