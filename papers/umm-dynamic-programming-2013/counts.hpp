#pragma once

#include "papers/registry.hpp"

namespace warpfold::papers::umm_2013 {

/// Chords, triangles and triangulations of an n-gon, counted beside the closed forms of UMM 2013, section III, and the
/// GPU paper, section 2.
[[nodiscard]] Table polygon_counts(const RunOptions& options);

}  // namespace warpfold::papers::umm_2013
