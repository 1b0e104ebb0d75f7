#include "warpfold/sequence/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "sequence/backends.hpp"
#include "sequence/word.hpp"
#include "warpfold/run/budget.hpp"

namespace warpfold::sequence {

namespace {

bool match(const Coded& pair, std::size_t i, std::size_t j) { return pair.matches(pair.a()[i], pair.b()[j]); }

bool is_apart(Edit edit) { return edit == Edit::transposition_begin || edit == Edit::transposition_end; }

/// The places of a transposition that has begun.
using Open = std::optional<std::pair<std::size_t, std::size_t>>;

/// Whether the step's symbols A[i] and B[j] fit it. A transposition that has begun may have deletions and insertions
/// until it ends.
bool fits(const Coded& pair, Edit edit, std::size_t i, std::size_t j, const Open& open) {
  switch (edit) {
    case Edit::match:
      return !open && match(pair, i, j);
    case Edit::substitution:
      return !open && !match(pair, i, j);
    case Edit::transposition:
      return !open && match(pair, i, j + 1) && match(pair, i + 1, j);
    case Edit::transposition_begin:
      return !open;
    case Edit::transposition_end:
      return open && match(pair, open->first, j) && match(pair, i, open->second);
    case Edit::deletion:
    case Edit::insertion:
      return true;
  }
  return false;
}

/// Replays a script against both sequences.
Violation find_script_violation(const Coded& pair, const Script& script, const Query& query) {
  if (script.begin_a != 0 || script.begin_b != 0) return "the script does not begin at the beginning of both sequences";
  if (script.symbols_of_a() != pair.n() || script.symbols_of_b() != pair.m()) {
    return fmt::format("the script goes over {} and {} symbols, the sequences have {} and {}", script.symbols_of_a(),
                       script.symbols_of_b(), pair.n(), pair.m());
  }
  std::size_t i = 0;
  std::size_t j = 0;
  Open open;
  for (const Run& run : script.runs()) {
    if (run.edit == Edit::substitution && query.measure == Measure::indel) {
      return fmt::format("symbol {} is substituted: a common subsequence has matches, deletions and insertions", i + 1);
    }
    if (run.edit == Edit::transposition && !query.request.transpositions) {
      return fmt::format("symbols {} and {} are transposed, which is not allowed", i + 1, i + 2);
    }
    if (is_apart(run.edit) && !query.request.unrestricted) {
      return fmt::format("symbol {} is transposed with one that is no neighbor, which is not allowed", i + 1);
    }
    for (std::uint64_t step = 0; step < run.length; ++step) {
      if (!fits(pair, run.edit, i, j, open)) {
        return fmt::format("symbol {} of the first sequence and symbol {} of the second do not fit the script's '{}'",
                           i + 1, j + 1, "=XDIT()"[static_cast<std::size_t>(run.edit)]);
      }
      if (run.edit == Edit::transposition_begin) open.emplace(i, j);
      if (run.edit == Edit::transposition_end) open.reset();
      i += run.edit == Edit::insertion ? 0 : run.edit == Edit::transposition ? 2 : 1;
      j += run.edit == Edit::deletion ? 0 : run.edit == Edit::transposition ? 2 : 1;
    }
  }
  if (open) return fmt::format("the transposition of symbol {} does not end", open->first + 1);
  return std::nullopt;
}

/// The recurrence by rows, for any costs.
std::int64_t distance_by_rows(const Query& query, const Costs& costs, SolveMonitor& monitor) {
  const auto a = query.pair.a();
  const auto b = query.pair.b();
  std::vector<std::int64_t> two_above(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<std::int64_t>(j) * costs.insertion;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    monitor.check();
    std::swap(two_above, above);
    std::swap(above, row);
    row[0] = static_cast<std::int64_t>(i) * costs.deletion;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j - 1] + (match(query.pair, i - 1, j - 1) ? 0 : costs.substitution),
                         above[j] + costs.deletion, row[j - 1] + costs.insertion});
      const bool is_swapped = query.request.transpositions && i > 1 && j > 1 && match(query.pair, i - 1, j - 2) &&
                              match(query.pair, i - 2, j - 1);
      if (is_swapped) row[j] = std::min(row[j], two_above[j - 2] + costs.transposition);
    }
  }
  return row.back();
}

/// The same with unrestricted transpositions. For each code the row before the last one that matches it is kept.
std::int64_t distance_by_kept_rows(const Query& query, const Costs& costs, SolveMonitor& monitor) {
  struct Kept {
    std::size_t i = 0;  ///< 0: there is none
    std::vector<std::int64_t> before = {};
  };
  const auto a = query.pair.a();
  const auto b = query.pair.b();
  std::vector<Kept> kept(query.pair.codes());
  std::vector<std::int64_t> above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<std::int64_t>(j) * costs.insertion;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    monitor.check();
    std::swap(above, row);
    row[0] = static_cast<std::int64_t>(i) * costs.deletion;
    std::size_t l = 0;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j - 1] + (match(query.pair, i - 1, j - 1) ? 0 : costs.substitution),
                         above[j] + costs.deletion, row[j - 1] + costs.insertion});
      if (const Kept& last = kept[b[j - 1]]; last.i > 0 && l > 0) {
        const auto deleted = static_cast<std::int64_t>(i - last.i - 1), inserted = static_cast<std::int64_t>(j - l - 1);
        row[j] = std::min(
            row[j], last.before[l - 1] + deleted * costs.deletion + costs.transposition + inserted * costs.insertion);
      }
      if (match(query.pair, i - 1, j - 1)) l = j;
    }
    for (std::uint32_t code = 0; code < kept.size(); ++code) {
      if (query.pair.matches(a[i - 1], code)) kept[code] = {i, above};
    }
  }
  return row.back();
}

/// The rows of `distance_by_rows`, or of those that are kept and one that is copied. A symbol that is a set is kept for
/// all codes that it matches.
std::size_t rows_of(const Query& query) {
  if (!query.request.unrestricted) return 3;
  const std::size_t codes = query.pair.codes();
  return 3 + (query.pair.has_sets() ? codes : std::min(codes, query.pair.n()));
}

std::int64_t least_cost(const Query& query, const Costs& costs, SolveMonitor& monitor) {
  return query.request.unrestricted ? distance_by_kept_rows(query, costs, monitor)
                                    : distance_by_rows(query, costs, monitor);
}

std::int64_t optimum_of(const Query& query, const Options& options) {
  Budget budget(options);
  const auto taken = budget.reserve(query.pair.m() + 1, rows_of(query) * sizeof(std::int64_t));
  SolveMonitor monitor(options, query.cells());
  const bool is_unit = query.request.costs == Costs{} && !query.request.transpositions;
  return is_unit ? word_distance(query.pair, query.measure, monitor) : least_cost(query, query.costs(), monitor);
}

/// Whether the script has the fewest or the most columns of all that cost as much. All costs are multiplied by more
/// than there are symbols, and those in gaps, which fill half a column each, cost one more or less.
Violation find_columns_violation(const Query& query, const Script& script, const Options& options) {
  if (!has_column_term(query.request, query.measure)) return std::nullopt;
  const bool are_fewest = query.request.ties == Ties::shortest;
  const auto factor = static_cast<std::int64_t>(query.pair.n() + query.pair.m() + 1);
  Costs costs = query.costs();
  for (std::int64_t* const cost : {&costs.insertion, &costs.deletion, &costs.substitution, &costs.transposition}) {
    *cost *= factor;
  }
  costs.insertion += are_fewest ? 1 : -1;
  costs.deletion += are_fewest ? 1 : -1;
  Budget budget(options);
  const auto taken = budget.reserve(query.pair.m() + 1, rows_of(query) * sizeof(std::int64_t));
  SolveMonitor monitor(options, query.cells());
  if (script.cost(costs) == least_cost(query, costs, monitor)) return std::nullopt;
  return fmt::format("another script of this cost has {} columns", are_fewest ? "fewer" : "more");
}

Verdict verify_distance(const Query& query, const Distance& solution, bool optimal, const Options& options) {
  check_costs(query);
  if (solution.distance && query.request.script) {
    if (auto violation = find_script_violation(query.pair, solution.script, query)) return infeasible(*violation);
    const std::int64_t cost = solution.script.cost(query.costs());
    if (cost != *solution.distance) {
      return wrong_cost(fmt::format("the script costs {}, the stated distance is {}", cost, *solution.distance));
    }
  }
  if (solution.distance && !query.is_within(*solution.distance)) {
    return wrong_cost(
        fmt::format("the distance {} is more than the bound {}", *solution.distance, *query.request.max_distance));
  }
  if (!optimal) return {};
  const std::int64_t optimum = optimum_of(query, options);
  if (solution.distance && *solution.distance != optimum) {
    return wrong_cost(fmt::format("the distance is {}, {} is stated", optimum, *solution.distance));
  }
  if (solution.distance) {
    if (auto violation = find_columns_violation(query, solution.script, options)) return infeasible(*violation);
  }
  if (!solution.distance && (!query.request.max_distance || query.is_within(optimum))) {
    return wrong_cost(fmt::format("the distance is {}, more than the bound is stated", optimum));
  }
  return {.is_optimal = true};
}

}  // namespace

Verdict verify(const Coded& pair, const Distance& solution, const Request& request, bool optimal,
               const Options& options) {
  return verify_distance({pair, request, Measure::edit}, solution, optimal, options);
}

Verdict verify(const Coded& pair, const Subsequence& solution, const Request& request, bool optimal,
               const Options& options) {
  Distance as_distance{{}, solution.script};
  if (solution.length) as_distance.distance = static_cast<std::int64_t>(pair.n() + pair.m()) - 2 * *solution.length;
  return verify_distance({pair, request, Measure::indel}, as_distance, optimal, options);
}

std::int64_t verified_distance(const Coded& pair, const Request& request, const Options& options) {
  return optimum_of({pair, request, Measure::edit}, options);
}

std::int64_t verified_lcs_distance(const Coded& pair, const Options& options) {
  return optimum_of({pair, {}, Measure::indel}, options);
}

}  // namespace warpfold::sequence
