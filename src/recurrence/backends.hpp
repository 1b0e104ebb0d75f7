#pragma once

#include <chrono>
#include <span>

#include "recurrence/tuning.hpp"
#include "run/large_vector.hpp"
#include "warpfold/recurrence/solve.hpp"
#include "warpfold/run/clock.hpp"
#include "warpfold/run/team.hpp"

/// Every algorithm is a function of this shape: the table's first a_0 values stand, the others are filled.
namespace warpfold::recurrence {

/// What estimates need of every backend, and of those on a GPU.
template <class T>
double operations_of(const Problem<T>& problem) {
  return problem.operations();
}
template <class T>
double seconds_on_gpu(const RecurrenceBackend<T>&, const Problem<T>& problem, const Options&) {
  return tuning::gpu_start_seconds + problem.operations() * tuning::gpu_candidate_seconds;
}

/// The solution that `fill(monitor, table)` gives where the first a_0 values stand, out of memory that the context's
/// budget gives: `bytes`, the table among them.
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

/// The textbook's two loops; the oracle.
template <class T>
void reference(const Problem<T>& problem, SolveMonitor& monitor, std::span<T> table);

/// Sliding windows over runs of consecutive offsets (see semigroup.hpp), one thread.
template <class T>
void runs(const Problem<T>& problem, SolveMonitor& monitor, std::span<T> table);

/// How many runs of consecutive offsets with the same weight there are.
template <class T>
[[nodiscard]] std::size_t count_runs(const Problem<T>& problem);

/// The reference's loops, left as soon as a value is what all initial values combined give: nothing goes beyond that
/// with an idempotent op and no weights. One thread. Gives up once `max_operations` candidates have been looked at;
/// the return value is the first index not filled.
template <class T>
[[nodiscard]] std::size_t early_exit(const Problem<T>& problem, SolveMonitor& monitor, double max_operations,
                                     std::span<T> table);

/// Unweighted min and max: every value is one of the initial ones, so the winning ones spread first. One thread.
/// Gives up, false, after `max_operations` steps of some vector operations each; the table then is unchanged.
template <class T>
[[nodiscard]] bool spread(const Problem<T>& problem, SolveMonitor& monitor, double max_operations, std::span<T> table);

/// Blocks of outputs from vector registers, every op but gcd. Starts at index `from` >= a_0.
template <class T>
void blocks(const Problem<T>& problem, Team& team, std::size_t from, SolveMonitor& monitor, std::span<T> table);

/// Of floats: raises Error{overflow} for the first value that is NaN, or infinite where no value before it makes it so.
/// What is infinite among the initial values stays so.
template <class T>
void check_overflow(const Problem<T>& problem, std::span<const T> values, const Options& options);

namespace cuda {

/// Blocks of outputs on the options' GPU: min and max of i32, with and without weights. Raises Error{device} where no
/// GPU or no such build is there.
void blocks(const Problem<std::int32_t>& problem, Context& context, SolveMonitor& monitor,
            std::span<std::int32_t> table);

/// What it takes of the GPU.
[[nodiscard]] std::size_t device_bytes(const Problem<std::int32_t>& problem, const Options& options);

}  // namespace cuda

}  // namespace warpfold::recurrence
