#pragma once

#include <cstddef>

#include "sequence/strips/grid.hpp"
#include "sequence/warp/backends.hpp"
#include "sequence/warp/strips/kernel.hpp"

namespace warpfold::sequence::warp::strips {

/// How a table is cut into strips of rows and chunks of steps. Lane g, counted over all strips, computes column j in
/// step j / C + g. So a strip begins and ends some chunks after the strip above it.
struct Layout {
  Band band;
  std::size_t dimensions, value_bytes;
  std::size_t lanes;  ///< of a vector
  std::size_t words;  ///< K
  std::size_t steps;  ///< of a chunk
  std::size_t unit;   ///< rows of which some are saved; strips are as high, or a half, a quarter and so on

  [[nodiscard]] std::size_t rows() const { return lanes * words; }
  [[nodiscard]] std::size_t strips() const { return (band.n + rows() - 1) / rows(); }
  [[nodiscard]] std::size_t first_row(std::size_t strip) const { return strip * rows(); }
  [[nodiscard]] std::size_t last_row(std::size_t strip) const { return std::min(first_row(strip + 1), band.n) - 1; }
  [[nodiscard]] std::size_t step_of(std::size_t i, std::size_t j) const { return j / columns_together + i / words; }

  /// The columns that the band has in a strip.
  [[nodiscard]] std::size_t begin_column(std::size_t strip) const { return band.begin(first_row(strip)); }
  [[nodiscard]] std::size_t end_column(std::size_t strip) const { return band.end(last_row(strip)); }
  /// The steps and chunks of a strip. It begins a column before the band, which takes D above the first cell's
  /// diagonal.
  [[nodiscard]] std::size_t begin_step(std::size_t strip) const {
    return step_of(first_row(strip), std::max<std::size_t>(begin_column(strip), 1) - 1);
  }
  [[nodiscard]] std::size_t end_step(std::size_t strip) const {
    return step_of(last_row(strip), end_column(strip) - 1) + 1;
  }
  [[nodiscard]] std::size_t begin_chunk(std::size_t strip) const { return begin_step(strip) / steps; }
  [[nodiscard]] std::size_t end_chunk(std::size_t strip) const { return (end_step(strip) + steps - 1) / steps; }
  [[nodiscard]] std::size_t chunks() const { return end_chunk(strips() - 1); }

  [[nodiscard]] std::size_t chunks_of_strip() const {
    return std::max<std::size_t>(1, rows() / (steps * columns_together));
  }
  [[nodiscard]] StripPlace place_of(const WarpingWalk& walk) const {
    return {walk.i / rows(), step_of(walk.i, walk.j) / steps};
  }
  [[nodiscard]] double cells() const { return band.cells(); }
  [[nodiscard]] double chunk_cells(std::size_t strip) const {
    return cells() / static_cast<double>(strips() * (end_chunk(strip) - begin_chunk(strip)));
  }

  /// The columns of a strip's last row that the strip below reads in the chunks of a part, or that end the table.
  struct Columns {
    std::size_t begin, end;
    [[nodiscard]] std::size_t count() const { return end - begin; }
  };
  [[nodiscard]] Columns border_columns(const TablePart& part, std::size_t strip) const;
  [[nodiscard]] std::size_t unit_strips() const { return unit / rows(); }
  [[nodiscard]] std::size_t border_bytes(const TablePart& part, std::size_t strip) const {
    return border_columns(part, strip).count() * value_bytes;
  }
  [[nodiscard]] std::size_t state_values() const { return (words + columns_together + 1) * lanes; }
  [[nodiscard]] std::size_t state_bytes() const { return state_values() * value_bytes; }
  [[nodiscard]] std::size_t tile_values() const { return (steps + 1) * (words + 1) * columns_together * lanes; }
  /// Of what each thread works in.
  [[nodiscard]] std::size_t worker_bytes(bool has_tile) const;
  /// Of what a solve needs besides what it keeps for a path.
  [[nodiscard]] std::size_t fixed_bytes(std::size_t threads, bool has_script) const;
};

/// The layout that takes the fewest vector operations, whose tiles take a small part of `bytes` bytes. `unit`:
/// Layout::unit.
[[nodiscard]] Layout layout_of(const Size& size, std::size_t threads, std::size_t bytes, std::size_t unit = 0);

}  // namespace warpfold::sequence::warp::strips
