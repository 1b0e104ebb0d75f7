#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "warpfold/interval/detail/grammar_terms.hpp"
#include "warpfold/interval/detail/tiled_solver.hpp"
#include "warpfold/run/run.hpp"
#include "warpfold/tiles/tile_scheduler.hpp"

namespace warpfold::interval::detail {

/// Adds the products of `rows` rows of a and `depth` rows of b to c. Rows are a tile side apart. For semirings without
/// vector code.
template <class S, class T = typename S::Value>
void multiply_entries(T* c, const T* a, const T* b, std::size_t rows, std::size_t columns, std::size_t depth) {
  constexpr std::size_t side = tiles::tile_side;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t k = 0; k < depth; ++k) {
      const T left = a[row * side + k];
      for (std::size_t column = 0; column < columns; ++column) {
        T& target = c[row * side + column];
        target = S::plus(target, Stored<S>::times(left, b[k * side + column]));
      }
    }
  }
}

/// sums[j] = plus over b < count of times(weights[b], source[j - b]), for `columns` columns. For semirings without
/// vector code.
template <class S, class T = typename S::Value>
void convolve_entries(T* sums, const T* source, const T* weights, std::size_t count, std::size_t columns) {
  for (std::size_t j = 0; j < columns; ++j) {
    for (std::size_t b = 0; b < count; ++b) {
      sums[j] = S::plus(sums[j], Stored<S>::times(weights[b], *(source + j - b)));
    }
  }
}

/// The weights of one stencil as they are stored: row a has those of loop(a, 0) .. loop(a, deep - a).
template <class G>
class StencilWeights {
 public:
  using S = typename G::Semiring;
  using T = GrammarValue<G>;

  StencilWeights(const G& grammar, std::size_t s) : deep_(stencils_of<G>()[s].deep) {
    weights_.reserve((deep_ + 1) * (deep_ + 2) / 2);
    for (std::size_t a = 0; a <= deep_; ++a) {
      first_.push_back(weights_.size());
      for (std::size_t b = 0; a + b <= deep_; ++b) {
        const T weight = loop_of(grammar, s, a, b);
        if (!Stored<S>::accepts(weight)) reject_value<S>("loop" + interval_text(a, b), weight);
        weights_.push_back(Stored<S>::of(weight));
      }
    }
  }

  [[nodiscard]] std::size_t deep() const { return deep_; }
  [[nodiscard]] const T* row(std::size_t a) const { return weights_.data() + first_[a]; }
  [[nodiscard]] std::size_t count(std::size_t a) const { return deep_ + 1 - a; }

 private:
  std::size_t deep_;
  std::vector<T> weights_;
  std::vector<std::size_t> first_;
};

/// The part of a table that a stencil reads for one tile: its rows and deep + 1 below it, its columns and deep + 1 to
/// the left.
template <class S>
class StencilWindow {
 public:
  using T = typename S::Value;
  static constexpr std::size_t side = tiles::tile_side;

  StencilWindow(const IntervalTable<T>& table, const UnitOf<S>& unit, std::size_t tile_i, std::size_t tile_j,
                std::size_t deep)
      : around_(deep + 1), stride_(side + around_), values_(stride_ * stride_, Stored<S>::zero()) {
    if (tile_i == tile_j) return;  // the tiles around it are below the diagonal
    copy(table, unit, tile_i, tile_j - 1, 0, 0);
    copy(table, unit, tile_i + 1, tile_j, side, around_);
    if (tile_i + 1 < tile_j) copy(table, unit, tile_i + 1, tile_j - 1, side, 0);
  }

  /// The entry of the tile's row and column.
  [[nodiscard]] T& at(std::size_t row, std::size_t column) { return values_[row * stride_ + around_ + column]; }
  /// The entries of a row that end to the left of a column.
  [[nodiscard]] const T* before(std::size_t row, std::size_t column) { return &at(row, column) - 1; }

 private:
  /// Copies the part of a neighboring tile that the window shows, to this row and column of the window.
  void copy(const IntervalTable<T>& table, const UnitOf<S>& unit, std::size_t tile_i, std::size_t tile_j,
            std::size_t row, std::size_t column) {
    const std::size_t rows = row == 0 ? side : around_, columns = column == 0 ? around_ : side;
    const T* tile = table.tile(tile_i, tile_j);
    for (std::size_t r = 0; r < rows; ++r) {
      std::transform(tile + r * side + (side - columns), tile + (r + 1) * side,
                     values_.data() + (row + r) * stride_ + column,
                     [&](const T& stored) { return unit.read(stored, tile_i * side, tile_j * side); });
    }
  }

  std::size_t around_, stride_;
  std::vector<T> values_;
};

/// Fills the tables of a grammar on the CPU, tile by tile. All tables of a tile belong to one thread.
template <class G>
class GrammarSolver final : public tiles::TileKernel {
 public:
  using S = typename G::Semiring;
  using T = GrammarValue<G>;
  using Values = Stored<S>;
  static constexpr std::size_t side = tiles::tile_side, block = tiles::block_side, blocks = side / block;
  static constexpr auto products = products_of<G>();
  static constexpr auto stencils = stencils_of<G>();

  GrammarSolver(const G& grammar, std::size_t points, Pages pages = Pages::huge)
      : grammar_(grammar), tables_(points, pages), sums_(tiles::tiles_in_table(IntervalTable<T>::tiles(points))) {
    if constexpr (in_vectors) operations_ = tiles::tile_operations<S>();
    if constexpr (is_scaled<S>) {
      operations_ = tiles::sum_operations();
      const std::size_t all = tables_.exponents().size();
      units_.resize(all);
      extents_.resize(all);
    }
    for (std::size_t s = 0; s < stencils.size(); ++s) weights_.emplace_back(grammar, s);
  }

  /// The operations on one tile, as `fill` counts them.
  static double operations_of_tile() {
    return static_cast<double>(side * side * side * std::max<std::size_t>(1, products.size()));
  }
  static double operations(std::size_t points) {
    return tiles::TileScheduler::count(IntervalTable<T>::tiles(points)) * operations_of_tile();
  }
  /// The bytes of the products' sums, which exist while a group of tiles is filled, and of what scales them.
  static std::size_t sums_bytes(std::size_t points, int threads) {
    const std::size_t group = tiles::TileScheduler::fastest_group(IntervalTable<T>::tiles(points));
    const std::size_t of_tile = sizeof(TileExtents) + sizeof(SumUnits);
    const std::size_t scales = is_scaled<S> ? tiles::tiles_in_table(IntervalTable<T>::tiles(points)) * of_tile : 0;
    return scales + static_cast<std::size_t>(threads) * group * group * products.size() * side * side * sizeof(T);
  }

  /// Fills the tables and returns the number of threads that ran.
  int fill(int threads, SolveMonitor& monitor) {
    monitor_ = &monitor;
    return tiles::TileScheduler(IntervalTable<T>::tiles(tables_.points()), operations_of_tile())
        .run(threads, monitor, *this);
  }
  [[nodiscard]] GrammarTables<G> take_tables() { return std::move(tables_); }

  void clear(std::size_t tile_i, std::size_t tile_j) override;
  void accumulate(const tiles::TileProduct& product, const tiles::TileProduct& next) override;
  void close(std::size_t tile_i, std::size_t tile_j) override;

 private:
  static constexpr bool in_vectors = tiles::has_tile_operations<S>;
  using Operations = std::conditional_t<is_scaled<S>, tiles::SumOperations, tiles::TileOperations<T>>;
  using Row = std::array<T, block>;
  using TileExtents = std::array<Extent, table_count<G>>;
  using SumUnits = std::array<SumUnit, products.size()>;

  /// What closing one tile needs.
  struct Tile {
    std::size_t i, j;
    const UnitOf<S>& unit;
    T* sums;  ///< one tile for each product
    std::vector<StencilWindow<S>> windows;
    std::vector<T> stencil_sums;  ///< for each stencil the rows of a block row, a tile side wide
    CallerCalls calls;
  };

  void accumulate_scaled(std::size_t p, const tiles::TileProduct& product, const tiles::TileProduct& next);
  [[nodiscard]] UnitOf<S> closing_unit(std::size_t tile_i, std::size_t tile_j);
  void normalize(std::size_t tile_i, std::size_t tile_j, const UnitOf<S>& unit);
  void close_in(const UnitOf<S>& unit, std::size_t tile_i, std::size_t tile_j);
  void multiply(T* c, const T* a, const T* b, std::size_t depth);
  void convolve(T* sums, const T* source, const T* weights, std::size_t count, std::size_t columns) const;
  void add_stencils_below(Tile& tile, std::size_t block_row);
  void add_products(const Tile& tile, std::size_t block_i, std::size_t block_j);
  void close_block(Tile& tile, std::size_t block_i, std::size_t block_j);
  void close_row(Tile& tile, std::size_t block_i, std::size_t block_j, std::size_t row);
  void close_interval(Tile& tile, std::size_t i, std::size_t j, const T* of_products, const T* of_stencils);

  [[nodiscard]] T* tile_of(unsigned table, std::size_t i, std::size_t j) const {
    return tables_.table(table).tile(i, j);
  }
  /// The block's first entry. Its rows are a tile side apart.
  [[nodiscard]] T* block_of(unsigned table, std::size_t block_i, std::size_t block_j) const {
    return tile_of(table, block_i / blocks, block_j / blocks) + block_i % blocks * block * side +
           block_j % blocks * block;
  }
  [[nodiscard]] T* sums_of(std::size_t tile_i, std::size_t tile_j) const {
    return sums_[tiles::tile_number(tile_i, tile_j)]->data();
  }
  /// best = plus(best, times(left, right[column])) from column `first` on.
  static void add_row(Row& best, const T& left, const T* right, std::size_t first) {
    for (std::size_t column = first; column < block; ++column) {
      best[column] = S::plus(best[column], Values::times(left, right[column]));
    }
  }

  const G& grammar_;
  GrammarTables<G> tables_;
  std::vector<std::optional<TileStorage<T>>> sums_;  ///< of the tiles that are being filled, one tile for each product
  std::vector<StencilWeights<G>> weights_;
  std::vector<SumUnits> units_;       ///< of the sums of each tile, if they are scaled
  std::vector<TileExtents> extents_;  ///< of the tables of each tile, if they are scaled
  Operations operations_{};
  const SolveMonitor* monitor_ = nullptr;
};

template <class G>
void GrammarSolver<G>::clear(std::size_t tile_i, std::size_t tile_j) {
  for (unsigned t = 0; t < table_count<G>; ++t) std::fill_n(tile_of(t, tile_i, tile_j), side * side, Values::zero());
  constexpr std::size_t size = products.size() * side * side;
  sums_[tiles::tile_number(tile_i, tile_j)].emplace(size);
  std::fill_n(sums_of(tile_i, tile_j), size, Values::zero());
}

/// Adds a product in the unit of the sums, which becomes that of the largest product.
template <class G>
void GrammarSolver<G>::accumulate_scaled(std::size_t p, const tiles::TileProduct& product,
                                         const tiles::TileProduct& next) {
  const auto [i, k, j] = product;
  const auto [left, right] = products[p];
  const std::size_t a = tiles::tile_number(i, k), b = tiles::tile_number(k, j);
  if (extents_[a][left].is_zero() || extents_[b][right].is_zero()) return;
  T* c = sums_of(i, j) + p * side * side;
  SumUnit& unit = units_[tiles::tile_number(i, j)][p];
  const std::int64_t exponent = std::int64_t{tables_.exponents()[a]} + tables_.exponents()[b];
  if (unit.is_set && exponent > unit.exponent) {
    rescale(c, side * side, unit.exponent - exponent);
    unit.has_traces = true;
  }
  if (!unit.is_set || exponent > unit.exponent) unit.exponent = exponent;
  unit.is_set = true;
  unit.has_traces |=
      add_scaled(operations_, c, tile_of(left, i, k), tile_of(right, k, j), exponent - unit.exponent, extents_[a][left],
                 extents_[b][right], tile_of(left, next.i, next.k), tile_of(right, next.k, next.j));
}

/// The unit of the largest value that a tile is made from, in which its sums are from now on.
template <class G>
UnitOf<typename G::Semiring> GrammarSolver<G>::closing_unit([[maybe_unused]] std::size_t tile_i,
                                                            [[maybe_unused]] std::size_t tile_j) {
  if constexpr (is_scaled<S>) {
    if (tile_i == tile_j) return {tables_.exponents(), tile_i, tile_j, 0};
    bool is_set = false;
    std::int64_t largest = 0;
    const auto see = [&](std::int64_t exponent, const Extent& extent) {
      if (extent.is_zero()) return;
      largest = is_set ? std::max(largest, exponent + extent.top) : exponent + extent.top;
      is_set = true;
    };
    const auto see_tile = [&](std::size_t i, std::size_t j) {
      if (i > j) return;
      const std::size_t tile = tiles::tile_number(i, j);
      for (const Extent& extent : extents_[tile]) see(tables_.exponents()[tile], extent);
    };
    see_tile(tile_i, tile_j - 1);
    see_tile(tile_i + 1, tile_j);
    see_tile(tile_i + 1, tile_j - 1);
    SumUnits& units = units_[tiles::tile_number(tile_i, tile_j)];
    const auto sums = [&](std::size_t p) { return sums_of(tile_i, tile_j) + p * side * side; };
    for (std::size_t p = 0; p < products.size(); ++p) see(units[p].exponent, extent_of(sums(p), side * side));
    for (std::size_t p = 0; p < products.size(); ++p) {
      const std::int64_t change = units[p].exponent - largest;
      if (units[p].has_traces && change > 300) reject_span("tile " + interval_text(tile_i, tile_j));
      if (units[p].is_set) rescale(sums(p), side * side, change);
    }
    return {tables_.exponents(), tile_i, tile_j, largest};
  } else {
    return {};
  }
}

/// Gives a tile that is not on the diagonal its exponent. Raises Error{overflow} if its values span too much.
template <class G>
void GrammarSolver<G>::normalize([[maybe_unused]] std::size_t tile_i, [[maybe_unused]] std::size_t tile_j,
                                 [[maybe_unused]] const UnitOf<S>& unit) {
  if constexpr (is_scaled<S>) {
    TileExtents& extents = extents_[tiles::tile_number(tile_i, tile_j)];
    Extent all;
    for (unsigned t = 0; t < table_count<G>; ++t) {
      extents[t] = extent_of(tile_of(t, tile_i, tile_j), side * side);
      if (extents[t].is_zero()) continue;
      all.bottom = all.is_zero() ? extents[t].bottom : std::min(all.bottom, extents[t].bottom);
      all.top = std::max(all.top, extents[t].top);
    }
    if (tile_i == tile_j || all.is_zero()) return;
    // The least multiple of the step that takes the largest value below 2^500.
    const int over = all.top + 1 - value_bits;
    const int shift = (over > 0 ? over + exponent_step - 1 : over) / exponent_step * exponent_step;
    if (all.bottom - shift < -value_bits) reject_span("tile " + interval_text(tile_i, tile_j));
    for (unsigned t = 0; t < table_count<G>; ++t) {
      if (extents[t].is_zero()) continue;
      copy_scaled(tile_of(t, tile_i, tile_j), tile_of(t, tile_i, tile_j), side * side, -shift);
      extents[t].top -= shift;
      extents[t].bottom -= shift;
    }
    tables_.exponents()[tiles::tile_number(tile_i, tile_j)] = static_cast<std::int32_t>(unit.exponent() + shift);
  }
}

template <class G>
void GrammarSolver<G>::accumulate(const tiles::TileProduct& product, const tiles::TileProduct& next) {
  const auto [i, k, j] = product;
  for (std::size_t p = 0; p < products.size(); ++p) {
    if constexpr (is_scaled<S>) {
      accumulate_scaled(p, product, next);
      continue;
    }
    T* c = sums_of(i, j) + p * side * side;
    const T* a = tile_of(products[p].left, i, k);
    const T* b = tile_of(products[p].right, k, j);
    if constexpr (in_vectors) {
      operations_.product(c, a, b, {}, tile_of(products[p].left, next.i, next.k),
                          tile_of(products[p].right, next.k, next.j));
    } else {
      multiply_entries<S>(c, a, b, side, side, side);
    }
  }
}

template <class G>
void GrammarSolver<G>::close(std::size_t tile_i, std::size_t tile_j) {
  const UnitOf<S> unit = closing_unit(tile_i, tile_j);
  close_in(unit, tile_i, tile_j);
  normalize(tile_i, tile_j, unit);
}

/// Block rows go from the bottom, block columns from the left: a block needs those below it and left of it.
template <class G>
void GrammarSolver<G>::close_in(const UnitOf<S>& unit, std::size_t tile_i, std::size_t tile_j) {
  Tile tile{tile_i,
            tile_j,
            unit,
            sums_of(tile_i, tile_j),
            {},
            std::vector<T>(stencils.size() * block * side),
            CallerCalls(monitor_)};
  for (const Stencil& stencil : stencils) {
    tile.windows.emplace_back(tables_.table(stencil.of), unit, tile_i, tile_j, stencil.deep);
  }
  const std::size_t end_block = (tables_.points() + block - 1) / block;
  for (std::size_t bi = std::min((tile_i + 1) * blocks, end_block); bi-- > tile_i * blocks;) {
    add_stencils_below(tile, bi);
    for (std::size_t bj = std::max(bi, tile_j * blocks); bj < std::min((tile_j + 1) * blocks, end_block); ++bj) {
      add_products(tile, bi, bj);
      close_block(tile, bi, bj);
    }
  }
  sums_[tiles::tile_number(tile_i, tile_j)].reset();
}

/// c = plus(c, a (x) b) for one block of c: `depth` entries of a block row of a and of a block column of b.
template <class G>
void GrammarSolver<G>::multiply(T* c, const T* a, const T* b, std::size_t depth) {
  if constexpr (is_scaled<S>) {
    operations_.block_product(c, a, b, depth);
  } else if constexpr (in_vectors) {
    operations_.block_product(c, a, b, depth, {});
  } else {
    multiply_entries<S>(c, a, b, block, block, depth);
  }
}

template <class G>
void GrammarSolver<G>::convolve(T* sums, const T* source, const T* weights, std::size_t count,
                                std::size_t columns) const {
  if constexpr (in_vectors || is_scaled<S>) {
    operations_.convolve(sums, source, weights, count, columns);
  } else {
    convolve_entries<S>(sums, source, weights, count, columns);
  }
}

/// Begins the stencils' sums of a block row with what they read in rows below it, for the whole width of the tile.
template <class G>
void GrammarSolver<G>::add_stencils_below(Tile& tile, std::size_t block_row) {
  std::fill(tile.stencil_sums.begin(), tile.stencil_sums.end(), Values::zero());
  const std::size_t first_row = block_row % blocks * block;
  for (std::size_t s = 0; s < stencils.size(); ++s) {
    for (std::size_t row = 0; row < block; ++row) {
      T* sums = tile.stencil_sums.data() + (s * block + row) * side;
      for (std::size_t a = block - 1 - row; a <= stencils[s].deep; ++a) {
        const T* source = tile.windows[s].before(first_row + row + 1 + a, 0);
        convolve(sums, source, weights_[s].row(a), weights_[s].count(a), side);
      }
    }
  }
}

/// Adds the products of the blocks between block row and block column that lie in the tile's own rows and columns.
template <class G>
void GrammarSolver<G>::add_products(const Tile& tile, std::size_t block_i, std::size_t block_j) {
  for (std::size_t p = 0; p < products.size(); ++p) {
    const Product& product = products[p];
    T* c = tile.sums + p * side * side + block_i % blocks * block * side + block_j % blocks * block;
    const auto add = [&](std::size_t first, std::size_t last) {
      if (first >= last) return;
      multiply(c, block_of(product.left, block_i, first), block_of(product.right, first, block_j),
               (last - first) * block);
    };
    if (tile.i == tile.j) {
      add(block_i + 1, block_j);
    } else {
      add(block_i + 1, (tile.i + 1) * blocks);
      add(tile.j * blocks, block_j);
    }
  }
}

template <class G>
void GrammarSolver<G>::close_block(Tile& tile, std::size_t block_i, std::size_t block_j) {
  for (std::size_t row = std::min(block, tables_.points() - block_i * block); row-- > 0;) {
    close_row(tile, block_i, block_j, row);
  }
}

/// Finishes one row of a block: the splits at the points of its own rows and columns, the stencils' parts in the rows
/// of the block row, and the intervals.
template <class G>
void GrammarSolver<G>::close_row(Tile& tile, std::size_t block_i, std::size_t block_j, std::size_t row) {
  const bool diagonal = block_i == block_j;
  const std::size_t i = block_i * block + row, j = block_j * block;
  const std::size_t tile_row = i % side, tile_column = j % side;
  std::array<Row, products.size()> best;
  for (std::size_t p = 0; p < products.size(); ++p) {
    std::copy_n(tile.sums + (p * side + tile_row) * side + tile_column, block, best[p].begin());
    const T* left = block_of(products[p].left, block_i, block_i) + row * side;
    const T* right = block_of(products[p].right, block_i, block_j);
    for (std::size_t k = row + 1; !diagonal && k < block; ++k) add_row(best[p], left[k], right + k * side, 0);
  }
  std::array<Row, stencils.size()> around;
  for (std::size_t s = 0; s < stencils.size(); ++s) {
    std::copy_n(tile.stencil_sums.data() + (s * block + row) * side + tile_column, block, around[s].begin());
    for (std::size_t a = 0; a <= stencils[s].deep && row + 1 + a < block; ++a) {
      const T* source = tile.windows[s].before(tile_row + 1 + a, tile_column);
      convolve(around[s].data(), source, weights_[s].row(a), weights_[s].count(a), block);
    }
  }
  for (std::size_t column = diagonal ? row + 1 : 0; column < std::min(block, tables_.points() - j); ++column) {
    std::array<T, products.size()> of_products;
    std::array<T, stencils.size()> of_stencils;
    for (std::size_t p = 0; p < products.size(); ++p) of_products[p] = best[p][column];
    for (std::size_t s = 0; s < stencils.size(); ++s) of_stencils[s] = around[s][column];
    close_interval(tile, i, j + column, of_products.data(), of_stencils.data());
    for (std::size_t p = 0; p < products.size(); ++p) {
      const T* right = block_of(products[p].right, block_j, block_j) + column * side;
      add_row(best[p], *entry_of(tables_.table(products[p].left), i, j + column), right, column + 1);
    }
  }
}

template <class G>
void GrammarSolver<G>::close_interval(Tile& tile, std::size_t i, std::size_t j, const T* of_products,
                                      const T* of_stencils) {
  IntervalTerms<G> terms(tables_, tile.unit, i, j, of_products, of_stencils);
  grammar_.terms(i, j, terms);
  for (unsigned t = 0; t < table_count<G>; ++t) *entry_of(tables_.table(t), i, j) = terms.final_value(t);
  for (std::size_t s = 0; s < stencils.size(); ++s) {
    tile.windows[s].at(i % side, j % side) = *entry_of(tables_.table(stencils[s].of), i, j);
  }
  tile.calls.made(1);
}

}  // namespace warpfold::interval::detail
