#pragma once

#include <cstdint>

#include "sequence/backends.hpp"

namespace warpfold::sequence {

/// The costs by which a table of any costs is filled.
///
/// A script has (n + m + g) / 2 columns, where g symbols are in gaps. If the columns decide ties, all costs are
/// multiplied by n + m + 1, which no g exceeds, and a symbol in a gap costs one more (`shortest`) or one less
/// (`longest`). So the least total has the least cost, and of these the least or the largest g.
class TableCosts {
 public:
  explicit TableCosts(const Query& query)
      : TableCosts(query.request, query.measure, static_cast<std::int64_t>(query.pair.n() + query.pair.m())) {}
  /// For so many symbols in both sequences.
  TableCosts(const Request& request, Measure measure, std::int64_t symbols) : costs_(costs_of(request, measure)) {
    if (!has_column_term(request, measure)) return;
    factor_ = symbols + 1;
    const std::int64_t gap_symbol = request.ties == Ties::shortest ? 1 : -1;
    costs_ = {costs_.insertion * factor_ + gap_symbol, costs_.deletion * factor_ + gap_symbol,
              costs_.substitution * factor_, costs_.transposition * factor_};
    rounding_ = gap_symbol > 0 ? 0 : factor_ - 1;
  }

  [[nodiscard]] const Costs& costs() const { return costs_; }
  /// The distance, from the least total of these costs.
  [[nodiscard]] std::int64_t distance_of(std::int64_t total) const { return (total + rounding_) / factor_; }

 private:
  Costs costs_;
  std::int64_t factor_ = 1;
  std::int64_t rounding_ = 0;
};

}  // namespace warpfold::sequence
