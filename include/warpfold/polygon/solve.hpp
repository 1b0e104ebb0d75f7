#pragma once

#include "warpfold/interval/solve.hpp"
#include "warpfold/polygon/triangulation.hpp"

namespace warpfold::polygon {

// An outline is a triangulation as any other: see interval/solve.hpp.
using interval::algorithms;
using interval::estimate;
using interval::solve;

namespace reference {

/// The recurrence as it stands, O(n^3) time and n*n values.
template <class T>
[[nodiscard]] Outcome<interval::Solution<T>> solve(const Triangulation<T>& problem);

}  // namespace reference

}  // namespace warpfold::polygon
