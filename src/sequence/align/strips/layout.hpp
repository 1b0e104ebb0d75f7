#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "sequence/align/backends.hpp"
#include "sequence/align/strips/narrow.hpp"
#include "sequence/align/walk.hpp"
#include "sequence/strips/grid.hpp"

namespace warpfold::sequence::alignment::strips {

/// The diagonals j - i of a table from -below to above.
struct Diagonals {
  std::size_t below, above;
};

/// How a table is cut into strips of rows and chunks of columns, and what its values are relative to.
struct Layout {
  std::size_t n, m;
  std::size_t codes;  ///< of the profile; 1: the rows' codes
  std::size_t lanes;  ///< of a vector
  std::size_t value_bytes;
  std::size_t words;    ///< K
  std::size_t columns;  ///< of a chunk
  bool is_local, compares;
  std::optional<NarrowStrip> narrow;  ///< how chunks are run in 8 bits; nothing: they are not
  std::int64_t open, extend;
  /// The value of H above the first row and before the first column of a chunk. So no value in the chunk is below 1 or
  /// beyond the type.
  std::int64_t corner;
  std::int64_t least_zero;   ///< the least value of 0 in local alignments
  std::int64_t least_score;  ///< scores below it count as this one: two gaps are as good
  /// Strips have the chunks that come near these diagonals alone; nothing: all. Strips then have as many rows as chunks
  /// have columns, or more, so that each one begins and ends behind the one above it, or at the table's borders.
  std::optional<Diagonals> band;
  std::size_t unit = 0;  ///< rows of which some are saved; strips are as high, or a half, a quarter and so on

  [[nodiscard]] std::size_t rows() const { return 2 * lanes * words; }
  [[nodiscard]] std::size_t strips() const { return (n + rows() - 1) / rows(); }
  [[nodiscard]] std::size_t chunks() const { return (m + columns - 1) / columns; }
  [[nodiscard]] std::size_t first_row(std::size_t strip) const { return strip * rows(); }
  [[nodiscard]] std::size_t first_column(std::size_t chunk) const { return chunk * columns; }
  [[nodiscard]] std::size_t columns_of(std::size_t chunk) const {
    return chunk + 1 < chunks() ? columns : m - first_column(chunk);
  }
  /// What is added to the score of a substitution, and to H(i,j) for each symbol.
  [[nodiscard]] std::int64_t bias() const { return is_local ? 0 : extend; }
  [[nodiscard]] std::int64_t unbiased(std::int64_t value, std::size_t i, std::size_t j) const {
    return value - bias() * static_cast<std::int64_t>(i + j);
  }

  /// The chunks of a strip.
  [[nodiscard]] std::size_t begin_chunk(std::size_t strip) const {
    if (!band || first_row(strip) <= band->below) return 0;
    return (first_row(strip) - band->below) / columns;
  }
  [[nodiscard]] std::size_t end_chunk(std::size_t strip) const {
    if (!band) return chunks();
    const std::size_t last_row = std::min(first_row(strip + 1), n);
    return (std::min(last_row + band->above, m) + columns - 1) / columns;
  }
  /// The chunks of a strip, at most.
  [[nodiscard]] std::size_t max_chunks() const {
    return band ? std::min(chunks(), (rows() + band->below + band->above) / columns + 2) : chunks();
  }
  [[nodiscard]] std::size_t chunks_of_strip() const { return std::max<std::size_t>(1, rows() / columns); }
  [[nodiscard]] StripPlace place_of(const AlignmentWalk& walk) const {
    return {(walk.i() - 1) / rows(), (walk.j() - 1) / columns};
  }
  [[nodiscard]] double cells() const {
    if (!band) return static_cast<double>(n) * static_cast<double>(m);
    double count = 0;
    for (std::size_t strip = 0; strip < strips(); ++strip) {
      count += static_cast<double>(end_chunk(strip) - begin_chunk(strip));
    }
    return count * static_cast<double>(rows() * columns);
  }
  [[nodiscard]] double chunk_cells(std::size_t /*strip*/) const {
    return band ? static_cast<double>(rows() * columns) : cells() / static_cast<double>(strips() * chunks());
  }

  [[nodiscard]] std::size_t unit_strips() const { return unit / rows(); }

  /// Of a row between two strips.
  [[nodiscard]] std::size_t border_bytes(const TablePart& part, std::size_t strip) const {
    return border_bytes(part.end_chunk(*this, strip) - part.begin_chunk(*this, strip));
  }
  /// Of so many chunks.
  [[nodiscard]] std::size_t border_bytes(std::size_t in_chunks) const {
    return in_chunks * ((2 * columns + 1) * value_bytes + sizeof(std::int64_t));
  }
  /// Of a strip between two chunks.
  [[nodiscard]] std::size_t state_bytes() const { return 2 * rows() * value_bytes + sizeof(std::int64_t); }
  /// Of all columns of a chunk.
  [[nodiscard]] std::size_t tile_bytes() const {
    const std::size_t kept = (columns + 1) * (rows() + 2 * lanes);
    return narrow ? kept + kept_bases() * sizeof(std::uint16_t) : kept * value_bytes;
  }
  /// The bases of a tile in 8 bits.
  [[nodiscard]] std::size_t kept_bases() const {
    return (narrow->moves(columns) + 1) * narrow->groups(words) * 2 * lanes;
  }
  /// Of what each thread works in.
  [[nodiscard]] std::size_t worker_bytes(bool has_tile) const;
  [[nodiscard]] std::size_t workers_bytes(std::size_t threads, bool has_script) const;
  /// Of what a solve needs besides what it keeps for a script.
  [[nodiscard]] std::size_t fixed_bytes(std::size_t threads, bool has_script) const;
};

/// The layout of the narrowest values that provably fit, whose workers take about `bytes` bytes at most. Nothing: the
/// values do not fit 32 bits, or a band has too few rows. `unit`: Layout::unit.
[[nodiscard]] std::optional<Layout> layout_of(const Size& size, std::size_t threads, std::size_t bytes,
                                              const std::optional<Diagonals>& band = {}, std::size_t unit = 0);

}  // namespace warpfold::sequence::alignment::strips
