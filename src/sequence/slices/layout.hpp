#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "sequence/backends.hpp"
#include "sequence/slices/kernel.hpp"

namespace warpfold::sequence::slices {

inline constexpr std::size_t chunk_columns = chunk_steps * columns;
inline constexpr std::ptrdiff_t all_diagonals = std::numeric_limits<std::uint32_t>::max();
inline constexpr std::size_t bytes_of_progress = 128;  ///< what Strips knows of each strip, at most

/// How A is cut into strips, which diagonals are computed, and the memory and work that this takes.
struct Layout {
  std::size_t n, m, planes, signs, lanes;
  /// Diagonals i - j = -insertions .. deletions are computed. What is outside counts as if nothing matched there. In a
  /// part of a table one of them may be below 0.
  std::ptrdiff_t deletions = all_diagonals, insertions = all_diagonals;
  std::size_t words = 1;     ///< K
  std::size_t interval = 0;  ///< chunks between two kept states of a strip; 0: none is kept
  std::size_t parts = 1;     ///< of strips, computed again at a time for the walk
  std::size_t unit = 0;      ///< rows that are entire strips, of groups whose last rows are saved; 0: none is
  bool is_part = false;      ///< of a table around, whose differences are above and left
  std::size_t tile_strips = 0, tile_columns = 0;  ///< of tiles, whose borders are kept for a walk; 0: there are none

  [[nodiscard]] bool has_all_diagonals() const { return deletions == all_diagonals; }
  [[nodiscard]] std::size_t stripes() const { return 64 * lanes; }
  [[nodiscard]] std::size_t rows() const { return words * stripes(); }
  [[nodiscard]] std::size_t strips() const;
  /// Rows of the first strip above the first row of A. In a part of a table the last strip ends below the last row.
  [[nodiscard]] std::size_t rows_before() const { return is_part ? 0 : strips() * rows() - n; }
  /// The first row of a strip, from 0.
  [[nodiscard]] std::size_t first_row(std::size_t strip) const;

  /// A strip's chunks. Every strip begins with an entire chunk, at its column first_column.
  [[nodiscard]] std::size_t first_chunk(std::size_t strip) const;
  [[nodiscard]] std::size_t last_chunk(std::size_t strip) const;
  [[nodiscard]] std::size_t first_column(std::size_t strip) const { return first_chunk(strip) * chunk_columns; }
  /// Chunks of a strip, at most.
  [[nodiscard]] std::size_t chunks() const;
  /// Chunks after which the last stripe has been at the first `width` columns.
  [[nodiscard]] std::size_t chunks_for(std::size_t width) const;
  /// Chunks from the first stripe to the last.
  [[nodiscard]] std::size_t lag() const { return stripes() / chunk_steps; }

  [[nodiscard]] std::size_t left_words() const { return words * signs * lanes; }
  [[nodiscard]] std::size_t state_words() const { return left_words() + columns * signs * lanes; }
  [[nodiscard]] std::size_t states_of_a_strip() const { return interval ? (chunks() - 1) / interval : 0; }
  [[nodiscard]] std::size_t kept_states() const { return strips() * states_of_a_strip(); }
  /// What a walk needs of one step, and the steps that are kept for it at a time.
  [[nodiscard]] std::size_t step_words() const { return words * columns * signs * lanes; }
  [[nodiscard]] std::size_t kept_steps() const;
  [[nodiscard]] std::size_t stream_words() const { return chunks() * chunk_words; }
  /// Streams of strips, without the one above a part of a table.
  [[nodiscard]] std::size_t streams(std::size_t threads) const;
  [[nodiscard]] std::size_t row_words() const { return words * planes * lanes; }
  [[nodiscard]] std::size_t window_words() const { return columns * planes * slices::window_words; }

  /// Words of the differences along a row, of each sign.
  [[nodiscard]] std::size_t saved_words() const { return (m + 63) / 64; }
  /// Whether a unit consists of entire strips.
  [[nodiscard]] bool fits_unit() const { return unit % rows() == 0; }

  [[nodiscard]] bool has_tiles() const { return tile_strips > 0; }
  [[nodiscard]] std::size_t kept_rows() const { return has_tiles() ? (strips() - 1) / tile_strips : 0; }
  [[nodiscard]] std::size_t kept_columns() const { return has_tiles() ? (m - 1) / tile_columns : 0; }
  [[nodiscard]] bool is_divided() const { return kept_rows() + kept_columns() > 0; }
  /// Words of a kept row, of each sign, and of a kept column, at most.
  [[nodiscard]] std::size_t kept_row_words() const;
  [[nodiscard]] std::size_t kept_column_words() const;
  /// The kept column, from 1, that some stripes come to in a chunk. 0: none.
  [[nodiscard]] std::size_t kept_column_in(std::size_t chunk) const;
  /// The strips that come to a column with all stripes.
  struct Strips {
    std::size_t first, end;
  };
  [[nodiscard]] Strips strips_at(std::size_t column) const;
  /// That of a part of the table.
  [[nodiscard]] Layout part(std::size_t row, std::size_t column, std::size_t height, std::size_t width) const;
  /// That of a tile, one of the largest.
  [[nodiscard]] Layout tile() const;

  [[nodiscard]] std::size_t bytes(std::size_t threads) const;
  /// The same with other numbers of streams and kept states.
  [[nodiscard]] std::size_t bytes(std::size_t so_many_streams, std::size_t states, std::size_t threads) const;
  /// The vector operations in one thread, if `threads` share the strips; with those of the walk if states are kept.
  [[nodiscard]] double operations(std::size_t threads) const;

 private:
  [[nodiscard]] std::size_t column_in(std::ptrdiff_t column) const;
  [[nodiscard]] std::size_t diagonals() const { return static_cast<std::size_t>(deletions + insertions); }
  [[nodiscard]] double operations_of_chunk() const;
  [[nodiscard]] double chunks_of_all_strips() const;
  [[nodiscard]] double chunks_of_a_thread(std::size_t threads) const;
  [[nodiscard]] double chunks_of_walk() const;
};

/// The layout of one strip of a word, which keeps nothing, over all diagonals.
[[nodiscard]] Layout layout_of(std::size_t n, std::size_t m, int planes, Measure measure);
/// With the diagonals that a path of cost `bound` can reach.
[[nodiscard]] Layout within(Layout layout, std::size_t bound);
[[nodiscard]] Layout with_all_diagonals(Layout layout);
/// With the number of words that is cheapest for a score, in `bytes_left`, or one word.
[[nodiscard]] Layout for_score(Layout layout, std::size_t threads, std::size_t bytes_left);
/// The parts of strips that a walk of a team has computed at a time.
[[nodiscard]] std::size_t parts_at_a_time(std::size_t threads);
/// With the number of words and the interval between kept states that are cheapest for a script in the memory for
/// scripts and in `bytes_left`. If none fits, with tiles whose walks fit, too. If none fits, the layout that takes
/// least memory.
[[nodiscard]] Layout for_script(Layout layout, std::size_t threads, std::size_t bytes_left);

/// The bytes for the walks through the tiles of such a layout.
[[nodiscard]] std::size_t bytes_of_tiles(const Layout& layout, std::size_t threads, std::size_t bytes_left);

/// What a layout takes, with the layouts of its tiles.
struct Needs {
  std::size_t bytes;
  double operations;
};
[[nodiscard]] Needs needs_of_script(const Layout& layout, std::size_t threads, std::size_t bytes_left);

}  // namespace warpfold::sequence::slices
