#pragma once

#include "warpfold/polygon/solve.hpp"

namespace warpfold::polygon::cpu {

/// The "sparse" algorithm. See cpu.cpp.
template <class T>
[[nodiscard]] interval::Solution<T> solve(const Triangulation<T>& problem, Context& context);

template <class T>
[[nodiscard]] Estimate estimate(const Triangulation<T>& problem, const Options& options);

}  // namespace warpfold::polygon::cpu
