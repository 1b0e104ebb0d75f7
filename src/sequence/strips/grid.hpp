#pragma once

#include <algorithm>
#include <cstddef>

#include "sequence/tuning.hpp"

/// A table that is cut into strips of rows, and these into chunks, and the grid of borders that is kept of it for a
/// walk. A `Layout` says how the table is cut. It has
///
/// * `strips()`, and `begin_chunk(strip)` and `end_chunk(strip)`, the chunks of a strip; `chunks()`, of the last one;
/// * `chunks_of_strip()`: the chunks that have about as many columns as a strip has rows, at least 1;
/// * `state_bytes()`: of what a strip hands on between two of its chunks;
/// * `border_bytes(part, strip)`: of the row below a strip, in the chunks of a part;
/// * `cells()` of the table; `chunk_cells(strip)`: what a chunk of a strip counts as, so that all chunks are the table;
/// * `place_of(walk)`: the strip and the chunk of a walk's next step.
namespace warpfold::sequence {

/// Where a cell is.
struct StripPlace {
  std::size_t strip, chunk;
};

/// Strips first_strip .. last_strip - 1 and chunks first_chunk .. last_chunk - 1 of a table.
struct TablePart {
  std::size_t first_strip, last_strip, first_chunk, last_chunk;

  [[nodiscard]] std::size_t strips() const { return last_strip - first_strip; }
  [[nodiscard]] std::size_t chunks() const { return last_chunk - first_chunk; }
  /// The chunks of a strip that lie in the part.
  template <class Layout>
  [[nodiscard]] std::size_t begin_chunk(const Layout& layout, std::size_t strip) const {
    return std::clamp(layout.begin_chunk(strip), first_chunk, last_chunk);
  }
  template <class Layout>
  [[nodiscard]] std::size_t end_chunk(const Layout& layout, std::size_t strip) const {
    return std::clamp(layout.end_chunk(strip), first_chunk, last_chunk);
  }
};

template <class Layout>
[[nodiscard]] TablePart complete_table(const Layout& layout) {
  return {0, layout.strips(), 0, layout.chunks()};
}

/// Of every so many strips of a part the border below is kept, before every so many chunks the states of all strips.
struct Grid {
  std::size_t strips, chunks;

  [[nodiscard]] bool keeps_all() const { return strips == 1 && chunks == 1; }
  [[nodiscard]] bool keeps_border(const TablePart& part, std::size_t strip) const {
    return (strip + 1 - part.first_strip) % strips == 0 && strip + 1 < part.last_strip;
  }
  /// The first chunk after a strip's first one in the part before which its state is kept, and how many there are.
  template <class Layout>
  [[nodiscard]] std::size_t first_kept(const Layout& layout, const TablePart& part, std::size_t strip) const {
    return part.first_chunk + ((part.begin_chunk(layout, strip) - part.first_chunk) / chunks + 1) * chunks;
  }
  template <class Layout>
  [[nodiscard]] std::size_t count_kept(const Layout& layout, const TablePart& part, std::size_t strip) const {
    const std::size_t first = first_kept(layout, part, strip), end = part.end_chunk(layout, strip);
    return first < end ? (end - first + chunks - 1) / chunks : 0;
  }
  template <class Layout>
  [[nodiscard]] std::size_t bytes(const Layout& layout, const TablePart& part) const {
    std::size_t total = 0;
    for (std::size_t strip = part.first_strip; strip < part.last_strip; ++strip) {
      if (keeps_border(part, strip)) total += layout.border_bytes(part, strip);
      total += count_kept(layout, part, strip) * layout.state_bytes();
    }
    return total;
  }
  /// The tile of the grid that has a place, up to this place.
  [[nodiscard]] TablePart tile_up_to(const StripPlace& place, const TablePart& part) const {
    const auto begin_of = [](std::size_t at, std::size_t first, std::size_t size) {
      return first + (at - first) / size * size;
    };
    return {begin_of(place.strip, part.first_strip, strips), place.strip + 1,
            begin_of(place.chunk, part.first_chunk, chunks), place.chunk + 1};
  }
};

/// The grid of two tiles that are as square as possible, one above the other or side by side.
template <class Layout>
[[nodiscard]] Grid coarsest_grid(const Layout& layout, const TablePart& part) {
  const bool is_high = part.strips() * layout.chunks_of_strip() >= part.chunks();
  if (part.strips() > 1 && (is_high || part.chunks() == 1)) return {(part.strips() + 1) / 2, part.chunks()};
  return {part.strips(), std::max<std::size_t>(1, (part.chunks() + 1) / 2)};
}

/// A tile of the grid in the middle of a part, where a band is as wide as anywhere.
template <class Layout>
[[nodiscard]] TablePart middle_tile(const Layout& layout, const TablePart& part, const Grid& grid) {
  const std::size_t strip = part.first_strip + part.strips() / 2 / grid.strips * grid.strips;
  const std::size_t begin = part.begin_chunk(layout, strip), end = part.end_chunk(layout, strip);
  const std::size_t chunk = part.first_chunk + ((begin + end) / 2 - part.first_chunk) / grid.chunks * grid.chunks;
  const std::size_t first_chunk = std::min(chunk, part.last_chunk - 1);
  return {strip, std::min(strip + grid.strips, part.last_strip), first_chunk,
          std::min(first_chunk + grid.chunks, part.last_chunk)};
}

/// The bytes of the coarsest grids for a walk: of a part, of a tile of it, and so on.
template <class Layout>
[[nodiscard]] std::size_t least_bytes(const Layout& layout, TablePart part) {
  std::size_t total = 0;
  while (part.strips() > 1 || part.chunks() > 1) {
    const Grid grid = coarsest_grid(layout, part);
    total += grid.bytes(layout, part);
    part = middle_tile(layout, part, grid);
  }
  return total + total / 8;  // tiles on the way may be a strip or a chunk larger than half of the one around them
}

/// The finest grid of a part in so many bytes. If not all borders fit, bytes for the grids of its tiles are left.
template <class Layout>
[[nodiscard]] Grid grid_of(const Layout& layout, const TablePart& part, std::size_t bytes) {
  Grid grid{1, 1};
  if (grid.bytes(layout, part) <= bytes) return grid;
  // Tiles that are about square take the fewest cells for a path.
  for (std::size_t factor = 1;; factor += (factor + 7) / 8) {
    grid = {std::min(factor, part.strips()), std::min(factor * layout.chunks_of_strip(), part.chunks())};
    if (grid.strips == part.strips() && grid.chunks == part.chunks()) return coarsest_grid(layout, part);
    const std::size_t left_for_tiles =
        std::max(bytes / tuning::part_for_tiles, least_bytes(layout, middle_tile(layout, part, grid)));
    if (grid.bytes(layout, part) + left_for_tiles <= bytes) return grid;
  }
}

}  // namespace warpfold::sequence
