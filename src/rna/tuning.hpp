#pragma once

#include <cstddef>

/// Measured numbers, one dated row each.
namespace warpfold::rna {

/// The number of bases from which a GPU folds faster than the CPU. 2026-11-27, H100 with a 16-core host, random
/// sequences, CPU / GPU: 300 2.9 / 3.0 ms, 1,000 10.9 / 9.8, 2,000 40.8 / 17.4, 4,000 99.8 / 35.5, 10,000 920 / 91.
inline constexpr std::size_t cuda_gains_from = 1000;

/// The same for the energy of an ensemble alone. 2026-11-27, the same machine, CPU / GPU: 1,000 29.9 / 38.7 ms, 2,000
/// 105 / 81, 4,000 350 / 163, 10,000 2,583 / 443. With pairs, 4,000 941 / 920: the CPU computes the marginals.
inline constexpr std::size_t cuda_energy_gains_from = 1500;

}  // namespace warpfold::rna
