#pragma once

#include "warpfold/interval/solve.hpp"
#include "warpfold/polygon/triangulation.hpp"

namespace warpfold::polygon {

// Outlines are solved as any triangulation: the calls are those of interval/solve.hpp.
using interval::algorithms;
using interval::estimate;
using interval::solve;

namespace reference {

/// Solves the recurrence as it is written. O(n^3) time, n*n values.
template <class T>
[[nodiscard]] Outcome<interval::Solution<T>> solve(const Triangulation<T>& problem);

}  // namespace reference

}  // namespace warpfold::polygon
