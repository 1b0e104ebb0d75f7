#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "interval/sparse/kernels.hpp"
#include "warpfold/interval/visibility_graph.hpp"
#include "warpfold/run/run.hpp"
#include "warpfold/run/team.hpp"

namespace warpfold::interval::sparse {

/// The tiles of 8 x 8 pairs of vertices in which a visibility graph has a pair, and those on the diagonal. They are
/// numbered row by row from left to right, so a row's first tile is on the diagonal.
struct Tiling {
  std::vector<std::size_t> offsets;    ///< row I's tiles are offsets[I] .. offsets[I + 1]
  std::vector<std::uint32_t> columns;  ///< the tile column of each tile

  [[nodiscard]] std::size_t rows() const { return offsets.size() - 1; }
  [[nodiscard]] std::size_t tiles() const { return offsets.back(); }
};

[[nodiscard]] constexpr std::size_t tile_rows(std::size_t vertices) { return (vertices + tile_side - 1) / tile_side; }

/// Computes the offsets only, which tell how much memory the rest needs.
[[nodiscard]] Tiling count_tiles(const VisibilityGraph& graph, Team& team, const SolveMonitor& monitor);

/// Adds the columns.
void list_tiles(const VisibilityGraph& graph, Tiling& tiling, Team& team, const SolveMonitor& monitor);

/// Estimates the number of steps (`Step`) of all tiles' products from those of some rows.
[[nodiscard]] double expected_steps(const VisibilityGraph& graph, Team& team, const SolveMonitor& monitor);

}  // namespace warpfold::interval::sparse
