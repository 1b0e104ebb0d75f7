#pragma once

#include <cstddef>

/// Measured numbers, one dated row each.
namespace warpfold::rna {

/// The number of bases from which a GPU folds faster than the CPU. 2026-11-27, H100 with a 16-core host, random
/// sequences, CPU / GPU: 1,000 11.5 / 26.8 ms, 4,000 119 / 143, 10,000 737 / 412. The number between the last two is
/// not measured.
inline constexpr std::size_t cuda_gains_from = 6000;

}  // namespace warpfold::rna
