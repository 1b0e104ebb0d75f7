#pragma once

#include <cstddef>

#include "minplus/tile_products.hpp"

namespace warpfold::interval {

/// Entries along a side of a tile of the CPU solver.
inline constexpr std::size_t cpu_tile_side = minplus::tile_side;

/// How tiles are finished, for one instruction set; minplus::TileProducts is what comes before. Tiles are row-major,
/// contiguous and aligned to 64 bytes. What lies on and below the diagonal of a diagonal tile is infinity; a tile's
/// weights are 0 there, at edges and beyond the last vertex. `infinite`: what is at least this is infinite (see
/// close.hpp).
template <class T>
struct TileOperations {
  /// Finishes a tile on the diagonal; its leaves are set, everything else is infinity.
  void (*close_diagonal)(T* c, const T* weight, T infinite);
  /// Finishes an off-diagonal tile that has all its products, against the diagonal tile in its rows (`left`) and the
  /// one in its columns (`below`).
  void (*close)(T* c, const T* left, const T* below, const T* weight, T infinite);
};

/// The operations for the processor's best instruction set, or for the forced one.
template <class T>
[[nodiscard]] TileOperations<T> tile_operations();

}  // namespace warpfold::interval
