#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "warpfold/core/error.hpp"
#include "warpfold/core/parallel.hpp"
#include "warpfold/core/run.hpp"
#include "warpfold/interval/recurrence_model.hpp"
#include "warpfold/interval/tiled_solver.hpp"

/// Solves a recurrence of your own (recurrence_model.hpp says how to write one).
namespace warpfold::interval {

/// One interval of the optimal structure: split at k, or (k == i) closed around the inner interval (i+1,j-1).
struct RecurrenceNode {
  std::uint32_t i = 0;
  std::uint32_t k = 0;
  std::uint32_t j = 0;
  bool operator==(const RecurrenceNode&) const = default;
};

template <class T>
struct RecurrenceResult {
  RecurrenceTable<T> table;
  Report report;

  /// The value of the whole, value(0, n-1).
  [[nodiscard]] T value() const { return table.value(0, table.points() - 1); }
};

/// Solves a recurrence for n >= 2 points. Raises Error{input} for fewer, and where a whole number does not fit;
/// Error{time_limit}, Error{memory_limit} and Error{cancelled} as the options ask. The order in which `plus` sees its
/// candidates is the same for every number of threads.
template <Recurrence R>
[[nodiscard]] RecurrenceResult<ValueOf<R>> solve_recurrence(const R& recurrence, std::size_t points,
                                                            const Options& options = {}) {
  using T = ValueOf<R>;
  if (points < 2) {
    throw Error(ErrorKind::input, "a recurrence has " + std::to_string(points) + " points: 2 or more are accepted");
  }
  const auto start = std::chrono::steady_clock::now();
  using Solver = detail::TiledSolver<R>;
  Report report{.device = "cpu", .algorithm = "tiled", .peak_bytes = RecurrenceTable<T>::bytes(points)};
  report.threads = Solver::useful_threads(points, thread_count(options.threads));
  check_memory(options, report.peak_bytes);
  Watch watch(options, Solver::operations(points));
  Solver solver(recurrence, points);
  solver.fill(report.threads, watch);
  report.solve_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return {solver.take_table(), report};
}

/// Solves many recurrences at once, recurrences[t] for points[t] points; the values of the wholes come back. Each runs
/// on one thread, all threads share them.
template <Recurrence R>
[[nodiscard]] std::vector<ValueOf<R>> solve_recurrences(std::span<const R> recurrences,
                                                        std::span<const std::size_t> points,
                                                        const Options& options = {}) {
  if (recurrences.size() != points.size()) {
    throw Error(ErrorKind::usage, std::to_string(recurrences.size()) + " recurrences have " +
                                      std::to_string(points.size()) + " numbers of points: as many are accepted");
  }
  std::vector<ValueOf<R>> values(recurrences.size());
  std::atomic<std::size_t> next = 0;
  Options each = options;
  each.threads = 1;
  each.progress = nullptr;
  parallel(thread_count(options.threads), [&](int) {
    for (std::size_t t = next++; t < values.size(); t = next++) {
      values[t] = solve_recurrence(recurrences[t], points[t], each).value();
    }
  });
  return values;
}

/// The best of an interval's splits, and the smallest k that attains it.
template <class T>
struct BestSplit {
  T value;
  std::size_t k;
};

/// Searches interval (i,j), j >= i+2, again, along the tiles of its row and column.
template <Recurrence R>
[[nodiscard]] BestSplit<ValueOf<R>> best_split(const R& recurrence, const RecurrenceTable<ValueOf<R>>& table,
                                               std::size_t i, std::size_t j) {
  using Semiring = typename R::Semiring;
  using T = ValueOf<R>;
  constexpr std::size_t side = RecurrenceTable<T>::side;
  BestSplit<T> best{Semiring::zero(), i + 1};
  for (std::size_t first = i + 1; first < j;) {
    const std::size_t last = std::min((first / side + 1) * side, j);
    const T* row = table.tile(i / side, first / side) + i % side * side + first % side;
    const T* column = table.tile(first / side, j / side) + first % side * side + j % side;
    for (std::size_t k = first; k < last; ++k, ++row, column += side) {
      T candidate = Semiring::times(*row, *column);
      if constexpr (SplitsFreely<R>) candidate = Semiring::times(candidate, recurrence.split(i, k, j));
      if constexpr (SplitsByProduct<R>) candidate = Semiring::times(candidate, recurrence.product_split()(i, k, j));
      const T better = Semiring::plus(best.value, candidate);
      if (better != best.value) best = {better, k};
    }
    first = last;
  }
  if (Semiring::is_zero(best.value)) best.value = Semiring::zero();
  return best;
}

/// The structure of an optimum, each interval before those inside it: found by searching again. Where several choices
/// attain a value a split wins over the inner interval, and the smallest k over the others. For semirings that choose,
/// and a `close` that is monotone in its last two arguments.
template <Recurrence R>
[[nodiscard]] std::vector<RecurrenceNode> structure(const R& recurrence, const RecurrenceTable<ValueOf<R>>& table) {
  using Semiring = typename R::Semiring;
  std::vector<RecurrenceNode> nodes;
  std::vector<RecurrenceNode> open{{0, 0, static_cast<std::uint32_t>(table.points() - 1)}};
  while (!open.empty()) {
    auto [i, k, j] = open.back();
    open.pop_back();
    if (j < i + 2) continue;
    const auto best = best_split(recurrence, table, i, j);
    k = static_cast<std::uint32_t>(best.k);
    bool inner = false;
    if constexpr (ClosesWithInner<R>) inner = recurrence.close(i, j, best.value, Semiring::zero()) != table.value(i, j);
    if (inner) {
      nodes.push_back({i, i, j});
      open.push_back({i + 1, 0, j - 1});
    } else {
      nodes.push_back({i, k, j});
      open.push_back({k, 0, j});
      open.push_back({i, 0, k});
    }
  }
  return nodes;
}

}  // namespace warpfold::interval
