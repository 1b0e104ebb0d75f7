#pragma once

#include <chrono>
#include <span>

#include "recurrence/tuning.hpp"
#include "run/large_vector.hpp"
#include "warpfold/recurrence/solve.hpp"
#include "warpfold/run/clock.hpp"
#include "warpfold/run/team.hpp"

/// The algorithms of S-DP problems. Each is a function of the same shape: the table's first a_0 values are given, and
/// it fills the others.
namespace warpfold::recurrence {

/// Numbers for estimates of every backend, and of those on a GPU.
template <class T>
double operations_of(const Problem<T>& problem) {
  return problem.operations();
}
template <class T>
double seconds_on_gpu(const RecurrenceBackend<T>&, const Problem<T>& problem, const Options&) {
  return tuning::gpu_start_seconds + problem.operations() * tuning::gpu_candidate_seconds;
}

/// Returns the solution that `fill(monitor, table)` makes in a table whose first a_0 values are given. The context's
/// budget provides `bytes`, including the table.
template <class T, class Fill>
Solution<T> filled_table(const Problem<T>& problem, std::size_t bytes, Context& context, const Fill& fill) {
  const auto start = std::chrono::steady_clock::now();
  const Budget::Reservation taken = context.budget.reserve(bytes);
  SolveMonitor monitor(context.options, problem.operations());
  Solution<T> solution{{problem.initial().begin(), problem.initial().end()}};
  grow(solution.values, problem.n(), T{0}, monitor);
  context.report.prepare_seconds = seconds_since(start);
  const auto solve_start = std::chrono::steady_clock::now();
  fill(monitor, std::span<T>(solution.values));
  context.report.solve_seconds = seconds_since(solve_start);
  return solution;
}

/// The textbook's two loops, the oracle of the others.
template <class T>
void reference(const Problem<T>& problem, SolveMonitor& monitor, std::span<T> table);

/// Sliding windows over runs of consecutive offsets (see semigroup.hpp), one thread.
template <class T>
void runs(const Problem<T>& problem, SolveMonitor& monitor, std::span<T> table);

/// The number of runs of consecutive offsets with the same weight and coefficient.
template <class T>
[[nodiscard]] std::size_t count_runs(const Problem<T>& problem);

/// The reference's loops, which end as soon as a value equals all initial values combined. With an idempotent op and no
/// weights nothing goes beyond that. One thread. Gives up after `max_operations` candidates. Returns the first index
/// that is not filled.
template <class T>
[[nodiscard]] std::size_t early_exit(const Problem<T>& problem, SolveMonitor& monitor, double max_operations,
                                     std::span<T> table);

/// For unweighted min and max every value is an initial value. This algorithm spreads the winning ones first. One
/// thread. Gives up after `max_operations` steps of some vector operations each. It then returns false, and the table
/// is unchanged.
template <class T>
[[nodiscard]] bool spread(const Problem<T>& problem, SolveMonitor& monitor, double max_operations, std::span<T> table);

/// Blocks of outputs in vector registers, for every op except gcd, without coefficients. Starts at index `from` >= a_0.
template <class T>
void blocks(const Problem<T>& problem, Team& team, std::size_t from, SolveMonitor& monitor, std::span<T> table);

/// For floats: raises Error{overflow} for the first value that is NaN, or that is infinite although no earlier value
/// makes it so. Infinite initial values stay infinite.
template <class T>
void check_overflow(const Problem<T>& problem, std::span<const T> values, const Options& options);

namespace cuda {

/// Blocks of outputs on the options' GPU: min and max of i32, with and without weights. Raises Error{device} if there
/// is no GPU, or no such build.
void blocks(const Problem<std::int32_t>& problem, Context& context, SolveMonitor& monitor,
            std::span<std::int32_t> table);

/// The bytes on the GPU.
[[nodiscard]] std::size_t device_bytes(const Problem<std::int32_t>& problem, const Options& options);

}  // namespace cuda

}  // namespace warpfold::recurrence
