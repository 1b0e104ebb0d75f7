#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "interval/triangulation/traceback.hpp"
#include "warpfold/interval/recurrence.hpp"
#include "warpfold/interval/triangulation.hpp"
#include "warpfold/run/backend.hpp"
#include "warpfold/run/clock.hpp"

namespace warpfold::interval {

/// The triangulation of a matrix of weights, as a recurrence in the public form.
template <class T>
struct MatrixRecurrence {
  using Semiring = BoundedMinPlus<T>;
  MatrixView<const T> weights;

  T leaf(std::size_t) const { return 0; }
  /// As Triangulation::weight(), for j >= i+2. Has no branch on j in a row, so that the compiler vectorizes it.
  T weight(std::size_t i, std::size_t j) const {
    if (i == 0 && j + 1 == weights.rows) return 0;
    const T given = weights(i, j);
    if constexpr (std::is_floating_point_v<T>) return given;
    return std::min(given, infinity<T>);
  }
};

/// The triangulation of a weight formula, as a recurrence.
template <class T>
struct FormulaRecurrence {
  using Semiring = BoundedMinPlus<T>;
  WeightFormula weights;

  T leaf(std::size_t) const { return 0; }
  T weight(std::size_t i, std::size_t j) const {
    if (i == 0 && j + 1 == weights.points.size()) return 0;
    return static_cast<T>(chord_weight(weights.formula, weights.points[i], weights.points[j]));
  }

  /// For a strictly convex outline the description covers vertices and formula: n of these instead of n*n/2 chords.
  void describe_point(std::size_t i, std::vector<std::byte>& bytes) const {
    const Point& point = weights.points[i];
    const std::array<double, 3> said = {point.x, point.y, weights.formula == ChordWeight::squared ? 2.0 : 1.0};
    const auto all = std::as_bytes(std::span(said));
    bytes.insert(bytes.end(), all.begin(), all.end());
  }
};

/// A problem with its weights in a matrix: its own matrix, or one that is made here.
template <class T>
class AsMatrix {
 public:
  /// Reserves the matrix's memory from the budget, and adds the time to the report's `prepare_seconds`.
  AsMatrix(const Triangulation<T>& problem, Context& context) {
    if (problem.matrix()) {
      problem_ = problem;
      return;
    }
    const auto start = std::chrono::steady_clock::now();
    const std::size_t n = problem.vertices();
    taken_ = context.budget.reserve(n * n, sizeof(T));
    weights_.resize(n * n, infinity<T>);
    const SolveMonitor monitor(context.options, 0);
    for (std::size_t i = 0; i < n; ++i) {
      monitor.check();
      fill_row(problem, i);
    }
    problem_.emplace(MatrixView<const T>{weights_.data(), n, n, n}, context.options.threads);
    context.report.prepare_seconds += seconds_since(start);
  }
  AsMatrix(const AsMatrix&) = delete;
  AsMatrix& operator=(const AsMatrix&) = delete;

  [[nodiscard]] const Triangulation<T>& problem() const { return *problem_; }

 private:
  void fill_row(const Triangulation<T>& problem, std::size_t i) {
    T* row = weights_.data() + i * problem.vertices();
    if (const WeightedGraph<T>* graph = problem.graph()) {
      for (std::size_t e = graph->offsets[i]; e < graph->offsets[i + 1]; ++e) row[graph->ends[e]] = graph->weights[e];
    } else {
      for (std::size_t j = i + 1; j < problem.vertices(); ++j) row[j] = problem.weight(i, j);
    }
  }

  Budget::Reservation taken_;
  std::vector<T> weights_;
  std::optional<Triangulation<T>> problem_;
};

/// The bytes that AsMatrix needs.
template <class T>
[[nodiscard]] std::size_t bytes_as_matrix(const TriangulationSize& size) {
  return size.weights == TriangulationSize::Weights::matrix ? 0 : bytes_of(size.vertices * size.vertices, sizeof(T));
}

/// Calls action(recurrence, problem) with the recurrence of a problem. `problem` is the one the recurrence belongs to:
/// a visibility graph becomes a matrix.
template <class T, class Action>
auto with_recurrence(const Triangulation<T>& problem, Context& context, const Action& action) {
  if (const WeightFormula* formula = problem.formula()) return action(FormulaRecurrence<T>{*formula}, problem);
  const AsMatrix<T> dense(problem, context);
  return action(MatrixRecurrence<T>{*dense.problem().matrix()}, dense.problem());
}

/// The bytes that with_recurrence needs.
template <class T>
[[nodiscard]] std::size_t bytes_as_recurrence(const TriangulationSize& size) {
  return size.graph ? bytes_as_matrix<T>(size) : 0;
}

/// The solution in a polygon's filled table.
template <class R>
Solution<ValueOf<R>> solution_of(const R& polygon, const IntervalTable<ValueOf<R>>& table, Context& context) {
  const auto start = std::chrono::steady_clock::now();
  Solution<ValueOf<R>> solution;
  solution.cost = table.value();
  const SolveMonitor monitor(context.options, 0);
  const auto split = [&](std::size_t i, std::size_t j) {
    monitor.check();
    return best_split(polygon, table, i, j).k;
  };
  search_structure(table.points(), split, solution);
  context.report.traceback_seconds = seconds_since(start);
  return solution;
}

}  // namespace warpfold::interval
