#pragma once

#include "papers/registry.hpp"

namespace warpfold::papers::umm_2013 {

/// Counts the chords, triangles and triangulations of an n-gon. Compares them with the closed forms of UMM 2013,
/// section III, and of the GPU paper, section 2.
[[nodiscard]] Table polygon_counts(const RunOptions& options);

}  // namespace warpfold::papers::umm_2013
