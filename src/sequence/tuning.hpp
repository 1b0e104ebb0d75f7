#pragma once

/// The tuned numbers of this family. Measured 2026-11 on 2 cores of an AMD EPYC (AVX2).
namespace warpfold::sequence::tuning {

inline constexpr double table_cell_seconds = 3e-9;
inline constexpr double word_seconds = 4e-9;

}  // namespace warpfold::sequence::tuning
