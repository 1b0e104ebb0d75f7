#pragma once

#include <cstddef>

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

  [[nodiscard]] std::size_t state_values() const { return (words + columns_together + 1) * lanes; }
  [[nodiscard]] std::size_t border_bytes(std::size_t strip) const {
    return (end_column(strip) - begin_column(strip)) * value_bytes;
  }
  [[nodiscard]] std::size_t tile_values() const { return (steps + 1) * (words + 1) * columns_together * lanes; }
  /// Of what each thread works in.
  [[nodiscard]] std::size_t worker_bytes(bool has_tile) const;
  /// Of what a solve needs besides what it keeps for a path.
  [[nodiscard]] std::size_t fixed_bytes(std::size_t threads, bool has_script) const;
};

/// The layout that takes the fewest vector operations, whose tiles take a small part of `bytes` bytes.
[[nodiscard]] Layout layout_of(const Size& size, std::size_t threads, std::size_t bytes);

/// Strips first_strip .. last_strip - 1 and chunks first_chunk .. last_chunk - 1 of the table.
struct Part {
  std::size_t first_strip, last_strip, first_chunk, last_chunk;

  [[nodiscard]] std::size_t strips() const { return last_strip - first_strip; }
  [[nodiscard]] std::size_t chunks() const { return last_chunk - first_chunk; }
  /// The chunks of a strip that lie in the part.
  [[nodiscard]] std::size_t begin_chunk(const Layout& layout, std::size_t strip) const {
    return std::clamp(layout.begin_chunk(strip), first_chunk, last_chunk);
  }
  [[nodiscard]] std::size_t end_chunk(const Layout& layout, std::size_t strip) const {
    return std::clamp(layout.end_chunk(strip), first_chunk, last_chunk);
  }
};

/// Of every so many strips of a part the border below is kept, before every so many chunks the states of all strips.
struct Grid {
  std::size_t strips, chunks;

  [[nodiscard]] bool keeps_all() const { return strips == 1 && chunks == 1; }
  [[nodiscard]] bool keeps_border(const Part& part, std::size_t strip) const {
    return (strip + 1 - part.first_strip) % strips == 0 && strip + 1 < part.last_strip;
  }
  /// The first chunk after a strip's first one in the part before which its state is kept, and how many there are.
  [[nodiscard]] std::size_t first_kept(const Layout& layout, const Part& part, std::size_t strip) const {
    return part.first_chunk + ((part.begin_chunk(layout, strip) - part.first_chunk) / chunks + 1) * chunks;
  }
  [[nodiscard]] std::size_t count_kept(const Layout& layout, const Part& part, std::size_t strip) const {
    const std::size_t first = first_kept(layout, part, strip), end = part.end_chunk(layout, strip);
    return first < end ? (end - first + chunks - 1) / chunks : 0;
  }
  [[nodiscard]] std::size_t bytes(const Layout& layout, const Part& part) const;
};

/// The finest grid of a part in so many bytes. If not all borders fit, half of the bytes are left for the grids of the
/// grid's tiles.
[[nodiscard]] Grid grid_of(const Layout& layout, const Part& part, std::size_t bytes);

}  // namespace warpfold::sequence::warp::strips
