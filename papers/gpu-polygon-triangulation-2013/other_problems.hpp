#pragma once

#include "papers/registry.hpp"

namespace warpfold::papers::gpu_polygon_2013 {

/// Section 2: the elements of each stage of a 12-gon and the terms of each element, counted in a run of DP-OPT.
[[nodiscard]] Table stages(const RunOptions& options);

/// Section 4.2: the stages of a warp's reads in each arrangement.
[[nodiscard]] Table coalescing(const RunOptions& options);

/// Section 6: the problems to which the authors plan to apply their method, by this library's families, each compared
/// with its plain recurrence.
[[nodiscard]] Table other_problems(const RunOptions& options);

}  // namespace warpfold::papers::gpu_polygon_2013
