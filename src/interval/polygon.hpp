#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <type_traits>

#include "interval/traceback.hpp"
#include "warpfold/interval/recurrence.hpp"
#include "warpfold/interval/triangulation.hpp"
#include "warpfold/run/clock.hpp"

namespace warpfold::interval {

/// The triangulation as a recurrence of the form that everybody may write.
template <class T>
struct Polygon {
  using Semiring = ProvenMinPlus<T>;
  const Triangulation<T>& problem;

  T leaf(std::size_t) const { return 0; }
  /// As problem.weight(), for j >= i+2: a row without a branch on j, which the compiler turns into vectors.
  T weight(std::size_t i, std::size_t j) const {
    if (i == 0 && j + 1 == problem.vertices()) return 0;
    const T given = problem.weights()(i, j);
    if constexpr (std::is_floating_point_v<T>) return given;
    return std::min(given, infinity<T>);
  }
};

/// The solution that a polygon's filled table has.
template <class R>
Solution<ValueOf<R>> solution_of(const R& polygon, const RecurrenceTable<ValueOf<R>>& table, Context& context) {
  const auto start = std::chrono::steady_clock::now();
  Solution<ValueOf<R>> solution;
  solution.cost = table.value();
  const Watch watch(context.options, 0);
  const auto split = [&](std::size_t i, std::size_t j) {
    watch.check();
    return best_split(polygon, table, i, j).k;
  };
  search_structure(table.points(), split, solution);
  context.report.traceback_seconds = seconds_since(start);
  return solution;
}

}  // namespace warpfold::interval
