#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "warpfold/run/backend.hpp"
#include "warpfold/sequence/lcs.hpp"

/// The algorithms for edit distances and longest common subsequences. Each solves both.
namespace warpfold::sequence {

/// The cost of a substitution that no script has.
inline constexpr std::int64_t forbidden = std::int64_t{1} << 61;

/// Whether the columns of the script decide ties. All scripts of a longest common subsequence have as many.
[[nodiscard]] inline bool has_column_term(const Request& request, Measure measure) {
  return measure == Measure::edit && request.script && counts_columns(request.ties);
}

/// The costs of a measure's edits.
[[nodiscard]] inline Costs costs_of(const Request& request, Measure measure) {
  return measure == Measure::indel ? Costs{1, 1, forbidden, forbidden} : request.costs;
}

/// What the choice of an algorithm looks at.
struct Size {
  double n, m;
  double matching_pairs;
  int planes;
  Measure measure;
  Request request;
  bool has_sets = false;    ///< Coded::of_sets
  std::uint32_t codes = 1;  ///< Coded::codes

  [[nodiscard]] double cells() const { return n * m; }
  [[nodiscard]] bool has_unit_costs() const { return request.costs == Costs{} && !request.transpositions; }
  [[nodiscard]] bool has_column_term() const { return sequence::has_column_term(request, measure); }
};

/// Two sequences, neither of which is empty. Scripts follow Ties::left, or a rule that counts columns.
struct Query {
  const Coded& pair;
  const Request& request;
  Measure measure;

  [[nodiscard]] double cells() const { return static_cast<double>(pair.n()) * static_cast<double>(pair.m()); }
  [[nodiscard]] Costs costs() const { return costs_of(request, measure); }
  [[nodiscard]] bool is_within(std::int64_t distance) const {
    return !request.max_distance || static_cast<std::uint64_t>(distance) <= *request.max_distance;
  }
};

using DistanceBackend = Backend<Size, Query, Distance>;

/// Checks a query that processes share, for `slices`. Raises what the solve of one process raises. Returns the solution
/// if the lengths alone tell it.
[[nodiscard]] std::optional<Distance> known_before_slices(const Query& query, const Options& options);
/// A subsequence by its insert/delete distance.
[[nodiscard]] Subsequence subsequence_of(const Coded& pair, Distance found);

/// Raises Error{usage} for a cost below 0, and Error{overflow} if scripts can cost too much for 64 bits.
void check_costs(const Query& query);

/// The complete table, the oracle of the others.
[[nodiscard]] Distance reference(const Query& query, Context& context);
/// The complete table with unrestricted transpositions.
[[nodiscard]] Distance by_last_occurrences(const Query& query, Context& context);

}  // namespace warpfold::sequence
