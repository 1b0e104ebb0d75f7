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

/// Solves a recurrence of your own (recurrence_model.hpp says how to write one).
namespace warpfold::interval {

/// Solves a recurrence for n >= 2 points on the CPU. The order in which `plus` sees its candidates is the same for
/// every number of threads. Raises Error{input} for fewer points and for 2^32 or more; Error{overflow} as
/// recurrence_model.hpp says; Error{infeasible} where the whole has no value and the semiring's zero() is infinite;
/// Error{device} for a GPU (recurrence.cuh solves there); Error{usage} for an algorithm other than "tiled";
/// Error{time_limit}, Error{memory_limit} and Error{cancelled} as the options ask, the last within 0.1 s and a call of
/// `split`.
template <class R>
[[nodiscard]] Outcome<IntervalTable<ValueOf<R>>> solve_recurrence(const R& recurrence, std::size_t points,
                                                                  const Options& options = {}) {
  detail::check_is_on_cpu(options);
  const detail::UserProblem<R> problem{recurrence, points};
  auto outcome = solve_by(detail::builtin_backends<R>(), problem, problem, options);
  detail::check_feasible<typename R::Semiring>(points, outcome.solution.value());
  return outcome;
}

/// What solve_recurrence would take. Its rate is that of the first points alone, by some milliseconds of solving those,
/// or some calls of the recurrence's functions where one takes longer. Raises what solve_recurrence raises for the
/// options, stop and deadline among them, and for those points.
template <class R>
[[nodiscard]] Estimate estimate_recurrence(const R& recurrence, std::size_t points, const Options& options = {}) {
  detail::check_is_on_cpu(options);
  detail::check_points(points, IntervalTable<ValueOf<R>>::max_points);
  return estimate_by(detail::builtin_backends<R>(), {recurrence, points}, options);
}

/// Solves many recurrences at once, recurrences[t] for points[t] points; the values of the integers are the solution,
/// zero() where there is none. Each runs on one thread, all threads share them. Raises what solve_recurrence raises,
/// but never Error{infeasible}.
template <class R>
[[nodiscard]] Outcome<std::vector<ValueOf<R>>> solve_recurrences(std::span<const R> recurrences,
                                                                 std::span<const std::size_t> points,
                                                                 const Options& options = {}) {
  if (recurrences.size() != points.size()) {
    throw Error(ErrorKind::usage, std::to_string(recurrences.size()) + " recurrences have " +
                                      std::to_string(points.size()) + " numbers of points: as many are accepted");
  }
  detail::check_is_on_cpu(options);
  const detail::OwnBatch<R> batch{recurrences, points};
  return solve_by(detail::own_batch_backends<R>(), batch, batch, options);
}

/// Searches interval (i,j), j >= i+2, again, along the tiles of its row and column. For semirings that choose.
template <class R>
[[nodiscard]] BestSplit<ValueOf<R>> best_split(const R& recurrence, const IntervalTable<ValueOf<R>>& table,
                                               std::size_t i, std::size_t j) {
  return detail::SplitSearch<R>(recurrence, table, nullptr)(i, j);
}

/// The structure of an optimum, each interval before those inside it: found by searching again. Where several choices
/// attain a value a split wins over the inner interval, and the smallest k over the others. Added up in the
/// recurrence's order it gives the table's value, in bits where the caller's compiler contracts nothing
/// (-ffp-contract=off, or a processor without fused operations) and the split is not fused, else within rounding.
///
/// For semirings that choose, and a `close` that is monotone in its last two arguments. Raises Error{infeasible} where
/// the whole has no value, Error{usage} where no choice gives the value, as where the semiring adds them up,
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
