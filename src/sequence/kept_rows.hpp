#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "sequence/tuning.hpp"

namespace warpfold::sequence {

/// How rows of a table are kept for a walk: `levels` times `kept` states of `state_rows` rows each, and `base` rows
/// that are walked through. Nothing is kept for a score.
struct KeptRows {
  std::size_t state_rows = 2, base = 0, kept = 0, levels = 0;

  [[nodiscard]] std::size_t rows() const { return base + 2 + state_rows * kept * levels + 3; }
};

/// The fewest levels with which n rows are walked in at most `rows` rows, or in few.
[[nodiscard]] inline KeptRows kept_rows_of(std::size_t n, std::size_t rows, std::size_t state_rows) {
  constexpr std::size_t min_rows = 48;
  const std::size_t usable = (std::max(rows, min_rows) - 5) / 2;
  if (n <= usable) return {state_rows, n, 0, 0};
  for (std::size_t levels = 1;; ++levels) {
    const std::size_t kept = std::max<std::size_t>(2, usable / (state_rows * levels));
    if (static_cast<double>(usable) * std::pow(static_cast<double>(kept), static_cast<double>(levels)) >=
        static_cast<double>(n)) {
      return {state_rows, usable, kept, levels};
    }
  }
}

/// The rows of cells for a script of an n x m table, with `bytes_left` bytes left for them.
template <class Cell>
[[nodiscard]] KeptRows rows_for_script(double n, double m, std::size_t state_rows, std::size_t bytes_left) {
  const double bytes = std::min(static_cast<double>(tuning::script_bytes) + tuning::symbol_bytes * (n + m),
                                static_cast<double>(bytes_left));
  const double row_bytes = sizeof(Cell) * (m + 1);
  return kept_rows_of(static_cast<std::size_t>(n), static_cast<std::size_t>(bytes / row_bytes), state_rows);
}

/// Walks to row `from`, whose rows are `state`, or until the walk is done.
///
/// * `row()`: the row where the walk is; `is_done()`: whether it has ended.
/// * `advance(from, to, state)`: brings a state from row `from` to row `to`.
/// * `walk_through(from, state)`: walks to row `from` by all rows between.
template <class State, class Walker>
void walk_up(Walker& walker, std::size_t from, const State& state, const KeptRows& plan, std::size_t level) {
  if (level == 0) return walker.walk_through(from, state);
  const std::size_t height = walker.row() - from;
  const std::size_t part = std::max(plan.base, (height + plan.kept - 1) / plan.kept);
  std::vector<State> kept = {state};
  while (from + part * kept.size() < walker.row()) {
    kept.push_back(kept.back());
    walker.advance(from + part * (kept.size() - 2), from + part * (kept.size() - 1), kept.back());
  }
  for (; !kept.empty(); kept.pop_back()) {
    const std::size_t first = from + part * (kept.size() - 1);
    if (walker.row() > first && !walker.is_done()) walk_up(walker, first, kept.back(), plan, level - 1);
  }
}

}  // namespace warpfold::sequence
