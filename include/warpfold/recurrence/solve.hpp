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

/// Fills the table of an S-DP problem:
///
///     ST[i] = op over j of (ST[i - a_j] + c_j)   for a_0 <= i < n.
///
/// Options::algorithm forces one of `algorithms()`, or of `extra_backends`. The default is the cheapest by estimate;
/// the report names it.
///
/// Every algorithm, instruction set and number of threads gives the same bits, except for sums of floats, which agree
/// up to rounding.
///
/// Errors: Error{overflow} with the first index for a sum that T does not hold. Error{usage}, Error{device},
/// Error{time_limit}, Error{memory_limit} and Error{cancelled} according to the options. Floats are infinite only where
/// an initial value makes them so.
///
/// Operations: at most (n - a_0) k for k offsets. `algorithms()` states those of each algorithm.
///
/// Memory: the table, and 2 (sizeof(T) + 4) bytes per offset. Besides, "spread" takes at most 8.5 bytes per value,
/// "runs" 32 bytes per offset, and "blocks" 24 bytes per value for sums. "blocks" solves weighted min and max of u64
/// with a second table.
template <class T>
[[nodiscard]] Outcome<Solution<T>> solve(const Problem<T>& problem, const Options& options = {},
                                         ExtraBackends<RecurrenceBackend<T>> extra_backends = {});

/// Returns every algorithm by name, with its purpose.
[[nodiscard]] std::vector<AlgorithmInfo> algorithms();

/// Returns the time and memory that `solve` would take. Raises what `solve` raises for the options. The values decide
/// how long "spread" and "early-exit" take, and whether they give up for "blocks".
template <class T>
[[nodiscard]] Estimate estimate(const Problem<T>& problem, const Options& options = {},
                                ExtraBackends<RecurrenceBackend<T>> extra_backends = {});

}  // namespace warpfold::recurrence
