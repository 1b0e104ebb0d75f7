#pragma once

#include <cstddef>

#include "warpfold/interval/triangulation.hpp"
#include "warpfold/run/backend.hpp"

/// The "sparse" algorithm, on the tiles of a visibility graph that have a pair. The method is in solve.cpp.
namespace warpfold::interval::sparse {

/// Solves a problem that is no matrix. With a formula, all pairs of vertices see each other.
template <class T>
[[nodiscard]] Solution<T> solve(const Triangulation<T>& problem, Context& context);

/// The work and memory of a solve.
struct Work {
  double operations = 0;  ///< elementary ones of the recurrence
  double steps = 0;       ///< what its seconds are proportional to, on one thread
  std::size_t bytes = 0;
  int threads = 1;
};
template <class T>
[[nodiscard]] Work work_of(const TriangulationSize& size, const Options& options);

/// A probe's problem: every vertex sees every other one, and all chords have the same weight.
template <class T>
[[nodiscard]] Triangulation<T> complete_problem(std::size_t vertices);

}  // namespace warpfold::interval::sparse
