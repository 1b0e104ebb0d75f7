#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "paths/backends.hpp"
#include "paths/dense/pivot.hpp"
#include "paths/dense/successor_search.hpp"
#include "warpfold/core/tile_storage.hpp"

/// Blocked Floyd and Warshall: 64 turns at a time. The turns are applied first to the pivot's diagonal tile, then to
/// the other tiles of its rows and columns. Then one product of those applies them to everything else. The rows and
/// columns are multiplied as each turn found them. The usual blocked form multiplies them as they are after all 64
/// turns, which rounds other sums.
namespace warpfold::paths {

[[nodiscard]] inline std::size_t tiles_for(std::size_t n) { return (n + tile_side - 1) / tile_side; }

/// A range of tiles along a side of the table: first .. end-1.
struct TileRange {
  std::size_t first = 0, end = 0;

  [[nodiscard]] std::size_t size() const { return end - first; }
  [[nodiscard]] bool contains(std::size_t tile) const { return first <= tile && tile < end; }
  /// The number of tiles in the range without this one.
  [[nodiscard]] std::size_t others(std::size_t tile) const { return size() - (contains(tile) ? 1 : 0); }
  /// The tile at a place among those.
  [[nodiscard]] std::size_t other(std::size_t tile, std::size_t place) const {
    const std::size_t found = first + place;
    return contains(tile) && found >= tile ? found + 1 : found;
  }
};

/// The tiles of some rows and columns of the table, or of all, and what a round keeps for them. Its work is numbered,
/// so that threads can share it. Tiles are numbered as in the whole table.
template <class Tag, class T = typename Tag::Value>
class TableBlock {
 public:
  /// The caller must have reserved the memory. The graph and the monitor must outlive the part. `rounds`: of how many
  /// rounds the rows and columns are kept at a time.
  TableBlock(const Graph<T>& graph, TileRange rows, TileRange columns, const SolveMonitor& monitor,
             std::size_t rounds = 1)
      : graph_(graph),
        range_of_rows_(rows),
        range_of_columns_(columns),
        monitor_(monitor),
        rounds_(rounds),
        lengths_(rows.size() * columns.size() * tile_size),
        rows_(rounds * columns.size() * tile_size),
        columns_(rounds * rows.size() * tile_size),
        successors_(wants_successors() ? rows.size() * columns.size() * tile_size : 0),
        column_successors_(wants_successors() ? rounds * rows.size() * tile_size : 0),
        search_(wants_successors() ? rows.size() : 0, wants_successors() ? columns.size() : 0,
                tiles_for(graph.vertices())) {}

  /// The bytes of such a part of a graph with n vertices.
  [[nodiscard]] static std::size_t bytes(std::size_t n, const TileRange& rows, const TileRange& columns,
                                         bool successors, std::size_t rounds = 1) {
    const std::size_t places = rows.size() * columns.size(), kept = rounds * (rows.size() + columns.size());
    const std::size_t indices = successors ? (places + rounds * rows.size()) * sizeof(TileIndex<T>) : 0;
    const std::size_t searched = successors ? SuccessorSearch<T>::bytes(rows.size(), columns.size(), tiles_for(n)) : 0;
    return tile_size * ((places + kept) * sizeof(T) + indices) + searched;
  }

  [[nodiscard]] const TileRange& rows() const { return range_of_rows_; }
  [[nodiscard]] const TileRange& columns() const { return range_of_columns_; }

  /// Fills row i of tiles as it is before the first turn.
  void pack(std::size_t i) {
    monitor_.check();
    each_line(i, [&](std::size_t place, std::size_t row, std::size_t column, std::size_t inside) {
      T* lengths = lengths_.data() + place;
      const T* edges = inside > 0 ? graph_.edges.row(row) + column : nullptr;
      for (std::size_t x = 0; x < inside; ++x) lengths[x] = first_length<Tag>(edges[x], false);
      if (row - column < inside) lengths[row - column] = first_length<Tag>(graph_.edges, row, row);
      std::fill(lengths + inside, lengths + tile_side, Tag::zero());
      if (!wants_successors()) return;
      TileIndex<T>* successors = successors_.data() + place;  // where there is no edge they are never read
      for (std::size_t x = 0; x < tile_side; ++x) successors[x] = complement(static_cast<TileIndex<T>>(column + x));
    });
  }

  /// Copies row i of tiles to the result. Finite lengths may have been added to an infinity of integers.
  void unpack(std::size_t i, AllPairs<T>& paths) const {
    monitor_.check();
    const minplus::Packing<T, T> packing(graph_.request.semiring);
    each_line(i, [&](std::size_t place, std::size_t row, std::size_t column, std::size_t inside) {
      if (inside == 0) return;
      T* lengths = &paths.lengths(row, column);
      for (std::size_t x = 0; x < inside; ++x) lengths[x] = packing.unpack(lengths_.data()[place + x]);
      if (!wants_successors()) return;
      std::uint32_t* successors = &paths.successors(row, column);
      for (std::size_t x = 0; x < inside; ++x) {
        const auto successor = static_cast<std::uint32_t>(complement(successors_.data()[place + x]));
        successors[x] = Tag::is_zero(lengths[x]) ? no_vertex : successor;
      }
    });
  }

  /// Applies the turns to a diagonal tile. Returns the first vertex found on a cycle that improves without end, or
  /// no_vertex.
  [[nodiscard]] std::uint32_t close(std::size_t pivot) {
    monitor_.check();
    const PivotTile<T> tile = pivot_tile(pivot, pivot, pivot);
    for (std::size_t first = 0; first < tile_side; first += strip) {
      pivots_.rows(tile, first, true);
      pivots_.columns(tile, first, true);
      finish_strip(tile, first);
    }
    keep_diagonal(pivot);
    for (std::size_t k = 0; k < tile_side; ++k) {
      if (!is_better<Tag>(tile.rows[k * tile_side + k], Tag::one())) continue;
      return static_cast<std::uint32_t>(pivot * tile_side + k);
    }
    return no_vertex;
  }

  /// The number of tiles in the pivot's rows or columns, without the diagonal one.
  [[nodiscard]] std::size_t panel_turns(std::size_t pivot) const { return tiles_across(pivot) + tiles_down(pivot); }

  /// Applies the turns to such a tile, after they were applied to the diagonal one.
  void advance(std::size_t pivot, std::size_t turn) {
    const bool in_rows = turn < tiles_across(pivot);
    const auto [i, j] = panel_tile(pivot, turn);
    const PivotTile<T> tile = pivot_tile(pivot, i, j);
    if (!wants_successors()) return advance_lengths(tile, in_rows, 0, tile_side);
    in_rows ? advance_rows(pivot, j, tile) : advance_columns(pivot, i, tile);
  }

  /// Keeps the diagonal tile's lines for the pivot's panels in this part.
  void keep_diagonal(std::size_t pivot) {
    if (!wants_successors()) return;
    if (range_of_columns_.contains(pivot)) keep_rows(pivot, pivot);
    if (range_of_rows_.contains(pivot)) keep_columns(pivot, pivot);
  }

  /// Keeps the lines that another part's turns found and that were written to this one, for later searches.
  void keep_received(std::size_t pivot) {
    if (!wants_successors()) return;
    if (!range_of_rows_.contains(pivot)) {
      for (std::size_t j = range_of_columns_.first; j < range_of_columns_.end; ++j) keep_rows(pivot, j);
    }
    if (!range_of_columns_.contains(pivot)) {
      for (std::size_t i = range_of_rows_.first; i < range_of_rows_.end; ++i) keep_columns(pivot, i);
    }
  }

  /// Applies the pivot's turns to a tile of the next pivot's rows and columns: to the diagonal one, or to that of a
  /// panel's turn.
  void multiply_diagonal(std::size_t pivot, std::size_t next) { multiply_tile(pivot, next, next); }
  void multiply_panel(std::size_t pivot, std::size_t next, std::size_t turn) {
    const auto [i, j] = panel_tile(next, turn);
    multiply_tile(pivot, i, j);
  }

  /// The number of stretches of rows of tiles.
  [[nodiscard]] std::size_t product_turns() const { return range_of_rows_.size() * stretches(); }

  /// Applies the turns to such a stretch outside the pivot's rows and columns, after they were applied to those. Leaves
  /// out the rows and columns of the pivot `next`, if there is one.
  void multiply(std::size_t pivot, std::size_t turn, std::size_t next = no_pivot) {
    const std::size_t i = range_of_rows_.first + turn / stretches();
    const std::size_t first = range_of_columns_.first + turn % stretches() * stretch_tiles;
    const std::size_t end = std::min(first + stretch_tiles, range_of_columns_.end);
    if (i == next) return;
    monitor_.check();
    for (std::size_t j = first; j < end; ++j) {
      if (j != next) multiply_tile(pivot, i, j, std::min(j + 1, end - 1));
    }
  }

  /// Whether the notes have to become successors before the next round replaces the lines of some of them.
  [[nodiscard]] bool is_search_due(std::size_t pivot) const {
    return wants_successors() && (search_.is_due(pivot) || pivot + 1 == tiles_for(graph_.vertices()));
  }
  /// The number of blocks of tiles that are searched in one go.
  [[nodiscard]] std::size_t search_turns() const {
    return blocks(range_of_rows_, searched_rows) * blocks(range_of_columns_, stretch_tiles);
  }
  /// Makes the notes of such a block successors. The lines of its rows stay in cache, those of a column serve all rows.
  void search(std::size_t turn) {
    monitor_.check();
    const std::size_t across = blocks(range_of_columns_, stretch_tiles);
    const std::size_t i = range_of_rows_.first + turn / across * searched_rows;
    const std::size_t j = range_of_columns_.first + turn % across * stretch_tiles;
    for (std::size_t column = j; column < std::min(j + stretch_tiles, range_of_columns_.end); ++column) {
      for (std::size_t row = i; row < std::min(i + searched_rows, range_of_rows_.end); ++row) search(row, column);
    }
  }

  /// Each of the pivot's rows as its turn found it in column j of tiles, one tile after another.
  [[nodiscard]] T* kept_rows(std::size_t pivot, std::size_t j) const {
    const std::size_t round = pivot % rounds_ * range_of_columns_.size();
    return rows_.data() + (round + j - range_of_columns_.first) * tile_size;
  }
  /// Each of its columns in row i of tiles, and its successors, or null if they are not requested.
  [[nodiscard]] T* kept_columns(std::size_t pivot, std::size_t i) const {
    return columns_.data() + column_offset(pivot, i);
  }
  [[nodiscard]] TileIndex<T>* kept_successors(std::size_t pivot, std::size_t i) const {
    return wants_successors() ? column_successors_.data() + column_offset(pivot, i) : nullptr;
  }

 private:
  static constexpr std::size_t no_pivot = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t stretch_tiles = 8;  ///< of a row that a thread multiplies in one go

  [[nodiscard]] bool wants_successors() const { return graph_.request.successors; }
  [[nodiscard]] static std::size_t blocks(const TileRange& tiles, std::size_t of) {
    return (tiles.size() + of - 1) / of;
  }
  [[nodiscard]] std::size_t stretches() const { return blocks(range_of_columns_, stretch_tiles); }
  [[nodiscard]] std::size_t tiles_across(std::size_t pivot) const {
    return range_of_rows_.contains(pivot) ? range_of_columns_.others(pivot) : 0;
  }
  [[nodiscard]] std::size_t tiles_down(std::size_t pivot) const {
    return range_of_columns_.contains(pivot) ? range_of_rows_.others(pivot) : 0;
  }

  /// The tile of a panel's turn.
  [[nodiscard]] std::pair<std::size_t, std::size_t> panel_tile(std::size_t pivot, std::size_t turn) const {
    const std::size_t across = tiles_across(pivot);
    if (turn < across) return {pivot, range_of_columns_.other(pivot, turn)};
    return {range_of_rows_.other(pivot, turn - across), pivot};
  }

  /// Applies the pivot's turns to a tile, unless it is in its rows or columns. Prefetches tile (i, next).
  void multiply_tile(std::size_t pivot, std::size_t i, std::size_t j, std::size_t next) {
    if (i != pivot && j != pivot) add_product(pivot, i, j, next);
    if (wants_successors() && j == pivot + 1) search(i, j);  // a panel of the next round
  }
  void add_product(std::size_t pivot, std::size_t i, std::size_t j, std::size_t next) {
    const T *a = kept_columns(pivot, i), *b = kept_rows(pivot, j);
    const T *next_c = lengths(i, next), *next_b = kept_rows(pivot, next);
    if (!wants_successors()) return products_.accumulate(lengths(i, j), a, b, tile_side, next_c, next_b);
    products_.accumulate_noting(lengths(i, j), successors(i, j), a, b, tile_side, search_.first_note(pivot), next_c,
                                next_b);
  }
  void multiply_tile(std::size_t pivot, std::size_t i, std::size_t j) { multiply_tile(pivot, i, j, j); }

  [[nodiscard]] std::size_t column_offset(std::size_t pivot, std::size_t i) const {
    return (pivot % rounds_ * range_of_rows_.size() + i - range_of_rows_.first) * tile_size;
  }
  [[nodiscard]] std::size_t offset(std::size_t i, std::size_t j) const {
    return ((i - range_of_rows_.first) * range_of_columns_.size() + (j - range_of_columns_.first)) * tile_size;
  }
  [[nodiscard]] T* lengths(std::size_t i, std::size_t j) const { return lengths_.data() + offset(i, j); }
  [[nodiscard]] TileIndex<T>* successors(std::size_t i, std::size_t j) const {
    return wants_successors() ? successors_.data() + offset(i, j) : nullptr;
  }

  /// Visits the lines of row `i` of tiles, also beyond the last vertex: visit(place in the tiles, row, first column,
  /// number of entries that belong to vertices).
  template <class Visit>
  void each_line(std::size_t i, const Visit& visit) const {
    const std::size_t n = graph_.vertices();
    for (std::size_t j = range_of_columns_.first; j < range_of_columns_.end; ++j) {
      const std::size_t columns = std::min(tile_side, n - j * tile_side);
      for (std::size_t r = 0; r < tile_side; ++r) {
        const std::size_t row = i * tile_side + r;
        visit(offset(i, j) + r * tile_side, row, j * tile_side, row < n ? columns : 0);
      }
    }
  }

  void keep_rows(std::size_t pivot, std::size_t j) {
    search_.keep_rows(pivot, j - range_of_columns_.first, kept_rows(pivot, j));
  }
  void keep_columns(std::size_t pivot, std::size_t i) {
    search_.keep_columns(pivot, i - range_of_rows_.first, kept_columns(pivot, i), kept_successors(pivot, i));
  }

  /// Makes the notes of a tile successors.
  void search(std::size_t i, std::size_t j) {
    const std::size_t row = i - range_of_rows_.first, column = j - range_of_columns_.first;
    products_.find_labels(lengths(i, j), successors(i, j), search_.columns(row), search_.transposed_rows(column),
                          search_.successors(row));
  }

  /// Tile (i, j) in the pivot's rows or columns.
  [[nodiscard]] PivotTile<T> pivot_tile(std::size_t pivot, std::size_t i, std::size_t j) const {
    return {lengths(i, j), successors(i, j), kept_rows(pivot, j), kept_columns(pivot, i), kept_successors(pivot, i)};
  }

  /// Applies the turns first .. end-1 to the lengths of a tile in the pivot's rows or columns.
  void advance_lengths(const PivotTile<T>& tile, bool in_rows, std::size_t first, std::size_t end) const {
    const PivotTile<T> lengths = {tile.lengths, nullptr, tile.rows, tile.columns, nullptr};
    for (; first < end; first += strip) {
      (in_rows ? pivots_.rows : pivots_.columns)(lengths, first, false);
      finish_strip(lengths, first);
    }
  }

  /// The lengths of a tile at some time.
  struct Snapshot {
    alignas(64) T values[tile_size];
    explicit Snapshot(const T* lengths) { std::copy_n(lengths, tile_size, values); }
  };

  /// Applies the turns to a tile in the pivot's rows and notes what they improved, as a product does.
  void advance_rows(std::size_t pivot, std::size_t j, const PivotTile<T>& tile) {
    auto note = search_.first_note(pivot);
    for (std::size_t first = 0; first < tile_side; first += noted_terms, note += noted_terms) {
      const Snapshot before(tile.lengths);
      advance_lengths(tile, true, first, first + noted_terms);
      pivots_.note(before.values, tile.lengths, tile.successors, note, 0, tile_side);
    }
    keep_rows(pivot, j);
  }

  /// Applies the turns to a tile in its columns. What turn k needs of column k are successors, so what improved the
  /// column before is searched for at once. What improves it later is noted.
  void advance_columns(std::size_t pivot, std::size_t i, const PivotTile<T>& tile) {
    constexpr std::size_t half = noted_terms;
    static_assert(2 * half == tile_side);
    const Snapshot before(tile.lengths);
    advance_lengths(tile, false, 0, half);
    const Snapshot middle(tile.lengths);
    advance_lengths(tile, false, half, tile_side);

    std::copy_n(tile.successors, tile_size, tile.column_successors);
    pivots_.note(before.values, tile.columns, tile.column_successors, 0, 0, half);
    pivots_.note(before.values, middle.values, tile.column_successors, 0, half, tile_side);
    pivots_.note(middle.values, tile.columns, tile.column_successors, half, half, tile_side);
    const auto first = search_.first_note(pivot);
    products_.find_labels(tile.columns, tile.column_successors, tile.columns,
                          search_.transposed_rows(pivot - range_of_columns_.first) + first, tile.column_successors);

    std::copy_n(tile.column_successors, tile_size, tile.successors);
    pivots_.note(tile.columns, middle.values, tile.successors, first, 0, half);
    pivots_.note(middle.values, tile.lengths, tile.successors, first + half, 0, half);
    pivots_.note(tile.columns, tile.lengths, tile.successors, first + half, half, tile_side);
    keep_columns(pivot, i);
  }

  /// Applies the strip's turns to the entries outside its rows and columns. For the others they change nothing.
  void finish_strip(const PivotTile<T>& tile, std::size_t first) const {
    const T *a = tile.columns + first, *b = tile.rows + first * tile_side;
    if (!tile.successors) return products_.accumulate(tile.lengths, a, b, strip, tile.lengths, tile.rows);
    products_.accumulate_labels(tile.lengths, tile.successors, a, b, strip, tile.column_successors + first);
  }

  const Graph<T>& graph_;
  TileRange range_of_rows_, range_of_columns_;
  const SolveMonitor& monitor_;
  std::size_t rounds_;
  TileStorage<T> lengths_;
  TileStorage<T> rows_;     ///< [round][tile column]: the pivot's rows, each as its turn found it
  TileStorage<T> columns_;  ///< [round][tile row]: its columns
  TileStorage<TileIndex<T>> successors_;
  TileStorage<TileIndex<T>> column_successors_;
  SuccessorSearch<T> search_;
  tiles::TileProducts<T> products_ = tiles::tile_products<Tag>();
  PivotOperations<T> pivots_ = pivot_operations<Tag>();
};

}  // namespace warpfold::paths
