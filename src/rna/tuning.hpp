#pragma once

#include <cstddef>

/// Measured numbers, one dated row each.
namespace warpfold::rna {

/// The number of bases from which a GPU folds faster than the CPU. 2026-11-27, H100 with a 16-core host, random
/// sequences, CPU / GPU: 300 2.9 / 3.0 ms, 1,000 10.9 / 9.8, 2,000 40.8 / 17.4, 4,000 99.8 / 35.5, 10,000 920 / 91.
inline constexpr std::size_t cuda_gains_from = 1000;

}  // namespace warpfold::rna
