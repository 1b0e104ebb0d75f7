#pragma once

#include <span>
#include <type_traits>
#include <vector>

#include "warpfold/recurrence/problem.hpp"
#include "warpfold/run/backend.hpp"
#include "warpfold/run/estimate.hpp"

namespace warpfold::recurrence {

/// The table of an S-DP problem.
template <class T>
struct Solution {
  std::vector<T> values;  ///< ST[0] .. ST[n-1]
};

/// An algorithm for S-DP problems.
template <class T>
using RecurrenceBackend = Backend<Problem<T>, Problem<T>, Solution<T>>;

/// Fills the table of an S-DP problem (see `Problem`). Options::algorithm forces one of `algorithms()`; by default the
/// cheapest by estimate is taken, and the report names it.
///
/// Operations: runs 3 R (n - a_0) for R runs of consecutive offsets, spread at most n a_0 / 512 vector operations,
/// blocks (n - a_0) k / lanes, early-exit at most (n - a_0) k. Memory: the table, plus at most 12 bytes a value.
/// Deterministic: every algorithm, instruction set and thread count gives the same bits, sums of floats excepted, which
/// agree to rounding. Sums that T does not hold raise Error{overflow} with the first such index; floats are infinite
/// only where an initial value made them so. `more`: backends besides those of `algorithms()`, for Options::algorithm
/// to name.
template <class T>
[[nodiscard]] Outcome<Solution<T>> solve(const Problem<T>& problem, const Options& options = {},
                                         ExtraBackends<RecurrenceBackend<T>> extra_backends = {});

/// Every algorithm by name, with what it is for.
[[nodiscard]] std::vector<AlgorithmInfo> algorithms();

/// What `solve` would take; raises what it raises for the options. How long "spread" and "early-exit" take, and whether
/// they give up for "blocks", depends on the values.
template <class T>
[[nodiscard]] Estimate estimate(const Problem<T>& problem, const Options& options = {},
                                ExtraBackends<RecurrenceBackend<T>> extra_backends = {});

}  // namespace warpfold::recurrence
