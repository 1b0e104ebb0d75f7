#pragma once

#include <algorithm>
#include <cstddef>

#include "paths/dense/pivot.hpp"
#include "paths/tuning.hpp"
#include "warpfold/core/tile_storage.hpp"

/// Successors without a comparison for every term. A product only notes, for each length, the last `noted_terms` turns
/// that improved it. The search finds the first of these turns that gives the length, and takes the successor that the
/// pivot's column had there. It needs the rows and columns of all rounds since the last search of the same tile.
///
/// So a table entry is either a note, 0 or more, or a successor. A successor is stored as its complement, below 0.
namespace warpfold::paths {

inline constexpr std::size_t tile_size = tile_side * tile_side;

/// Stores a successor, and reads it again.
template <class I>
[[nodiscard]] constexpr I complement(I successor) {
  return static_cast<I>(~successor);
}

/// The lines of the last rounds for some rows and columns of tiles, which are numbered from 0 here.
template <class T>
class SuccessorSearch {
 public:
  /// `rounds`: those of the whole table.
  SuccessorSearch(std::size_t tile_rows, std::size_t tile_columns, std::size_t rounds)
      : kept_rounds_(kept_of(rounds)),
        columns_(tile_rows * strip_size()),
        successors_(tile_rows * strip_size()),
        transposed_rows_(tile_columns * strip_size()) {}

  [[nodiscard]] static std::size_t bytes(std::size_t tile_rows, std::size_t tile_columns, std::size_t rounds) {
    return kept_of(rounds) * tile_size * (tile_rows * (sizeof(T) + sizeof(TileIndex<T>)) + tile_columns * sizeof(T));
  }

  /// Whether every tile has to be searched after this round, because the next ones replace the lines of its notes.
  [[nodiscard]] static bool is_due(std::size_t pivot) { return (pivot + 1) % searched_rounds<T> == 0; }

  /// The note of a round's first terms.
  [[nodiscard]] TileIndex<T> first_note(std::size_t pivot) const {
    return static_cast<TileIndex<T>>(place(pivot) * tile_size);
  }

  /// Keeps the pivot's rows in column j of tiles, each as its turn found it.
  void keep_rows(std::size_t pivot, std::size_t j, const T* rows) {
    tiles::transpose_tile(rows, transposed_rows_.data() + offset(pivot, j));
  }
  /// Keeps the pivot's columns in row i of tiles, and their successors.
  void keep_columns(std::size_t pivot, std::size_t i, const T* columns, const TileIndex<T>* successors) {
    std::copy_n(columns, tile_size, columns_.data() + offset(pivot, i));
    std::copy_n(successors, tile_size, successors_.data() + offset(pivot, i));
  }

  /// The strips of the rows and columns of a tile: what a search reads.
  [[nodiscard]] const T* columns(std::size_t i) const { return columns_.data() + i * strip_size(); }
  [[nodiscard]] const TileIndex<T>* successors(std::size_t i) const { return successors_.data() + i * strip_size(); }
  [[nodiscard]] const T* transposed_rows(std::size_t j) const { return transposed_rows_.data() + j * strip_size(); }

 private:
  /// One more than are searched at a time: while the last of these is multiplied, the next round's lines come.
  [[nodiscard]] static std::size_t kept_of(std::size_t rounds) { return std::min(rounds, searched_rounds<T> + 1); }

  [[nodiscard]] std::size_t strip_size() const { return kept_rounds_ * tile_size; }
  [[nodiscard]] std::size_t place(std::size_t pivot) const { return pivot % kept_rounds_; }
  [[nodiscard]] std::size_t offset(std::size_t pivot, std::size_t tile) const {
    return tile * strip_size() + place(pivot) * tile_size;
  }

  std::size_t kept_rounds_;
  TileStorage<T> columns_;
  TileStorage<TileIndex<T>> successors_;
  TileStorage<T> transposed_rows_;
};

}  // namespace warpfold::paths
