#pragma once

#include <cstdint>
#include <optional>

#include "sequence/align/backends.hpp"

namespace warpfold::sequence::alignment {

/// A second term of the scores, by which the columns of an alignment decide ties.
///
/// All scores and gap costs are multiplied by `factor` = n + m + 1, which is more than there are columns, and each
/// column adds `column`: -1 for the fewest, 1 for the most. So the largest total has the largest score, and of these
/// the fewest or the most columns. A gap costs 1 less for each symbol if columns add 1: that has to stay above nothing,
/// so that a free end is no worse than a gap.
struct ColumnTerm {
  std::int64_t factor, column;

  [[nodiscard]] std::int64_t score(std::int64_t score) const { return score * factor + column; }
  [[nodiscard]] AlignmentRequest request(AlignmentRequest request) const {
    request.gaps.open *= factor;
    request.gaps.extend = request.gaps.extend * factor - column;
    if (auto& second = request.gaps.second) *second = {second->open * factor, second->extend * factor - column};
    return request;
  }
  [[nodiscard]] Size size(Size size) const {
    for (std::int64_t* const each : {&size.min_score, &size.max_score, &size.match, &size.mismatch}) {
      *each = score(*each);
    }
    size.request = request(size.request);
    return size;
  }
  /// The score of the alignment with the largest total.
  [[nodiscard]] std::int64_t score_of(std::int64_t total) const {
    const std::int64_t above = column < 0 ? factor - 1 : 0;
    const std::int64_t quotient = (total + above) / factor;
    return (total + above) % factor < 0 ? quotient - 1 : quotient;
  }
};

/// Whether columns decide: what is returned depends on them.
[[nodiscard]] inline bool has_column_term(const AlignmentRequest& request) {
  return counts_columns(request.ties) && (request.script || request.ends != global_ends);
}

[[nodiscard]] inline std::optional<ColumnTerm> column_term_of(std::size_t n, std::size_t m,
                                                              const AlignmentRequest& request) {
  if (!has_column_term(request)) return {};
  return ColumnTerm{static_cast<std::int64_t>(n + m + 1), request.ties == Ties::shortest ? -1 : 1};
}

}  // namespace warpfold::sequence::alignment
