#pragma once

#include "warpfold/polygon/solve.hpp"

namespace warpfold::polygon::cpu {

/// The "sparse" algorithm. See cpu.cpp.
template <class T>
[[nodiscard]] interval::Solution<T> solve(const Triangulation<T>& problem, Context& context);

/// What it does and holds.
struct Work {
  double operations = 0;  ///< elementary ones of the recurrence
  double steps = 0;       ///< what its seconds are proportional to, on one thread
  std::size_t bytes = 0;
  int threads = 1;
};
template <class T>
[[nodiscard]] Work work_of(const Triangulation<T>& problem, const Options& options);

/// Every vertex sees every other one, and all chords weigh the same: to tell the seconds of a step.
template <class T>
[[nodiscard]] Triangulation<T> complete_problem(std::size_t vertices);

}  // namespace warpfold::polygon::cpu
