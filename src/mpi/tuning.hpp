#pragma once

#include <cstddef>

namespace warpfold::mpi {

/// The terms in a panel of a product by ranks. On the CPU, each panel passes over C once more, and two panels of A and
/// of B are in memory. A GPU receives C and sends it back for each panel. Other sizes are not measured.
inline constexpr std::size_t panel_terms = 512;
inline constexpr std::size_t gpu_panel_terms = 8192;

}  // namespace warpfold::mpi
