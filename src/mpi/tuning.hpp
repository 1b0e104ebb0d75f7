#pragma once

#include <cstddef>

namespace warpfold::mpi {

/// Terms of a panel of a product by ranks. On the CPU a step of so many passes over C once more, and holds two panels
/// of A and of B; a GPU gets C, and gives it back, for each. Others are not measured.
inline constexpr std::size_t panel_terms = 512;
inline constexpr std::size_t gpu_panel_terms = 8192;

}  // namespace warpfold::mpi
