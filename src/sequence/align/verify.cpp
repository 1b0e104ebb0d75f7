#include "warpfold/sequence/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "sequence/align/backends.hpp"
#include "warpfold/run/budget.hpp"

// Shares no code with the solvers.
namespace warpfold::sequence {

namespace {

/// Checks the part of a sequence that an alignment has.
Violation find_part_violation(const char* name, std::uint64_t begin, std::uint64_t end, std::uint64_t length,
                              bool may_begin_late, bool may_end_early) {
  if (begin > end || end > length) {
    return fmt::format("the alignment has symbols {} to {} of {}, which has {}", begin, end, name, length);
  }
  if (begin > 0 && !may_begin_late) return fmt::format("the alignment leaves out the beginning of {}", name);
  if (end < length && !may_end_early) return fmt::format("the alignment leaves out the end of {}", name);
  return std::nullopt;
}

/// Without a script both beginnings are 0.
Violation find_ends_violation(const ScoredPair& pair, const Alignment& solution, const FreeEnds& ends) {
  const bool any = ends.local;
  const std::uint64_t begin_a = solution.script.begin_a, begin_b = solution.script.begin_b;
  if (auto violation = find_part_violation("the first sequence", begin_a, solution.end_a, pair.n(), any || ends.begin_a,
                                           any || ends.end_a)) {
    return violation;
  }
  if (auto violation = find_part_violation("the second sequence", begin_b, solution.end_b, pair.m(),
                                           any || ends.begin_b, any || ends.end_b)) {
    return violation;
  }
  if (!any && solution.end_a < pair.n() && solution.end_b < pair.m()) {
    return "the alignment leaves out the ends of both sequences";
  }
  if (!any && begin_a > 0 && begin_b > 0) return "the alignment leaves out the beginnings of both sequences";
  return std::nullopt;
}

/// Adds up the score of a script that fits, or says why it does not.
Violation find_script_violation(const ScoredPair& pair, const Alignment& solution, const GapCosts& gaps,
                                std::int64_t& score) {
  const Script& script = solution.script;
  if (script.end_a() != solution.end_a || script.end_b() != solution.end_b) {
    return fmt::format("the script ends at {} and {}, the alignment at {} and {}", script.end_a(), script.end_b(),
                       solution.end_a, solution.end_b);
  }
  std::size_t i = script.begin_a, j = script.begin_b;
  score = 0;
  for (const Run& run : script.runs()) {
    if (run.edit >= Edit::transposition) return fmt::format("symbol {} is transposed", i + 1);
    if (run.edit == Edit::deletion || run.edit == Edit::insertion) {
      score -= gaps.of(run.length);
      (run.edit == Edit::deletion ? i : j) += run.length;
      continue;
    }
    for (const std::size_t end = i + run.length; i < end; ++i, ++j) {
      const std::uint32_t x = pair.a()[i], y = pair.b()[j];
      if (pair.matches(x, y) != (run.edit == Edit::match)) {
        return fmt::format("symbol {} of the first sequence and symbol {} of the second do not fit the script's '{}'",
                           i + 1, j + 1, run.edit == Edit::match ? '=' : 'X');
      }
      score += pair.score(x, y);
    }
  }
  return std::nullopt;
}

/// The rows of the recurrence from the last one to the first, so that beginnings and ends change places.
class RowsFromTheEnd {
 public:
  RowsFromTheEnd(const ScoredPair& pair, const AlignmentRequest& request) : pair_(pair), request_(request) {}

  [[nodiscard]] std::int64_t optimum(const SolveMonitor& monitor) {
    const std::size_t n = pair_.n(), m = pair_.m();
    std::vector<std::int64_t> row(m + 1), near_gap(m + 1, none), far_gap(m + 1, none);
    for (std::size_t j = 0; j <= m; ++j) row[j] = border(m - j, request_.ends.end_b);
    std::int64_t best = none;
    offer(n, row, best);
    for (std::size_t i = n; i-- > 0;) {
      monitor.check();
      std::int64_t corner = row[m], near_right = none, far_right = none;
      row[m] = border(n - i, request_.ends.end_a);
      for (std::size_t j = m; j-- > 0;) {
        std::int64_t value = corner + pair_.score(pair_.a()[i], pair_.b()[j]);
        const auto extend = [&](std::int64_t& gap, std::int64_t begin, const GapCosts::Piece& piece) {
          gap = std::max(gap - piece.extend, begin - piece.open - piece.extend);
          value = std::max(value, gap);
        };
        const GapCosts::Piece near{request_.gaps.open, request_.gaps.extend};
        extend(near_gap[j], row[j], near);
        extend(near_right, row[j + 1], near);
        if (request_.gaps.second) extend(far_gap[j], row[j], *request_.gaps.second);
        if (request_.gaps.second) extend(far_right, row[j + 1], *request_.gaps.second);
        corner = row[j];
        row[j] = request_.ends.local ? std::max<std::int64_t>(value, 0) : value;
      }
      offer(i, row, best);
    }
    return best;
  }

 private:
  static constexpr std::int64_t none = -(std::int64_t{1} << 62);

  [[nodiscard]] std::int64_t border(std::size_t length, bool is_free) const {
    return length == 0 || is_free || request_.ends.local ? 0 : -request_.gaps.of(length);
  }
  void offer(std::size_t i, const std::vector<std::int64_t>& row, std::int64_t& best) const {
    const FreeEnds& ends = request_.ends;
    if (ends.local || (i == 0 && ends.begin_b)) best = std::max(best, std::ranges::max(row));
    if (i == 0 || ends.begin_a) best = std::max(best, row[0]);
  }

  const ScoredPair& pair_;
  const AlignmentRequest& request_;
};

/// Whether the alignment has the fewest or the most columns of all with its score. All scores are multiplied by more
/// than there are columns, and each column adds -1 or 1.
Violation find_columns_violation(const ScoredPair& pair, const Alignment& solution, AlignmentRequest request,
                                 const Options& options) {
  if (!request.script || !counts_columns(request.ties)) return std::nullopt;
  const bool are_fewest = request.ties == Ties::shortest;
  const std::int64_t column = are_fewest ? -1 : 1;
  const auto factor = static_cast<std::int64_t>(pair.n() + pair.m() + 1);
  request.gaps.open *= factor;
  request.gaps.extend = request.gaps.extend * factor - column;
  if (auto& second = request.gaps.second) *second = {second->open * factor, second->extend * factor - column};
  const auto columns =
      static_cast<std::int64_t>(solution.script.symbols_of_a() + solution.script.count(Edit::insertion));
  const std::int64_t most = verified_score(pair.rescored(factor, column), request, options);
  if (solution.score * factor + column * columns == most) return std::nullopt;
  return fmt::format("another alignment of this score has {} columns", are_fewest ? "fewer" : "more");
}

}  // namespace

std::int64_t verified_score(const ScoredPair& pair, const AlignmentRequest& request, const Options& options) {
  Budget budget(options);
  const auto taken = budget.reserve(pair.m() + 1, 3 * sizeof(std::int64_t));
  const SolveMonitor monitor(options, static_cast<double>(pair.n()));
  return RowsFromTheEnd(pair, request).optimum(monitor);
}

Verdict verify(const ScoredPair& pair, const Alignment& solution, const AlignmentRequest& request, bool optimal,
               const Options& options) {
  alignment::check_request(pair, request);
  if (auto violation = find_ends_violation(pair, solution, request.ends)) return infeasible(*violation);
  if (request.script) {
    std::int64_t score = 0;
    if (auto violation = find_script_violation(pair, solution, request.gaps, score)) return infeasible(*violation);
    if (score != solution.score) {
      return wrong_cost(fmt::format("the script scores {}, the stated score is {}", score, solution.score));
    }
  }
  if (!optimal) return {};
  const std::int64_t optimum = verified_score(pair, request, options);
  if (optimum != solution.score) {
    return wrong_cost(fmt::format("the largest score is {}, {} is stated", optimum, solution.score));
  }
  if (auto violation = find_columns_violation(pair, solution, request, options)) return infeasible(*violation);
  return {.is_optimal = true};
}

}  // namespace warpfold::sequence
