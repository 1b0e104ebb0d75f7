#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "warpfold/interval/detail/tile_scales.hpp"
#include "warpfold/interval/grammar_model.hpp"

namespace warpfold::interval::detail {

/// The last rows of a tile that closes, of all tables, with the columns to their left, in the tile's unit: what
/// GrammarRow::inside reads.
/// Of a table that is not kept only its rims are there.
template <class G>
class NearRows {
 public:
  using T = GrammarValue<G>;
  static constexpr std::size_t side = tiles::tile_side, reach = row_reach_of<G>();

  /// Begins a tile with the rows below it, which are final.
  NearRows(const GrammarTables<G>& tables, const UnitOf<typename G::Semiring>& unit, std::size_t tile_i,
           std::size_t tile_j)
      : tables_(tables), unit_(unit) {
    rows_.fill(Stored<typename G::Semiring>::zero());
    if (tile_i == tile_j) return;
    const std::size_t first = (tile_i + 1) * side;
    for (std::size_t row = reach; row-- > 0;) {
      begin_row(first + row, tile_j * side);
      for (unsigned t = 0; t < table_count<G>; ++t) {
        if (is_kept<G>(t)) put(t, first + row, tables.table(t).tile(tile_i + 1, tile_j) + row * side);
        if (!is_kept<G>(t) && row == 0) put(t, first, tables.in_rim(not_kept_place<G>(t), first, tile_j * side));
        unit.read_row(std::span<T>(at(t, first + row), side), first + row, tile_j * side);
      }
    }
  }

  /// Begins the row i of all tables: what is to the left of the columns from j on, a multiple of the side.
  void begin_row(std::size_t i, std::size_t j) {
    if (i / side == j / side) return;
    for (unsigned t = 0; t < table_count<G>; ++t) {
      T* row = at(t, i);
      if (is_kept<G>(t)) {
        const T* left = tables_.table(t).tile(i / side, j / side - 1) + i % side * side;
        std::copy_n(left + side - reach, reach, row - reach);
        unit_.read_row(std::span<T>(row - reach, reach), i, j - reach);
      } else {
        row[-1] = *tables_.in_rim(not_kept_place<G>(t), i, j - 1);
      }
    }
  }
  /// Puts the values of the row i of a table.
  void put(unsigned table, std::size_t i, const T* values) { std::copy_n(values, side, at(table, i)); }

  /// The rows i .. i + reach of each table, for GrammarRow.
  [[nodiscard]] std::array<const T*, table_count<G>*(reach + 1)> from(std::size_t i) {
    std::array<const T*, table_count<G>*(reach + 1)> rows;
    for (unsigned t = 0; t < table_count<G>; ++t) {
      for (std::size_t a = 0; a <= reach; ++a) rows[t * (reach + 1) + a] = at(t, i + a);
    }
    return rows;
  }

 private:
  static constexpr std::size_t pad = 16, stride = pad + side;

  /// Of as many rows as needed, each takes the place of the one that is no longer needed.
  [[nodiscard]] T* at(unsigned table, std::size_t i) {
    return rows_.data() + (table * (reach + 1) + i % (reach + 1)) * stride + pad;
  }

  const GrammarTables<G>& tables_;
  const UnitOf<typename G::Semiring>& unit_;
  alignas(64) std::array<T, table_count<G>*(reach + 1) * stride> rows_;
};

}  // namespace warpfold::interval::detail
