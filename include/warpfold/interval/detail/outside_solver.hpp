#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "warpfold/interval/detail/grammar_solver.hpp"
#include "warpfold/interval/detail/outside_row.hpp"
#include "warpfold/run/team.hpp"

/// Marginals of sums. The outside value of an interval is the derivative of ln Z by its inside value:
///
///     out(u,i,j) = seed(u,i,j) + sum over the terms that read T(u,i,j) of out(their table, their interval) * their
///     values
///
/// so out * T is the part of Z in which the interval takes part. Tiles go by diagonals, from the whole to single
/// points: a tile needs those above it and to its right. Where C = sum of L R is a product,
///
///     transpose(out(L)) = R transpose(out(C)),   transpose(out(R)) = transpose(out(C)) L
///
/// are two more products of tiles. Of out(C) the transposed tiles are kept. A stencil's outside values meet its weights
/// in a stencil that reads outwards. Other terms of an interval give their parts to the intervals inside it. Parts for
/// other tiles go to the rim of the tile's window, which those tiles read.
///
/// A stored outside value w of tile (I,J) means w * 2^-exponent(I,J). Since out * T <= 1, w is at most 2^500. What
/// falls below the range belongs to marginals below 2^-70 and becomes 0.
namespace warpfold::interval::detail {

/// The parts that the intervals of a tile give to intervals inside them. Row 0 is the tile's first, column 0 its last;
/// the rim beyond a tile side belongs to the tiles below and to the left.
class OutsideWindow {
 public:
  static constexpr std::size_t side = tiles::tile_side, rim = max_stencil_depth + 1, stride = side + rim;

  /// The part of the rim that is used, for the tiles that it belongs to.
  struct Rim {
    std::size_t rows, columns;
    std::vector<double> below, beside;  ///< of each table: `rows` rows with all columns; the columns beside the tile
  };

  explicit OutsideWindow(unsigned tables)
      : tables_(tables), values_(tables * stride * stride), of_row_(tables * (rim + 1) * stride), given_(tables) {}

  /// The sum of the parts that an interval of the tile has been given.
  [[nodiscard]] double operator()(unsigned table, std::size_t row, std::size_t column) const {
    return values_[place(table, row, column)] + of_row_[place_of_row(table, 0, column)];
  }
  /// Gives a part to the interval `a` rows below and `b` columns to the left.
  void give(unsigned table, std::size_t column, std::size_t a, std::size_t b, double part) {
    columns_ = std::max(columns_, b);
    given_[table] |= std::uint64_t{1} << a;
    of_row_[place_of_row(table, a, column + b)] += part;
  }
  /// Adds what the row's intervals have given since the last call. So a sum has one part for each row that gives to it,
  /// in the order of rows, and each of these one for each column, from the right.
  void end_row(std::size_t row) {
    for (unsigned t = 0; t < tables_; ++t) {
      for (; given_[t] != 0; given_[t] &= given_[t] - 1) {
        const auto a = static_cast<std::size_t>(std::countr_zero(given_[t]));
        if (row + a >= side) rows_ = std::max(rows_, row + a + 1 - side);
        double* const from = of_row_.data() + place_of_row(t, a, 0);
        double* const to = values_.data() + place(t, row + a, 0);
        for (std::size_t column = 0; column < side + columns_; ++column) to[column] += from[column];
        std::fill_n(from, side + columns_, 0.0);
      }
    }
  }
  /// The parts for the intervals `a` rows below a row, from the tile's last column on, and their sums.
  [[nodiscard]] double* row_values(unsigned table, std::size_t row, std::size_t a) {
    return values_.data() + place(table, row + a, 0);
  }
  /// The row gives parts to intervals up to so many rows below and columns to the left by row_values.
  void gave(std::size_t row, std::size_t reach) {
    columns_ = std::max(columns_, reach);
    if (row + reach >= side) rows_ = std::max(rows_, row + reach + 1 - side);
  }
  /// Adds the rim of the tile above, to the right, or both, times a factor.
  void take(const Rim& from, bool is_above, bool is_right, double factor) {
    const std::size_t rows = is_above ? from.rows : side, columns = is_right ? from.columns : side;
    const std::size_t row_length = from.columns + (is_above ? side : 0), first = is_above && is_right ? side : 0;
    const double* source = (is_above ? from.below : from.beside).data() + first;
    for (unsigned t = 0; t < tables_; ++t) {
      for (std::size_t row = 0; row < rows; ++row, source += row_length) {
        double* target = values_.data() + place(t, row, 0);
        for (std::size_t column = 0; column < columns; ++column) target[column] += source[column] * factor;
      }
    }
  }
  /// Moves the rim to another one, whose memory it uses again. The window is empty afterwards.
  void finish(Rim& found) {
    found.rows = rows_;
    found.columns = columns_;
    found.below.clear();
    found.beside.clear();
    for (unsigned t = 0; t < tables_; ++t) {
      for (std::size_t row = 0; row < side + rows_; ++row) {
        double* values = values_.data() + place(t, row, 0);
        if (row < side) found.beside.insert(found.beside.end(), values + side, values + side + columns_);
        if (row >= side) found.below.insert(found.below.end(), values, values + side + columns_);
        std::fill_n(values, side + columns_, 0.0);
      }
    }
    rows_ = columns_ = 0;
  }

 private:
  [[nodiscard]] static std::size_t place(unsigned table, std::size_t row, std::size_t column) {
    return (table * stride + row) * stride + column;
  }
  [[nodiscard]] static std::size_t place_of_row(unsigned table, std::size_t a, std::size_t column) {
    return (table * (rim + 1) + a) * stride + column;
  }

  unsigned tables_;
  std::size_t rows_ = 0, columns_ = 0;  ///< of the rim that is used
  std::vector<double> values_;
  std::vector<double> of_row_;        ///< by table and `a`: what the intervals of one row give
  std::vector<std::uint64_t> given_;  ///< of each table the `a` that they have given to
};

/// One term of an interval: what it reads, and its other values.
struct ReadTerm {
  enum class Kind : std::uint8_t { inside, here, product, stencil } kind;
  std::uint8_t table;         ///< of the term
  std::uint8_t a = 0, b = 0;  ///< of `inside`
  std::uint32_t index;        ///< the table, product or stencil that it reads
  double weight;
};

/// Collects the terms of one interval that read something, for sums, in a list:
///
///     void add(const ReadTerm&)                  appends it
///     static constexpr std::size_t reach         the most points inside the interval on a side
///     void reject_far(a, b), reject_nothing()    what `inside` does not accept
template <class List>
class ReadTerms {
 public:
  struct Part {
    ReadTerm::Kind kind;
    unsigned index;
    std::size_t a, b;
  };

  constexpr ReadTerms(List& list, std::size_t i, std::size_t j) : list_(list), length_(j - i) {}

  template <class... Parts>
  constexpr void operator()(unsigned table, const Parts&... parts) {
    double weight = 1;
    const Part* read = nullptr;
    const auto take = [&](const auto& part) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(part)>, Part>) {
        read = &part;
      } else {
        weight *= static_cast<double>(part);
      }
    };
    (take(parts), ...);
    if (!read || weight == 0 || read->a + read->b >= length_) return;
    if (read->a > List::reach || read->b > List::reach) return list_.reject_far(read->a, read->b);
    list_.add({read->kind, static_cast<std::uint8_t>(table), static_cast<std::uint8_t>(read->a),
               static_cast<std::uint8_t>(read->b), read->index, weight});
  }
  [[nodiscard]] constexpr Part inside(unsigned table, std::size_t a, std::size_t b) const {
    if (a + b == 0) list_.reject_nothing();
    return {ReadTerm::Kind::inside, table, a, b};
  }
  [[nodiscard]] constexpr Part here(unsigned table) const { return {ReadTerm::Kind::here, table, 0, 0}; }
  [[nodiscard]] constexpr Part product(unsigned p) const { return {ReadTerm::Kind::product, p, 0, 0}; }
  [[nodiscard]] constexpr Part stencil(unsigned s) const { return {ReadTerm::Kind::stencil, s, 0, 0}; }

 private:
  List& list_;
  std::size_t length_;
};

/// The list on the CPU. It raises errors.
struct ReadList {
  static constexpr std::size_t reach = OutsideWindow::rim;
  std::vector<ReadTerm> terms;

  void add(const ReadTerm& term) { terms.push_back(term); }
  [[noreturn, gnu::noinline]] static void reject_far(std::size_t a, std::size_t b) {
    throw Error(ErrorKind::usage, "marginals read inside" + interval_text(a, b) + ": up to " + std::to_string(reach) +
                                      " points on a side are accepted");
  }
  [[noreturn]] static void reject_nothing() { reject_inside_of_nothing(); }
};

/// What a stencil's outside values give to one tile: those of its rows and of deep + 1 above it, in its columns, from
/// right to left, and in deep + 1 to the right of them.
template <class G>
class OuterWindow {
 public:
  static constexpr std::size_t side = tiles::tile_side;
  using TileValues = std::vector<double>;  ///< those of the tile alone, in the same order

  explicit OuterWindow(std::size_t s) : around_(stencils_of<G>()[s].deep + 1), values_(stride(s) * stride(s)) {}

  /// The entries of a row of the window.
  static constexpr std::size_t stride(std::size_t s) { return side + stencils_of<G>()[s].deep + 1; }

  /// The entry of the tile's row, and of its column counted from the right.
  [[nodiscard]] double& at(std::size_t row, std::size_t column) {
    return values_[(around_ + row) * (side + around_) + around_ + column];
  }
  /// What the stencil's first weight takes for the row's interval on the right.
  [[nodiscard]] const double* source(std::size_t row) { return &at(row, 0) - (side + around_) - 1; }
  /// Takes what the window shows of the tile above, to the right, or both, times a factor.
  void take(const TileValues& from, bool is_above, bool is_right, double factor) {
    const std::size_t rows = is_above ? around_ : side, columns = is_right ? around_ : side;
    for (std::size_t row = 0; row < rows; ++row) {
      double* target = &at(row, 0) - (is_above ? around_ * (side + around_) : 0) - (is_right ? around_ : 0);
      const double* source = from.data() + (side - rows + row) * side + side - columns;
      for (std::size_t column = 0; column < columns; ++column) target[column] = source[column] * factor;
    }
  }
  /// Moves the tile's values to a list, whose memory it uses again. The window is empty afterwards.
  void finish(TileValues& found) {
    found.clear();
    found.reserve(side * side);
    for (std::size_t row = 0; row < side; ++row) found.insert(found.end(), &at(row, 0), &at(row, 0) + side);
    std::fill(values_.begin(), values_.end(), 0.0);
  }

 private:
  std::size_t around_;
  std::vector<double> values_;
};

/// What the results are: out(u,i,j) * T(u,i,j), or out(u,i,j) as it is stored.
enum class OutsideResult : std::uint8_t { marginals, outside_values };

/// `Seed`: Scaled seed(table, i, j), the derivative of ln Z by T(table,i,j) apart from the grammar's own terms.
template <class G, class Seed>
class OutsideSolver {
 public:
  static_assert(is_scaled<typename G::Semiring>, "marginals are those of ScaledSum");
  static constexpr std::size_t side = tiles::tile_side, size = side * side;
  static constexpr std::size_t block = tiles::block_side;
  static constexpr auto products = products_of<G>();
  static constexpr auto stencils = stencils_of<G>();
  static constexpr unsigned sparse = sparse_of<G>();

  /// `wanted`: for each result the tables whose marginals are added. `spare`: memory of tables for as many points,
  /// which is used before any other.
  OutsideSolver(const G& grammar, const GrammarTables<G>& tables, std::span<const std::vector<unsigned>> wanted,
                const Seed& seed, std::vector<TileStorage<double>> spare = {},
                OutsideResult result = OutsideResult::marginals)
      : grammar_(grammar),
        tables_(tables),
        wanted_(wanted),
        seed_(seed),
        result_(result),
        along_(IntervalTable<double>::tiles(tables.points())),
        operations_(tiles::sum_operations()) {
    for (std::size_t t = 0; t < wanted.size(); ++t) {
      marginals_.emplace_back(tables.points(), TableMeaning<double>::of<typename G::Semiring>(), storage_from(spare));
    }
    for (std::size_t s = 0; s < stencils.size(); ++s) {
      weights_.emplace_back(grammar, s, -static_cast<std::ptrdiff_t>(OuterWindow<G>::stride(s)));
    }
    for (std::size_t p = 0; p < products.size(); ++p) transposed_.push_back(storage_from(spare));
    tops_.resize(tiles::tiles_in_table(along_));
  }

  /// The tables of the products' outside values and of so many results, `spare` of which are there; what the tiles of
  /// three diagonals give. `reach`: the largest offset of an interval that a term reads by `inside`.
  static std::size_t bytes(std::size_t points, std::size_t results, std::size_t spare = 0,
                           std::size_t reach = OutsideWindow::rim) {
    const std::size_t along = IntervalTable<double>::tiles(points);
    const std::size_t rim = (OutsideWindow::side + reach) * (OutsideWindow::side + reach) - size;
    const std::size_t tables = products.size() + results;
    return (tables - std::min(spare, tables)) * held_bytes_of_tiles(IntervalTable<double>::bytes(points)) +
           3 * along * (table_count<G> * rim + stencils.size() * size) * sizeof(double);
  }
  static double operations(std::size_t points) { return 2 * GrammarSolver<G>::operations(points); }

  /// Returns the results, by `threads` threads.
  std::vector<IntervalTable<double>> solve(int threads, SolveMonitor& monitor) {
    Team team(threads);
    std::vector<Windows> windows(static_cast<std::size_t>(threads));
    std::vector<Given> given;
    const double of_diagonal = operations(tables_.points()) / static_cast<double>(along_);
    for (std::size_t distance = along_; distance-- > 0;) {
      given.resize(along_ - distance);
      team.parallel_for(given.size(), [&](std::size_t i, int thread) {
        monitor.check();
        finish_tile(i, i + distance, windows[static_cast<std::size_t>(thread)], given[i]);
      });
      std::swap(before_last_, last_);  // the memory of what is read no longer serves the next diagonal
      std::swap(last_, given);
      monitor.advance(of_diagonal);
    }
    return std::move(marginals_);
  }

 private:
  /// Where a tile's intervals read and write. One for each thread.
  struct Windows {
    Windows() {
      for (std::size_t s = 0; s < stencils.size(); ++s) of_stencils.emplace_back(s);
    }

    OutsideWindow inside{table_count<G>};
    std::vector<OuterWindow<G>> of_stencils;
    TileStorage<double> outside{products.size() * size};                              ///< for each product, a tile
    TileStorage<double> left{products.size() * size}, right{products.size() * size};  ///< the same for its operands
    /// The same for those on the diagonal, transposed.
    TileStorage<double> left_diagonal{products.size() * size}, right_diagonal{products.size() * size};
  };
  /// What a tile gives to others.
  struct Given {
    OutsideWindow::Rim rim = {};
    std::array<typename OuterWindow<G>::TileValues, stencils.size()> of_stencils = {};
  };
  using Row = std::array<double, side>;

  struct Tile {
    std::size_t i, j;
    std::int64_t exponent;
    Windows& windows;
    TileStorage<double>& outside = windows.outside;
    TileStorage<double>& left = windows.left;
    TileStorage<double>& right = windows.right;
    TileStorage<double>& left_diagonal = windows.left_diagonal;
    TileStorage<double>& right_diagonal = windows.right_diagonal;
    ReadList reads = {};
    std::array<Row, sparse> given = {};  ///< to the sparse tables by the other tables of a row
  };

  void finish_tile(std::size_t tile_i, std::size_t tile_j, Windows& windows, Given& given);
  void take_parts(Tile& tile) const;
  void take_rim(Tile& tile, const Given& from, bool is_above, bool is_right, double factor) const;
  void accumulate(Tile& tile);
  void close(Tile& tile);
  void close_row(Tile& tile, std::size_t row);
  bool close_by_grammar(Tile& tile, std::size_t row, const std::array<double*, products.size()>& outside,
                        const std::array<double*, products.size()>& left,
                        const std::array<Row, stencils.size()>& around);
  void put_results(const Tile& tile, std::size_t row, const std::array<Row, table_count<G>>& out, unsigned begin,
                   unsigned end);
  void close_sparse(Tile& tile, std::size_t row, const std::array<Row, stencils.size()>& around);
  template <unsigned begin, unsigned end>
  void close_interval(Tile& tile, std::size_t row, std::size_t column, const std::array<Row, stencils.size()>& around);
  void publish(Tile& tile);

  [[nodiscard]] std::int64_t exponent(std::size_t i, std::size_t j) const {
    return tables_.exponents()[tiles::tile_number(i, j)];
  }
  [[nodiscard]] double* transposed_of(std::size_t p, std::size_t i, std::size_t j) const {
    return transposed_[p].data() + tiles::tile_number(i, j) * size;
  }
  /// One of the spare ones, or a new one.
  [[nodiscard]] TileStorage<double> storage_from(std::vector<TileStorage<double>>& spare) const {
    if (spare.empty()) return TileStorage<double>(tiles::tiles_in_table(along_) * size);
    TileStorage<double> taken = std::move(spare.back());
    spare.pop_back();
    return taken;
  }

  const G& grammar_;
  const GrammarTables<G>& tables_;
  std::span<const std::vector<unsigned>> wanted_;
  const Seed& seed_;
  OutsideResult result_;
  std::size_t along_;
  tiles::SumOperations operations_;
  std::vector<IntervalTable<double>> marginals_;
  std::vector<StencilWeights<G>> weights_;
  std::vector<TileStorage<double>> transposed_;         ///< the outside values of each product
  std::vector<std::array<int, products.size()>> tops_;  ///< exponents of the largest outside values of products
  std::vector<Given> last_, before_last_;               ///< of the two diagonals before, by the tile's row
};

template <class G, class Seed>
void OutsideSolver<G, Seed>::finish_tile(std::size_t tile_i, std::size_t tile_j, Windows& windows, Given& given) {
  Tile tile{tile_i, tile_j, exponent(tile_i, tile_j), windows};
  std::fill_n(tile.outside.data(), products.size() * size, 0.0);
  take_parts(tile);
  accumulate(tile);
  close(tile);
  publish(tile);
  windows.inside.finish(given.rim);
  for (std::size_t s = 0; s < stencils.size(); ++s) windows.of_stencils[s].finish(given.of_stencils[s]);
}

/// Takes what the tiles around this one give to it.
template <class G, class Seed>
void OutsideSolver<G, Seed>::take_parts(Tile& tile) const {
  const auto factor = [&](std::size_t i, std::size_t j) { return power_of_two(tile.exponent - exponent(i, j)); };
  const bool is_first = tile.i == 0, is_last = tile.j + 1 == along_;
  if (!is_first) take_rim(tile, last_[tile.i - 1], true, false, factor(tile.i - 1, tile.j));
  if (!is_last) take_rim(tile, last_[tile.i], false, true, factor(tile.i, tile.j + 1));
  if (!is_first && !is_last) take_rim(tile, before_last_[tile.i - 1], true, true, factor(tile.i - 1, tile.j + 1));
}

template <class G, class Seed>
void OutsideSolver<G, Seed>::take_rim(Tile& tile, const Given& from, bool is_above, bool is_right,
                                      double factor) const {
  for (std::size_t s = 0; s < stencils.size(); ++s) {
    tile.windows.of_stencils[s].take(from.of_stencils[s], is_above, is_right, factor);
  }
  tile.windows.inside.take(from.rim, is_above, is_right, factor);
}

/// Whether outside values of a product in one tile, times 2^d, are all too small to matter beside values up to
/// 2^value_bits. `top`: the exponent of the largest one.
constexpr bool is_lost_outside(std::int64_t d, int top) {
  return top == std::numeric_limits<int>::min() || d + top + value_bits < -700;
}

/// The transposed outside values of a product in one tile, times 2^d, or none if they are lost.
template <std::size_t size>
class ScaledTile {
 public:
  ScaledTile(const tiles::SumOperations& operations, const double* values, std::int64_t d, int top) : values_(values) {
    if (is_lost_outside(d, top)) values_ = nullptr;
    if (!values_ || d == 0) return;
    copy_scaled(operations, scaled_.data(), values, d);
    values_ = scaled_.data();
  }
  ScaledTile(const ScaledTile&) = delete;
  ScaledTile& operator=(const ScaledTile&) = delete;

  [[nodiscard]] const double* data() const { return values_; }

 private:
  const double* values_;
  alignas(64) std::array<double, size> scaled_;
};

/// Adds the products with tiles other than this one: as the left operand, in the order of j, and as the right one, in
/// the order of i from this tile upwards.
template <class G, class Seed>
void OutsideSolver<G, Seed>::accumulate(Tile& tile) {
  alignas(64) std::array<double, size> left_turned, right_turned;
  const auto outside = [&](std::size_t p, std::size_t i, std::size_t j, std::int64_t with) {
    return ScaledTile<size>(operations_, transposed_of(p, i, j), with + tile.exponent - exponent(i, j),
                            tops_[tiles::tile_number(i, j)][p]);
  };
  for (std::size_t p = 0; p < products.size(); ++p) {
    const auto [left, right] = products[p];
    left_turned.fill(0);
    right_turned.fill(0);
    for (std::size_t j = tile.j + 1; j < along_; ++j) {
      const ScaledTile<size> c = outside(p, tile.i, j, exponent(tile.j, j));
      const std::size_t next = std::min(j + 1, along_ - 1);
      if (!c.data()) continue;
      operations_.product(left_turned.data(), tables_.table(right).tile(tile.j, j), c.data(),
                          tables_.table(right).tile(tile.j, next), transposed_of(p, tile.i, next));
    }
    for (std::size_t i = tile.i; i-- > 0;) {
      const ScaledTile<size> c = outside(p, i, tile.j, exponent(i, tile.i));
      const std::size_t next = i > 0 ? i - 1 : 0;
      if (!c.data()) continue;
      operations_.product(right_turned.data(), c.data(), tables_.table(left).tile(i, tile.i),
                          transposed_of(p, next, tile.j), tables_.table(left).tile(next, tile.i));
    }
    tiles::transpose_tile(left_turned.data(), tile.left.data() + p * size);
    tiles::transpose_tile(right_turned.data(), tile.right.data() + p * size);
    tiles::transpose_tile(tables_.table(left).tile(tile.i, tile.i), tile.left_diagonal.data() + p * size);
    tiles::transpose_tile(tables_.table(right).tile(tile.j, tile.j), tile.right_diagonal.data() + p * size);
  }
}

/// Rows go from the top: a row needs those above it.
template <class G, class Seed>
void OutsideSolver<G, Seed>::close(Tile& tile) {
  for (auto& result : marginals_) std::fill_n(result.tile(tile.i, tile.j), size, 0.0);
  for (std::size_t row = 0; row < std::min(side, tables_.points() - tile.i * side); ++row) close_row(tile, row);
}

/// Finishes one row of a tile: what rows above it give, then the intervals from the right, each with what those after
/// it give, then their sparse tables.
template <class G, class Seed>
void OutsideSolver<G, Seed>::close_row(Tile& tile, std::size_t row) {
  std::array<double*, products.size()> outside, left;
  for (std::size_t p = 0; p < products.size(); ++p) {
    const double* first = tile.outside.data() + p * size;
    operations_.rows.product(tile.right.data() + p * size + row * side,
                             tile.left_diagonal.data() + p * size + row * side, first, row, side);
    outside[p] = tile.outside.data() + p * size + row * side;
    left[p] = tile.left.data() + p * size + row * side;
  }
  std::array<Row, stencils.size()> around;
  for (std::size_t s = 0; s < stencils.size(); ++s) {
    around[s].fill(0);
    operations_.rows.convolve(around[s].data(), tile.windows.of_stencils[s].source(row), weights_[s].terms(),
                              weights_[s].size(), side);
  }
  if constexpr (closes_outside_rows<G>) {
    if (close_by_grammar(tile, row, outside, left, around)) return;
  }
  const std::size_t begin = tile.i == tile.j ? row + 1 : 0, end = std::min(side, tables_.points() - tile.j * side);
  for (std::size_t first = side; first > begin / block * block;) {
    first -= block;
    for (std::size_t column = std::min(first + block, end); column-- > std::max(first, begin);) {
      close_interval<sparse, table_count<G>>(tile, row, column, around);
      for (std::size_t p = 0; p < products.size(); ++p) {
        const double* right = tile.right_diagonal.data() + p * size + column * side;  // 0 from `column` on
        operations_.rows.product(left[p] + first, outside[p] + column, right + first, 1, block);
      }
    }
    for (std::size_t p = 0; p < products.size(); ++p) {
      operations_.rows.product(left[p], outside[p] + first, tile.right_diagonal.data() + p * size + first * side, block,
                               first);
    }
  }
  tile.windows.inside.end_row(row);
  if constexpr (sparse > 0) {
    close_sparse(tile, row, around);
    tile.windows.inside.end_row(row);
  }
}

/// Calls the grammar's vector code for a row. Returns false if it leaves the row to the terms.
template <class G, class Seed>
bool OutsideSolver<G, Seed>::close_by_grammar(Tile& tile, std::size_t row,
                                              const std::array<double*, products.size()>& outside,
                                              const std::array<double*, products.size()>& left,
                                              const std::array<Row, stencils.size()>& around) {
  constexpr std::size_t reach = row_reach_of<G>();
  const std::size_t i = tile.i * side + row, first_j = tile.j * side;
  const std::size_t begin = tile.i == tile.j ? row + 1 : 0, end = std::min(side, tables_.points() - first_j);
  alignas(64) std::array<Row, table_count<G>> out{};
  std::array<double*, table_count<G>> results;
  std::array<double*, table_count<G>*(reach + 1)> inside;
  for (unsigned t = 0; t < table_count<G>; ++t) {
    results[t] = out[t].data();
    for (std::size_t a = 0; a <= reach; ++a) {
      inside[t * (reach + 1) + a] = tile.windows.inside.row_values(t, row, a);
    }
    for (std::size_t column = begin; column < end; ++column) {
      if (t < sparse && !grammar_.may_have_value(i, first_j + column)) continue;
      out[t][column] = seed_(t, i, first_j + column).times_power_of_two(tile.exponent);
    }
  }
  std::array<const double*, products.size()> right, turned;
  for (std::size_t p = 0; p < products.size(); ++p) {
    right[p] = tile.right.data() + p * size + row * side;
    turned[p] = tile.right_diagonal.data() + p * size;
  }
  std::array<const double*, stencils.size()> of_around;
  std::array<double*, stencils.size()> of_stencils;
  for (std::size_t s = 0; s < stencils.size(); ++s) {
    of_around[s] = around[s].data();
    of_stencils[s] = &tile.windows.of_stencils[s].at(row, 0);
  }
  if (!grammar_.outside_row({i, first_j, begin, end, reach, results.data(), inside.data(), outside.data(), left.data(),
                             right.data(), turned.data(), of_around.data(), of_stencils.data()})) {
    return false;
  }
  tile.windows.inside.gave(row, reach);
  put_results(tile, row, out, sparse, table_count<G>);
  put_results(tile, row, out, 0, sparse);
  return true;
}

/// Adds the results of the tables begin .. end-1 for a row.
template <class G, class Seed>
void OutsideSolver<G, Seed>::put_results(const Tile& tile, std::size_t row, const std::array<Row, table_count<G>>& out,
                                         unsigned begin, unsigned end) {
  for (std::size_t result = 0; result < wanted_.size(); ++result) {
    double* marginals = marginals_[result].tile(tile.i, tile.j) + row * side;
    for (const unsigned t : wanted_[result]) {
      if (t < begin || t >= end) continue;
      const double* values = tables_.table(t).tile(tile.i, tile.j) + row * side;
      for (std::size_t column = 0; column < side; ++column) {
        marginals[column] += result_ == OutsideResult::marginals ? out[t][column] * values[column] : out[t][column];
      }
    }
  }
}

/// Finishes the sparse tables of a row. The intervals that have values are listed first: nothing predicts which do.
template <class G, class Seed>
void OutsideSolver<G, Seed>::close_sparse(Tile& tile, std::size_t row, const std::array<Row, stencils.size()>& around) {
  const std::size_t i = tile.i * side + row, first_j = tile.j * side;
  std::array<std::uint8_t, side> columns;
  std::size_t count = 0;
  for (std::size_t column = std::min(side, tables_.points() - first_j); column-- > (tile.i == tile.j ? row + 1 : 0);) {
    columns[count] = static_cast<std::uint8_t>(column);
    count += grammar_.may_have_value(i, first_j + column) ? 1 : 0;
  }
  for (std::size_t t = 0; t < count; ++t) close_interval<0, sparse>(tile, row, columns[t], around);
}

/// Gives the outside values of the tables begin .. end-1 of one interval to what their terms read, the last term first.
template <class G, class Seed>
template <unsigned begin, unsigned end>
[[gnu::flatten]] void OutsideSolver<G, Seed>::close_interval(Tile& tile, std::size_t row, std::size_t column,
                                                             const std::array<Row, stencils.size()>& around) {
  constexpr bool is_sparse = end < table_count<G>;
  const auto has = [](unsigned table) { return begin <= table && table < end; };
  const std::size_t i = tile.i * side + row, j = tile.j * side + column, from_right = side - 1 - column;
  const std::size_t place = row * side + column;
  std::array<double, table_count<G>> out{};
  for (unsigned t = begin; t < end; ++t) {
    out[t] = seed_(t, i, j).times_power_of_two(tile.exponent) + tile.windows.inside(t, row, from_right);
  }
  for (std::size_t p = 0; p < products.size(); ++p) {
    const auto [left, right] = products[p];
    if (has(left)) out[left] += tile.left.data()[p * size + place];
    if (has(right)) out[right] += tile.right.data()[p * size + place];
  }
  for (std::size_t s = 0; s < stencils.size(); ++s) {
    if (!has(stencils[s].of) || around[s][from_right] == 0) continue;
    out[stencils[s].of] += inner_times<G>(grammar_, s, i, j, around[s][from_right]);
  }
  std::vector<ReadTerm>& reads = tile.reads.terms;
  reads.clear();
  ReadTerms terms(tile.reads, i, j);
  if constexpr (is_sparse) {
    for (unsigned t = 0; t < end; ++t) out[t] += tile.given[t][column];
    grammar_.sparse_terms(i, j, terms);
  } else if constexpr (begin > 0) {
    grammar_.dense_terms(i, j, terms);
  } else {
    grammar_.terms(i, j, terms);
  }
  std::array<double, stencils.size()> of_stencils{};
  for (std::size_t t = reads.size(); t-- > 0;) {
    const ReadTerm& term = reads[t];
    const double part = out[term.table] * term.weight;
    switch (term.kind) {
      case ReadTerm::Kind::here:
        out[term.index] += part;
        break;
      case ReadTerm::Kind::product:
        tile.outside.data()[term.index * size + place] += part;
        break;
      case ReadTerm::Kind::stencil:
        of_stencils[term.index] += part;
        break;
      case ReadTerm::Kind::inside:
        tile.windows.inside.give(term.index, from_right, term.a, term.b, part);
    }
  }
  for (unsigned t = 0; t < begin; ++t) tile.given[t][column] = out[t];
  for (std::size_t s = 0; s < stencils.size(); ++s) tile.windows.of_stencils[s].at(row, from_right) += of_stencils[s];
  for (std::size_t result = 0; result < wanted_.size(); ++result) {
    double& marginal = marginals_[result].tile(tile.i, tile.j)[place];
    for (const unsigned t : wanted_[result]) {
      if (!has(t)) continue;
      const bool is_marginal = result_ == OutsideResult::marginals;
      marginal += is_marginal ? out[t] * tables_.table(t).tile(tile.i, tile.j)[place] : out[t];
    }
  }
}

/// Makes a product's outside values ready for other tiles.
template <class G, class Seed>
void OutsideSolver<G, Seed>::publish(Tile& tile) {
  for (std::size_t p = 0; p < products.size(); ++p) {
    const double* outside = tile.outside.data() + p * size;
    tiles::transpose_tile(outside, transposed_of(p, tile.i, tile.j));
    tops_[tiles::tile_number(tile.i, tile.j)][p] = extent_of(operations_, outside).top;
  }
}

}  // namespace warpfold::interval::detail
