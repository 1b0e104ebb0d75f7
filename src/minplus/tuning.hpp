#pragma once

/// Numbers that were measured, one dated row each; results/h200/ holds the runs.
namespace warpfold::minplus {

/// From how many terms (m * p * n, over a whole batch) on a GPU beats the CPU, matrices on the host both times.
inline constexpr double cuda_gains_from_terms = 512.0 * 512 * 512;

}  // namespace warpfold::minplus
