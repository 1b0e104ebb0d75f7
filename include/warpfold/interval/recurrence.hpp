#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "warpfold/core/error.hpp"
#include "warpfold/interval/detail/recurrence_backends.hpp"
#include "warpfold/interval/detail/split_search.hpp"
#include "warpfold/interval/recurrence_model.hpp"
#include "warpfold/interval/split.hpp"

/// Solves a user's recurrence on the CPU. recurrence_model.hpp describes how to write one.
namespace warpfold::interval {

/// Solves a recurrence for n >= 2 points on the CPU and returns its table. `plus` sees its candidates in the same order
/// for every number of threads.
///
/// Raises:
/// * Error{input} for fewer than 2 points, and for 2^32 points or more;
/// * Error{overflow} or Error{input} for values outside the range in recurrence_model.hpp;
/// * Error{infeasible} if the whole interval has no value and the semiring's zero() is infinite;
/// * Error{device} for a GPU (recurrence.cuh solves there);
/// * Error{usage} for an algorithm other than "tiled";
/// * Error{time_limit}, Error{memory_limit} and Error{cancelled} as the options ask. The last takes at most 0.1 s and
///   one call of `split`.
///
/// Cost: n(n-1)(n-2)/6 products, about n*n/2 values.
template <class R>
[[nodiscard]] Outcome<IntervalTable<ValueOf<R>>> solve_recurrence(const R& recurrence, std::size_t points,
                                                                  const Options& options = {}) {
  detail::check_is_on_cpu(options);
  const detail::UserProblem<R> problem{recurrence, points};
  auto outcome = solve_by(detail::builtin_backends<R>(), problem, problem, options);
  detail::check_feasible<typename R::Semiring>(points, outcome.solution.value());
  return outcome;
}

/// Estimates solve_recurrence. The rate is measured on the first points: some milliseconds of solving them, or a few
/// calls of the recurrence's functions if one call takes longer. Raises what solve_recurrence raises for the options,
/// stop and deadline included, and for those points.
template <class R>
[[nodiscard]] Estimate estimate_recurrence(const R& recurrence, std::size_t points, const Options& options = {}) {
  detail::check_is_on_cpu(options);
  detail::check_points(points, IntervalTable<ValueOf<R>>::max_points);
  return estimate_by(detail::builtin_backends<R>(), {recurrence, points}, options);
}

/// Solves many recurrences: recurrences[t] for points[t] points. Returns the value of each whole interval, or zero() if
/// there is none. Each recurrence runs on one thread, and its table is not kept. Raises what solve_recurrence raises,
/// except Error{infeasible}. Raises Error{usage} if the two lists differ in length.
template <class R>
[[nodiscard]] Outcome<std::vector<ValueOf<R>>> solve_recurrences(std::span<const R> recurrences,
                                                                 std::span<const std::size_t> points,
                                                                 const Options& options = {}) {
  if (recurrences.size() != points.size()) {
    throw Error(ErrorKind::usage, std::to_string(recurrences.size()) + " recurrences have " +
                                      std::to_string(points.size()) + " numbers of points: as many are accepted");
  }
  detail::check_is_on_cpu(options);
  const detail::UserBatch<R> batch{recurrences, points};
  return solve_by(detail::builtin_batch_backends<R>(), batch, batch, options);
}

/// The same for a vector.
template <class R>
[[nodiscard]] Outcome<std::vector<ValueOf<R>>> solve_recurrences(const std::vector<R>& recurrences,
                                                                 std::span<const std::size_t> points,
                                                                 const Options& options = {}) {
  return solve_recurrences(std::span<const R>(recurrences), points, options);
}

/// Searches interval (i,j), j >= i+2, again, and returns its best split. For selective semirings. O(j - i).
template <class R>
[[nodiscard]] BestSplit<ValueOf<R>> best_split(const R& recurrence, const IntervalTable<ValueOf<R>>& table,
                                               std::size_t i, std::size_t j) {
  return detail::SplitSearch<R>(recurrence, table, nullptr)(i, j);
}

/// The structure of an optimum, found by searching the table again. Each interval is before those inside it. At most
/// n*n/2 steps.
///
/// Ties: neither part is preferred, then a split with the smallest k, then the inner interval. The structure's value,
/// added up in the recurrence's order, is the table's value up to rounding. It has the same bits if the split is not
/// fused and the caller's compiler contracts nothing (-ffp-contract=off, or a processor without fused operations).
///
/// For selective semirings, and a `close` that is monotone in its last two arguments. Raises Error{infeasible} if the
/// whole has no value. Raises Error{usage} if no choice gives a value, as with a semiring that adds. Raises
/// Error{time_limit} and Error{cancelled} as the options ask.
template <class R>
[[nodiscard]] std::vector<Split> structure(const R& recurrence, const IntervalTable<ValueOf<R>>& table,
                                           const Options& options = {}) {
  static_assert(std::equality_comparable<ValueOf<R>>,
                "structure compares values: give the semiring's Value operator==");
  if (R::Semiring::is_zero(table.value(0, table.points() - 1))) {
    throw Error(ErrorKind::infeasible, "the whole has no value, and so no structure");
  }
  const SolveMonitor monitor(options, 0);
  detail::SplitSearch<R> search(recurrence, table, &monitor);
  return splits_from_root(table.points(), [&](std::size_t i, std::size_t j) {
    monitor.check();
    return detail::choice_of(recurrence, table, i, j, search(i, j));
  });
}

}  // namespace warpfold::interval
