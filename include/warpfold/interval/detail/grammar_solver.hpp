#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "warpfold/interval/detail/grammar_terms.hpp"
#include "warpfold/interval/detail/near_rows.hpp"
#include "warpfold/interval/detail/stencils.hpp"
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

/// Fills the tables of a grammar on the CPU, tile by tile. All tables of a tile belong to one thread.
template <class G>
class GrammarSolver final : public tiles::TileKernel {
 public:
  using S = typename G::Semiring;
  using T = GrammarValue<G>;
  using Values = Stored<S>;
  static constexpr std::size_t side = tiles::tile_side, block = tiles::block_side;
  static constexpr auto products = products_of<G>();
  static constexpr auto stencils = stencils_of<G>();
  static constexpr unsigned sparse = sparse_of<G>();
  static constexpr std::size_t not_kept = not_kept_of<G>().size(), sums_of_tile = products.size() + not_kept;

  /// `lost`: of sums (ScaledSum).
  GrammarSolver(const G& grammar, std::size_t points, Pages pages = Pages::huge, LostValues lost = LostValues::rejected)
      : grammar_(grammar),
        tables_(points, pages),
        sums_(tiles::tiles_in_table(IntervalTable<T>::tiles(points))),
        lost_(lost) {
    if constexpr (in_vectors) operations_ = tiles::tile_operations<S>();
    if constexpr (is_scaled<S>) {
      operations_ = tiles::sum_operations();
      const std::size_t all = tables_.exponents().size();
      units_.resize(all);
      extents_.resize(all);
    }
    for (std::size_t s = 0; s != stencils.size(); ++s) {
      weights_.emplace_back(grammar, s, static_cast<std::ptrdiff_t>(stencil_stride<G>(s)));
    }
  }

  /// The operations on one tile, as `fill` counts them.
  static double operations_of_tile() {
    return static_cast<double>(side * side * side * std::max<std::size_t>(1, products.size()));
  }
  static double operations(std::size_t points) {
    return tiles::TileScheduler::count(IntervalTable<T>::tiles(points)) * operations_of_tile();
  }
  /// The bytes of the products' sums and of the tables that are not kept, which exist while a group of tiles is filled,
  /// and of what scales them.
  static std::size_t sums_bytes(std::size_t points, int threads) {
    const std::size_t group = tiles::TileScheduler::fastest_group(IntervalTable<T>::tiles(points));
    const std::size_t of_tile = sizeof(TileExtents) + sizeof(SumUnits);
    const std::size_t scales = is_scaled<S> ? tiles::tiles_in_table(IntervalTable<T>::tiles(points)) * of_tile : 0;
    return scales + static_cast<std::size_t>(threads) * group * group * sums_of_tile * side * side * sizeof(T);
  }

  /// Fills the tables, except for what comes from `exchange`, and returns the number of threads that ran.
  int fill(int threads, SolveMonitor& monitor, TableExchange* exchange = nullptr) {
    monitor_ = &monitor;
    return tiles::TileScheduler(IntervalTable<T>::tiles(tables_.points()), operations_of_tile())
        .run(threads, monitor, *this, exchange);
  }
  /// What a checkpointer saves: the tables, and what scales them.
  [[nodiscard]] std::vector<SuperTiles> super_tiles() {
    const std::size_t along = IntervalTable<T>::tiles(tables_.points());
    const std::size_t group = tiles::TileScheduler::fastest_group(along);
    std::vector<SuperTiles> places = tables_.super_tiles(group);
    const auto add = [&](auto& of_tiles) {
      static_assert(std::is_trivially_copyable_v<std::remove_cvref_t<decltype(of_tiles[0])>>);
      places.push_back({reinterpret_cast<std::byte*>(of_tiles.data()), sizeof of_tiles[0], along, group});
    };
    if constexpr (is_scaled<S>) {
      add(tables_.exponents());
      add(extents_);
    }
    return places;
  }
  [[nodiscard]] GrammarTables<G> take_tables() { return std::move(tables_); }

  void clear(std::size_t tile_i, std::size_t tile_j) override;
  void accumulate(const tiles::TileProduct& product, const tiles::TileProduct& next) override;
  void close(std::size_t tile_i, std::size_t tile_j) override;

 private:
  static constexpr bool in_vectors = tiles::has_tile_operations<S>;
  static constexpr bool may_be_recurrence = in_vectors && table_count<G> == 1 && products.size() == 1 &&
                                            stencils.empty() && sparse == 0 && not_kept == 0 && !closes_rows<G>;
  using Operations = std::conditional_t<is_scaled<S>, tiles::SumOperations, tiles::TileOperations<T>>;
  using Row = TileRow<T>;
  using TileExtents = std::array<Extent, table_count<G>>;
  using SumUnits = std::array<SumUnit, products.size()>;

  using Windows = StencilWindows<G>;
  struct NoRows {
    NoRows(const GrammarTables<G>&, const UnitOf<S>&, std::size_t, std::size_t) {}
  };
  using Near = std::conditional_t<closes_rows<G>, NearRows<G>, NoRows>;

  /// What closing one tile needs.
  struct Tile {
    std::size_t i, j;
    const UnitOf<S>& unit;
    T* sums;                                ///< one tile for each product
    std::array<T*, table_count<G>> tables;  ///< the tile of each table
    Windows& windows;
    CallerCalls calls;
    Near near;
  };

  void accumulate_scaled(std::size_t p, const tiles::TileProduct& product, const tiles::TileProduct& next);
  void close_scaled(std::size_t tile_i, std::size_t tile_j);
  [[nodiscard]] bool try_to_close(std::size_t tile_i, std::size_t tile_j, UnitSearch& search);
  [[nodiscard]] UnitSearch units_for(std::size_t tile_i, std::size_t tile_j) const;
  void normalize(std::size_t tile_i, std::size_t tile_j, const UnitOf<S>& unit);
  void close_in(const UnitOf<S>& unit, std::size_t tile_i, std::size_t tile_j);
  bool close_as_recurrence(std::size_t tile_i, std::size_t tile_j);
  bool read_weights(std::size_t tile_i, std::size_t tile_j, T* c, T* weight);
  void add_row_product(T* c, const T* a, const T* b, std::size_t depth, std::size_t columns) const;
  [[nodiscard]] std::unique_ptr<Windows> take_windows();
  void close_row(Tile& tile, std::size_t row);
  bool close_by_grammar(Tile& tile, std::size_t row, const std::array<T*, products.size()>& sums,
                        const std::array<Row, stencils.size()>& around);
  void close_intervals(Tile& tile, std::size_t row, const std::array<T*, products.size()>& sums,
                       const std::array<Row, stencils.size()>& around);
  void close_sparse(Tile& tile, std::size_t row, const std::array<Row, stencils.size()>& around);
  void close_sparse_interval(Tile& tile, std::size_t i, std::size_t j, const T* of_stencils);
  void close_interval(Tile& tile, std::size_t i, std::size_t j, const T* of_products, const T* of_stencils);

  [[nodiscard]] T* tile_of(unsigned table, std::size_t i, std::size_t j) const {
    if (!is_kept<G>(table)) return sums_of(i, j) + (products.size() + not_kept_place<G>(table)) * side * side;
    return tables_.table(table).tile(i, j);
  }
  [[nodiscard]] static T one_in([[maybe_unused]] const UnitOf<S>& unit) {
    if constexpr (is_scaled<S>) return unit.one();
    return Values::of(S::one());
  }
  [[nodiscard]] T* sums_of(std::size_t tile_i, std::size_t tile_j) const {
    return sums_[tiles::tile_number(tile_i, tile_j)]->data();
  }

  const G& grammar_;
  GrammarTables<G> tables_;
  std::vector<std::optional<TileStorage<T>>> sums_;  ///< of the tiles that are being filled: a tile for each product,
                                                     ///< then one for each table that is not kept
  std::vector<StencilWeights<G>> weights_;
  std::vector<SumUnits> units_;       ///< of the sums of each tile, if they are scaled
  std::vector<TileExtents> extents_;  ///< of the tables of each tile, if they are scaled
  LostValues lost_;
  std::mutex spare_mutex_;
  std::vector<std::unique_ptr<Windows>> spare_windows_;
  Operations operations_{};
  const SolveMonitor* monitor_ = nullptr;
};

template <class G>
void GrammarSolver<G>::clear(std::size_t tile_i, std::size_t tile_j) {
  constexpr std::size_t size = sums_of_tile * side * side;
  sums_[tiles::tile_number(tile_i, tile_j)].emplace(size);
  std::fill_n(sums_of(tile_i, tile_j), size, Values::zero());
  for (unsigned t = 0; t < table_count<G>; ++t) {
    if (is_kept<G>(t) && !may_be_recurrence) std::fill_n(tile_of(t, tile_i, tile_j), side * side, Values::zero());
  }
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

/// The units in which a tile may close, the first that of the largest value that it is made from.
template <class G>
UnitSearch GrammarSolver<G>::units_for(std::size_t tile_i, std::size_t tile_j) const {
  bool is_set = false;
  std::int64_t largest = 0, lowest = std::numeric_limits<std::int64_t>::min();
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
  const SumUnits& units = units_[tiles::tile_number(tile_i, tile_j)];
  for (std::size_t p = 0; p != products.size(); ++p) {
    see(units[p].exponent, extent_of(operations_, sums_of(tile_i, tile_j) + p * side * side));
    lowest = std::max(lowest, units[p].lowest());
  }
  return {lowest, largest, lost_};
}

/// Closes a tile whose sums are in `sums_`, in their own units, in the unit of the search. Returns false if a value is
/// out of that.
template <class G>
bool GrammarSolver<G>::try_to_close(std::size_t tile_i, std::size_t tile_j, UnitSearch& search) {
  const SumUnits& units = units_[tiles::tile_number(tile_i, tile_j)];
  for (std::size_t p = 0; p != products.size(); ++p) {
    if (!units[p].is_set) continue;
    rescale(sums_of(tile_i, tile_j) + p * side * side, side * side, units[p].exponent - search.unit());
  }
  const UnitOf<S> unit{tables_.exponents(), tile_i, tile_j, search.unit(), lost_};
  try {
    close_in(unit, tile_i, tile_j);
    normalize(tile_i, tile_j, unit);
    return true;
  } catch (const OutOfUnit& out) {
    const bool has_one_unit = tile_i == tile_j;
    if (has_one_unit || !search.advance(out.is_large)) reject_span(place_in_table(out.table, out.i, out.j));
    return false;
  }
}

/// Closes a tile in the first unit that fits all of its values. Raises Error{overflow} if none does.
template <class G>
void GrammarSolver<G>::close_scaled(std::size_t tile_i, std::size_t tile_j) {
  UnitSearch search = tile_i == tile_j ? UnitSearch(0, 0) : units_for(tile_i, tile_j);
  if (!search.has_unit()) reject_span("tile " + interval_text(tile_i, tile_j));
  std::vector<T> sums(sums_of(tile_i, tile_j), sums_of(tile_i, tile_j) + products.size() * side * side);
  while (!try_to_close(tile_i, tile_j, search)) {
    clear(tile_i, tile_j);
    std::copy(sums.begin(), sums.end(), sums_of(tile_i, tile_j));
  }
}

/// Gives a tile that is not on the diagonal its exponent. Raises OutOfUnit for a value of 2^500, which leaves no place
/// for the smallest ones.
template <class G>
void GrammarSolver<G>::normalize([[maybe_unused]] std::size_t tile_i, [[maybe_unused]] std::size_t tile_j,
                                 [[maybe_unused]] const UnitOf<S>& unit) {
  if constexpr (is_scaled<S>) {
    TileExtents& extents = extents_[tiles::tile_number(tile_i, tile_j)];
    Extent all;
    for (unsigned t = 0; t < table_count<G>; ++t) {
      extents[t] = extent_of(operations_, tile_of(t, tile_i, tile_j));
      if (extents[t].is_zero()) continue;
      all.bottom = all.is_zero() ? extents[t].bottom : std::min(all.bottom, extents[t].bottom);
      all.top = std::max(all.top, extents[t].top);
    }
    if (tile_i == tile_j || all.is_zero()) return;
    const int shift = normal_shift(all.top);
    if (all.bottom - shift < -value_bits) throw OutOfUnit{0, tile_i * side, tile_j * side, true};
    for (unsigned t = 0; t < table_count<G>; ++t) {
      if (extents[t].is_zero() || shift == 0) continue;
      copy_scaled(operations_, tile_of(t, tile_i, tile_j), tile_of(t, tile_i, tile_j), -shift);
      extents[t].top -= shift;
      extents[t].bottom -= shift;
    }
    tables_.exponents()[tiles::tile_number(tile_i, tile_j)] = static_cast<std::int32_t>(unit.exponent() + shift);
  }
}

template <class G>
void GrammarSolver<G>::accumulate(const tiles::TileProduct& product, const tiles::TileProduct& next) {
  const auto [i, k, j] = product;
  for (std::size_t p = 0; p != products.size(); ++p) {
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
  if constexpr (is_scaled<S>) {
    close_scaled(tile_i, tile_j);
  } else if (!close_as_recurrence(tile_i, tile_j)) {
    close_in({}, tile_i, tile_j);
  }
  sums_[tiles::tile_number(tile_i, tile_j)].reset();
}

/// Closes a tile of one table in vectors, if its terms are those of a recurrence. Else returns false.
template <class G>
bool GrammarSolver<G>::close_as_recurrence([[maybe_unused]] std::size_t tile_i, [[maybe_unused]] std::size_t tile_j) {
  if constexpr (may_be_recurrence) {
    T* c = tile_of(0, tile_i, tile_j);
    alignas(64) T weight[side * side];
    std::copy_n(sums_of(tile_i, tile_j), side * side, c);
    if (read_weights(tile_i, tile_j, c, weight)) {
      close_by_weights<S>(operations_, tables_.table(0), tile_i, tile_j, weight, {});
      if (accepts_tile<S>(c, tile_i, tile_j)) return true;
    }
    std::fill_n(c, side * side, Values::zero());
  }
  return false;
}

/// Reads the terms of a tile's intervals: adds their values to the tile, and lists the weights of the product. Returns
/// false if the terms of one are not those of a recurrence. The caller's terms are inlined here.
template <class G>
[[gnu::flatten]] bool GrammarSolver<G>::read_weights(std::size_t tile_i, std::size_t tile_j, T* c, T* weight) {
  CallerCalls calls(monitor_);
  const std::size_t first_j = tile_j * side, end = std::min(side, tables_.points() - first_j);
  const std::size_t rows = std::min(side, tables_.points() - tile_i * side);
  std::fill(weight + rows * side, weight + side * side, Values::of(S::one()));
  for (std::size_t row = 0; row < rows; ++row) {
    std::array<T, side> values;
    const std::size_t begin = tile_i == tile_j ? std::min(row + 1, end) : 0;
    std::fill(weight + row * side, weight + row * side + begin, Values::of(S::one()));
    std::fill(weight + row * side + end, weight + (row + 1) * side, Values::of(S::one()));
    for (std::size_t column = begin; column < end;) {
      const std::size_t begun = column, until = std::min(end, column + calls.until_look());
      bool fit = true;
      for (; column < until; ++column) {
        RecurrenceTerms<G> terms(tile_i * side + row, first_j + column);
        grammar_.terms(tile_i * side + row, first_j + column, terms);
        fit &= terms.fits();
        weight[row * side + column] = terms.weight();
        values[column] = terms.value();
      }
      if (!fit) return false;
      calls.made(until - begun);
    }
    for (std::size_t column = begin; column < end; ++column) {
      c[row * side + column] = S::plus(c[row * side + column], values[column]);
    }
  }
  return true;
}

/// Rows go from the bottom: a row needs those below it.
template <class G>
void GrammarSolver<G>::close_in(const UnitOf<S>& unit, std::size_t tile_i, std::size_t tile_j) {
  std::unique_ptr<Windows> windows = take_windows();
  Tile tile{tile_i,
            tile_j,
            unit,
            sums_of(tile_i, tile_j),
            {},
            *windows,
            CallerCalls(monitor_),
            Near(tables_, unit, tile_i, tile_j)};
  for (unsigned t = 0; t < table_count<G>; ++t) tile.tables[t] = tile_of(t, tile_i, tile_j);
  windows->begin(tables_, unit, tile_i, tile_j);
  for (std::size_t row = std::min(side, tables_.points() - tile_i * side); row-- > 0;) close_row(tile, row);
  for (std::size_t place = 0; place != not_kept; ++place) {
    tables_.keep_rim(place, tile_i, tile_j, sums_of(tile_i, tile_j) + (products.size() + place) * side * side);
  }
  const std::lock_guard lock(spare_mutex_);
  spare_windows_.push_back(std::move(windows));
}

/// The windows of a tile that is closed, or new ones.
template <class G>
auto GrammarSolver<G>::take_windows() -> std::unique_ptr<Windows> {
  const std::lock_guard lock(spare_mutex_);
  if (!spare_windows_.empty()) {
    std::unique_ptr<Windows> windows = std::move(spare_windows_.back());
    spare_windows_.pop_back();
    return windows;
  }
  return std::make_unique<Windows>(grammar_, weights_);
}

/// c = plus(c, a (x) b) for the row c, with `depth` entries of the row a.
template <class G>
void GrammarSolver<G>::add_row_product(T* c, const T* a, const T* b, std::size_t depth, std::size_t columns) const {
  if constexpr (in_vectors || is_scaled<S>) {
    operations_.rows.product(c, a, b, depth, columns);
  } else {
    multiply_entries<S>(c, a, b, 1, columns, depth);
  }
}

/// Finishes one row of a tile: the stencils, the splits in the tile's rows, and then its intervals.
template <class G>
void GrammarSolver<G>::close_row(Tile& tile, std::size_t row) {
  const bool diagonal = tile.i == tile.j;
  std::array<T*, products.size()> sums;
  for (std::size_t p = 0; p != products.size(); ++p) {
    const auto [left, right] = products[p];
    sums[p] = tile.sums + (p * side + row) * side;
    if (diagonal) continue;
    add_row_product(sums[p], tile_of(left, tile.i, tile.i) + row * side + row + 1,
                    tile.tables[right] + (row + 1) * side, side - row - 1, side);
  }
  std::array<Row, stencils.size()> around;
  const std::size_t end = std::min(side, tables_.points() - tile.j * side);
  const ColumnRange columns{diagonal ? row / vector_values * vector_values : 0,
                            (end + vector_values - 1) / vector_values * vector_values};
  for (std::size_t s = 0; s != stencils.size(); ++s) {
    around[s].fill(Values::zero());
    tile.windows.add_row(operations_, s, row, columns, around[s]);
  }
  if constexpr (closes_rows<G>) {
    if (!close_by_grammar(tile, row, sums, around)) {
      tile.windows.clear_row(row);
      close_intervals(tile, row, sums, around);
    }
    for (unsigned t = 0; t < table_count<G>; ++t) {
      tile.near.put(t, tile.i * side + row, tile.tables[t] + row * side);
    }
  } else {
    close_intervals(tile, row, sums, around);
  }
}

/// Calls the grammar's vector code for a row. Returns false if it leaves the row to the terms.
template <class G>
bool GrammarSolver<G>::close_by_grammar(Tile& tile, std::size_t row, const std::array<T*, products.size()>& sums,
                                        const std::array<Row, stencils.size()>& around) {
  std::array<T*, table_count<G>> values;
  std::array<const T*, products.size()> of_products, right;
  std::array<const T*, stencils.size()> of_stencils;
  for (unsigned t = 0; t < table_count<G>; ++t) values[t] = tile.tables[t] + row * side;
  for (std::size_t p = 0; p != products.size(); ++p) {
    of_products[p] = sums[p];
    right[p] = tile_of(products[p].right, tile.j, tile.j);
  }
  for (std::size_t s = 0; s != stencils.size(); ++s) of_stencils[s] = around[s].data();
  const std::size_t i = tile.i * side + row, first_j = tile.j * side;
  tile.near.begin_row(i, first_j);
  const auto near = tile.near.from(i);
  const GrammarRow<T> given{i,
                            first_j,
                            tile.i == tile.j ? row + 1 : 0,
                            std::min(side, tables_.points() - first_j),
                            values.data(),
                            of_products.data(),
                            right.data(),
                            of_stencils.data(),
                            near.data(),
                            row_reach_of<G>(),
                            one_in(tile.unit)};
  if (!grammar_.close_row(given)) return false;
  for (std::size_t s = 0; s != stencils.size(); ++s) tile.windows.put_row(s, i, first_j, values[stencils[s].of]);
  tile.calls.made(1);
  return true;
}

/// Finishes the sparse tables of a row, then the intervals from the left, each with the splits in the tile's columns
/// before it.
template <class G>
void GrammarSolver<G>::close_intervals(Tile& tile, std::size_t row, const std::array<T*, products.size()>& sums,
                                       const std::array<Row, stencils.size()>& around) {
  const bool diagonal = tile.i == tile.j;
  const std::size_t i = tile.i * side + row, first_j = tile.j * side;
  if constexpr (sparse > 0) close_sparse(tile, row, around);
  const std::size_t end = std::min(side, tables_.points() - first_j);
  for (std::size_t first = diagonal ? row / block * block : 0; first < end; first += block) {
    for (std::size_t column = std::max(first, diagonal ? row + 1 : 0); column < std::min(first + block, end);
         ++column) {
      std::array<T, products.size()> of_products;
      std::array<T, stencils.size()> of_stencils;
      for (std::size_t p = 0; p != products.size(); ++p) of_products[p] = sums[p][column];
      for (std::size_t s = 0; s != stencils.size(); ++s) of_stencils[s] = around[s][column];
      close_interval(tile, i, first_j + column, of_products.data(), of_stencils.data());
      for (std::size_t p = 0; p != products.size(); ++p) {
        const T left = tile.tables[products[p].left][row * side + column];
        const T* right = tile_of(products[p].right, tile.j, tile.j) + column * side;
        if constexpr (is_scaled<S>) {  // entries up to `column` are 0
          add_row_product(sums[p] + first, &left, right + first, 1, block);
        } else {
          for (std::size_t c = column + 1; c < first + block; ++c) {
            sums[p][c] = S::plus(sums[p][c], Values::times(left, right[c]));
          }
        }
      }
    }
    for (std::size_t p = 0; p != products.size(); ++p) {
      const std::size_t after = first + block;
      add_row_product(sums[p] + after, tile.tables[products[p].left] + row * side + first,
                      tile_of(products[p].right, tile.j, tile.j) + first * side + after, block, side - after);
    }
  }
}

/// Finishes the sparse tables of a row. The intervals that may have values are listed first: nothing predicts which do.
template <class G>
void GrammarSolver<G>::close_sparse(Tile& tile, std::size_t row, const std::array<Row, stencils.size()>& around) {
  const std::size_t i = tile.i * side + row, first_j = tile.j * side;
  std::array<std::uint8_t, side> columns;
  std::size_t count = 0;
  for (std::size_t column = tile.i == tile.j ? row + 1 : 0; column < std::min(side, tables_.points() - first_j);
       ++column) {
    columns[count] = static_cast<std::uint8_t>(column);
    count += grammar_.may_have_value(i, first_j + column) ? 1 : 0;
  }
  for (std::size_t t = 0; t < count; ++t) {
    std::array<T, stencils.size()> of_stencils;
    for (std::size_t s = 0; s != stencils.size(); ++s) of_stencils[s] = around[s][columns[t]];
    close_sparse_interval(tile, i, first_j + columns[t], of_stencils.data());
  }
}

/// The caller's terms are inlined here, so that their values stay in registers.
template <class G>
[[gnu::flatten]] void GrammarSolver<G>::close_sparse_interval(Tile& tile, std::size_t i, std::size_t j,
                                                              const T* of_stencils) {
  IntervalTerms<G, 0, sparse> terms(tables_, tile.tables, tile.unit, i, j, nullptr, of_stencils);
  grammar_.sparse_terms(i, j, terms);
  terms.finish();
  for (std::size_t s = 0; s != stencils.size(); ++s) {
    if (stencils[s].of < sparse) tile.windows.put(s, i, j, tile.tables[stencils[s].of][terms.place()]);
  }
}

/// The same for the other tables, or for all if none is sparse.
template <class G>
[[gnu::flatten]] void GrammarSolver<G>::close_interval(Tile& tile, std::size_t i, std::size_t j, const T* of_products,
                                                       const T* of_stencils) {
  IntervalTerms<G, sparse, table_count<G>> terms(tables_, tile.tables, tile.unit, i, j, of_products, of_stencils);
  if constexpr (sparse > 0) {
    grammar_.dense_terms(i, j, terms);
  } else {
    grammar_.terms(i, j, terms);
  }
  terms.finish();
  for (std::size_t s = 0; s != stencils.size(); ++s) {
    if (stencils[s].of >= sparse) tile.windows.put(s, i, j, tile.tables[stencils[s].of][terms.place()]);
  }
  tile.calls.made(1);
}

}  // namespace warpfold::interval::detail
