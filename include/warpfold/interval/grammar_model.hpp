#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "warpfold/core/scaled.hpp"
#include "warpfold/interval/recurrence_model.hpp"
#include "warpfold/run/checkpointer.hpp"

/// How to write a grammar over the intervals of n points: a recurrence of several tables.
///
///     T(t,i,j) = plus over the terms of table t,   0 <= i < j < n.  T(t,i,i) has no value.
///
/// A term is the semiring's product of the caller's values and of at most one of these:
///
///     add.inside(u, a, b)   T(u, i+a, j-b), with a + b >= 1
///     add.here(u)           T(u, i, j), of a table before this one
///     add.product(p)        plus over i<k<j of times(T(left,i,k), T(right,k,j))
///     add.stencil(s)        plus over a, b >= 0, a + b <= deep, of times(loop(a,b), T(of, i+1+a, j-1-b)), and of the
///                           weight of that interval if the grammar has `inner`
///
/// The struct names its semiring, the number of its tables, its products and stencils, and writes its terms once:
///
///     using Semiring = MaxPlus<std::int32_t>;
///     enum Table : unsigned { pairs, all, tables };       // the last is their number, 1 to 32
///     static constexpr Product products[] = {{.left = all, .right = all}};
///     static constexpr Stencil stencils[] = {{.of = pairs, .deep = 30}};   // only if there are any
///     Value loop(std::size_t a, std::size_t b) const;     // the weights of stencil 0; loop(s, a, b) if there are more
///     Value inner(std::size_t i, std::size_t j) const;    // optional: the weight of an interval that it reads and
///                                                         // that has a value; inner(s, i, j) if there are more
///     template <class Add>
///     void terms(std::size_t i, std::size_t j, Add& add) const {
///       add(pairs, score(i, j), add.inside(all, 1, 1));
///       add(all, add.here(pairs));
///       add(all, add.product(0));
///     }
///
/// If most intervals have no value in the first tables, a grammar names these tables and their intervals. Then `terms`
/// is in two parts, and the solvers call the first one only for the intervals that it names:
///
///     static constexpr unsigned sparse = 1;                         // the tables before this one
///     bool may_have_value(std::size_t i, std::size_t j) const;      // in one of them
///     template <class Add>
///     void sparse_terms(std::size_t i, std::size_t j, Add& add) const;  // of the sparse tables. They read stencils,
///                                                                       // and `inside` with a >= 1
///     template <class Add>
///     void dense_terms(std::size_t i, std::size_t j, Add& add) const;   // of the other tables
///     template <class Add>
///     void terms(std::size_t i, std::size_t j, Add& add) const {
///       if (may_have_value(i, j)) sparse_terms(i, j, add);
///       dense_terms(i, j, add);
///     }
///
/// On a GPU threads share the sparse terms of an interval if the grammar names their parts. One after the other these
/// are sparse_terms. No part reads a sparse table `here`, and no other term reads a stencil:
///
///     static constexpr unsigned sparse_parts = 2;
///     template <unsigned part, class Add>
///     void sparse_part(std::size_t i, std::size_t j, Add& add) const;
///
/// Under ScaledSum it also states the most terms of each part but the first, which has any number. Without this list
/// one thread calls sparse_terms:
///
///     static constexpr std::array<unsigned, sparse_parts> part_terms = {0, 3};
///
/// A table whose only term is a product, add(branches, add.product(0)), and that is read near its own place needs no
/// memory. It is no operand of a product, no stencil's table and not `start`. Its values are computed again when they
/// are asked for, in O(j - i). Not under ScaledSum:
///
///     static constexpr ProductTable not_kept[] = {{.table = branches, .product = 0}};
///
/// Options::checkpointer saves the tables of a grammar that describes itself, and goes on with them only if all
/// descriptions are the same:
///
///     // appends all that the terms of point i and later points depend on
///     void describe_point(std::size_t i, std::vector<std::byte>& bytes) const;
///
/// A grammar may have vector code of its own for the rows of tiles. The solvers on the CPU call it instead of the terms
/// of the row's intervals; the values have to be the same. It returns false to leave a row to the terms, as it does for
/// a value that is not accepted. `inner_row` is the same for `inner`. Under ScaledSum both keep the traces of
/// detail/tile_scales.hpp. See GrammarRow:
///
///     static constexpr std::size_t row_reach = 4;         // how near are the intervals that a row reads: 1 to 16
///     bool close_row(const GrammarRow<Value>& row) const;
///     // of stencil s and the intervals (i,j), (i,j+1) and so on
///     bool inner_row(std::size_t s, std::size_t i, std::size_t j, std::span<const Value> values,
///                    Value* weighted) const;
///
/// Prefix tables come after the tables. They have a value for each point, that of what lies before it: the loop of a
/// folding outside of all pairs, or a text as a list of words. A term reads at most one of
///
///     add.before(q, d)      F(q, j-d). No value for d > j. For d = 0, q is a prefix table before this one
///     add.prefix(s)         plus over i < j of times(F(left,i), T(right,i,j)), and of join(i,j) if the grammar has it
///
///     enum PrefixTable : unsigned { exterior, prefix_tables };          // the last is their number, 1 to 32
///     static constexpr PrefixSum prefix_sums[] = {{.left = exterior, .right = pairs}};
///     Value join(std::size_t i, std::size_t j) const;                   // optional; join(s, i, j) if there are more
///     template <class Add>
///     void prefix_terms(std::size_t j, Add& add) const {                // F(exterior,j), 0 <= j < n
///       add(exterior, j == 0 ? Semiring::one() : Semiring::zero());
///       add(exterior, add.before(exterior, 1));
///       add(exterior, add.prefix(0));
///     }
///
/// In steps and in value(table, i, j) prefix table p has the number tables + p, and the intervals (0,j).
///
/// `terms` adds the terms of a table one after the other, and takes the tables in their order. The number and the order
/// of its calls of `add` must not depend on i and j. The same holds for `prefix_terms`. The value of the whole is that
/// of the last prefix table, or of the last table if there is no prefix table, unless the grammar names a table:
///
///     static constexpr unsigned start = all;
///
/// Values: as in recurrence_model.hpp. A term with a value of zero() counts as absent.
///
/// Sums by ScaledSum are differentiated by numbers that are marked as a Weight where they are used: in a term, or as
/// the result of loop, inner or join. See Weight.
///
/// Cost: n^3/6 operations for each product, n*n/2 times (deep+1)(deep+2)/2 for each stencil, n*n/2 for each prefix sum,
/// and one call of `terms` for each interval. About n*n/2 values for each table.
namespace warpfold::interval {

/// The product of two tables: plus over i<k<j of times(T(left,i,k), T(right,k,j)).
struct Product {
  unsigned left, right;
};

/// A table seen through a triangle of constant weights: plus over a + b <= deep of times(loop(a,b), T(of,i+1+a,j-1-b)).
struct Stencil {
  unsigned of;
  std::size_t deep;  ///< 0 to `max_stencil_depth`
};

/// A table that is a product and nothing else.
struct ProductTable {
  unsigned table, product;
};

/// The sum of a prefix table and a table: plus over i<j of times(F(left,i), T(right,i,j)).
struct PrefixSum {
  unsigned left, right;
};

/// A number of the caller by which sums are differentiated (derivatives.hpp): a part of a term, or the result of loop,
/// inner or join. It refers to the number, which has to live as long as the grammar. Weight() is 0:
///
///     add(pairs, may_pair(i, j) ? Weight(score(i, j)) : Weight(), add.inside(all, 1, 1));
///
/// For semirings whose zero() is 0 and whose times multiplies: ScaledSum, Counting and MaxTimes.
class Weight {
 public:
  constexpr Weight() = default;
  explicit constexpr Weight(const double& number) : number_(&number) {}
  explicit Weight(double&&) = delete;  // nothing would hold it

  /// Explicit, because a condition that makes it a plain number would lose the derivative.
  template <std::floating_point T>
  explicit constexpr operator T() const {
    return number_ ? static_cast<T>(*number_) : T{0};
  }
  /// Where the number is; null if there is none.
  [[nodiscard]] constexpr const double* number() const { return number_; }

 private:
  const double* number_ = nullptr;
};

/// A stencil reaches into the neighboring tiles only.
inline constexpr std::size_t max_stencil_depth = tiles::tile_side - 2;

/// A row of a tile: the intervals (i,j), (i,j+1) .. (i,j+63), in that order. Values are as they are stored
/// (stored_values.hpp). All intervals inside those of the row are final, except for those that begin at i.
template <class T>
struct GrammarRow {
  std::size_t i, j;
  std::size_t begin, end;    ///< the columns that have intervals; those of others stay zero()
  T* const* values;          ///< the results, by tables
  const T* const* products;  ///< by products: the sums over the splits at points before j
  const T* const* right;     ///< by products: `right` of the intervals between the points j .. j+63, 64 values a row
  const T* const* stencils;  ///< by stencils: their sums
  const T* const* near;      ///< see `inside`
  std::size_t reach;         ///< the grammar's row_reach
  T one;                     ///< one(), under ScaledSum in the unit of the row's values: 2^-900 or infinite beyond that

  /// T(table, i+a, j+column-b) is `inside(table, a)[column - b]`, for a <= reach and b <= reach. With a = 0 only
  /// columns before j have values, and a table that is not kept has a <= 1 and b <= 1.
  [[nodiscard]] const T* inside(unsigned table, std::size_t a) const { return near[table * (reach + 1) + a]; }
};

namespace detail {

struct ProductNames {
  int products;
};
struct StencilNames {
  int stencils;
};
struct NotKeptNames {
  int not_kept;
};
struct PrefixSumNames {
  int prefix_sums;
};
struct PrefixTermNames {
  int prefix_terms;
};
template <class G>
inline constexpr bool names_products = !requires {
  &Beside<G, ProductNames>::products;
};
template <class G>
inline constexpr bool names_stencils = !requires {
  &Beside<G, StencilNames>::stencils;
};

template <class G>
inline constexpr bool names_not_kept = !requires {
  &Beside<G, NotKeptNames>::not_kept;
};

template <class G>
inline constexpr bool names_prefix_sums = !requires {
  &Beside<G, PrefixSumNames>::prefix_sums;
};
template <class G>
inline constexpr bool names_prefix_terms = !requires {
  &Beside<G, PrefixTermNames>::prefix_terms;
};

template <class T, std::size_t size>
constexpr std::array<T, size> array_of(const T (&list)[size]) {
  return std::to_array(list);
}
template <class T, std::size_t size>
constexpr std::array<T, size> array_of(const std::array<T, size>& list) {
  return list;
}
template <class G>
constexpr auto products_of() {
  if constexpr (names_products<G>) {
    return array_of(G::products);
  } else {
    return std::array<Product, 0>();
  }
}
template <class G>
constexpr auto stencils_of() {
  if constexpr (names_stencils<G>) {
    return array_of(G::stencils);
  } else {
    return std::array<Stencil, 0>();
  }
}
template <class G>
constexpr auto not_kept_of() {
  if constexpr (names_not_kept<G>) {
    return array_of(G::not_kept);
  } else {
    return std::array<ProductTable, 0>();
  }
}
template <class G>
constexpr auto prefix_sums_of() {
  if constexpr (names_prefix_sums<G>) {
    return array_of(G::prefix_sums);
  } else {
    return std::array<PrefixSum, 0>();
  }
}
/// The number of prefix tables.
template <class G>
constexpr unsigned prefixes_of() {
  if constexpr (requires { G::prefix_tables; }) {
    return static_cast<unsigned>(G::prefix_tables);
  } else {
    return 0;
  }
}
/// The place of a table among those that are not kept; their number if it is kept.
template <class G>
constexpr std::size_t not_kept_place(unsigned table) {
  constexpr auto list = not_kept_of<G>();
  std::size_t place = 0;
  while (place != list.size() && list[place].table != table) ++place;
  return place;
}
template <class G>
constexpr bool is_kept(unsigned table) {
  return not_kept_place<G>(table) == not_kept_of<G>().size();
}
template <class G>
constexpr unsigned start_of() {
  if constexpr (requires { G::start; }) {
    return G::start;
  } else {
    return static_cast<unsigned>(G::tables) + prefixes_of<G>() - 1;
  }
}

template <class G>
constexpr bool reads_its_tables() {
  const auto is_table = [](unsigned table) { return table < static_cast<unsigned>(G::tables) && is_kept<G>(table); };
  const auto is_prefix = [](unsigned table) { return table < prefixes_of<G>(); };
  bool right = start_of<G>() < static_cast<unsigned>(G::tables)
                   ? is_table(start_of<G>())
                   : is_prefix(start_of<G>() - static_cast<unsigned>(G::tables));
  for (const Product& product : products_of<G>()) right = right && is_table(product.left) && is_table(product.right);
  for (const Stencil& stencil : stencils_of<G>()) {
    right = right && is_table(stencil.of) && stencil.deep <= max_stencil_depth;
  }
  for (const PrefixSum& sum : prefix_sums_of<G>()) {
    right = right && is_prefix(sum.left) && is_table(sum.right);
  }
  for (const ProductTable& one : not_kept_of<G>()) {
    right = right && one.table < static_cast<unsigned>(G::tables) && one.product < products_of<G>().size();
  }
  return right;
}

template <class Part>
inline constexpr bool is_weight = std::is_same_v<std::remove_cvref_t<Part>, interval::Weight>;

/// Whether a caller's function may return From where a Value is expected.
template <class From, class Value>
concept BecomesValue = Becomes<From, Value> ||(is_weight<From>&& std::is_floating_point_v<Value>);

/// The checked statements of G. Each rule stops the compilation with a message that says what to write.
template <class G>
struct CheckedGrammar {
  static_assert(NamesSemiring<G>, "a grammar names its semiring: using Semiring = warpfold::MinPlus<std::int32_t>;");
  static_assert(std::is_class_v<G> && !std::is_final_v<G>, "a grammar is a struct or class that is not final");
  static_assert(
      requires { G::tables; }, "a grammar names its tables: enum Table : unsigned { pairs, all, tables };");
  static_assert(static_cast<unsigned>(G::tables) >= 1 && static_cast<unsigned>(G::tables) <= 32,
                "a grammar has 1 to 32 tables");
  static_assert(reads_its_tables<G>(),
                "start, and what products, stencils and prefix sums read, is one of the tables that are kept; a prefix "
                "sum reads a prefix table on its left; a stencil is at most 62 deep; a table that is not kept has a "
                "product");
  static_assert(names_prefix_terms<G> ? prefixes_of<G>() >= 1 && prefixes_of<G>() <= 32 : prefixes_of<G>() == 0,
                "a grammar with prefix tables has prefix_terms(j, add) and names 1 to 32 of them: enum PrefixTable : "
                "unsigned { exterior, prefix_tables };");
  using Value = typename SemiringOf<G>::Type::Value;
  static_assert(!names_not_kept<G> || !is_scaled<typename SemiringOf<G>::Type>, "ScaledSum keeps all tables");
  static constexpr std::size_t stencils = stencils_of<G>().size();
  static constexpr bool has_loop = requires(const G& g, std::size_t a) {
    { g.loop(a, a) } -> BecomesValue<Value>;
  };
  static constexpr bool has_loops = requires(const G& g, std::size_t a) {
    { g.loop(a, a, a) } -> BecomesValue<Value>;
  };
  static_assert(stencils == 0 || has_loops || (stencils == 1 && has_loop),
                "a grammar with a stencil has a public member: Value loop(std::size_t a, std::size_t b) const; with "
                "several, the number of the stencil comes first; no wider type, no fraction for integers");
};

/// Whether G weights the intervals that its stencils read.
template <class G>
inline constexpr bool weights_inner = requires(const G& g, std::size_t i) {
  g.inner(i, i);
}
|| requires(const G& g, std::size_t i) { g.inner(i, i, i); };

/// Whether G has vector code for rows, and for the weights of a row.
template <class G>
inline constexpr bool closes_rows = requires(const G& g, const GrammarRow<typename CheckedGrammar<G>::Value>& row) {
  { g.close_row(row) } -> std::same_as<bool>;
};
template <class G>
inline constexpr bool weights_rows = requires(const G& g, std::size_t i, typename CheckedGrammar<G>::Value* values) {
  { g.inner_row(i, i, i, std::span(std::as_const(values), i), values) } -> std::same_as<bool>;
};

/// How near the intervals are that a row reads; 0 without vector code for rows.
template <class G>
constexpr std::size_t row_reach_of() {
  if constexpr (closes_rows<G>) {
    static_assert(G::row_reach >= 1 && G::row_reach <= 16, "a row reads 1 to 16 points further");
    return G::row_reach;
  } else {
    return 0;
  }
}

/// Whether G weights the intervals that its prefix sums read.
template <class G>
inline constexpr bool joins = requires(const G& g, std::size_t i) {
  g.join(i, i);
}
|| requires(const G& g, std::size_t i) { g.join(i, i, i); };

/// What the caller returns for an interval of stencil s, and for one of prefix sum s: a Value or a Weight.
template <class G>
constexpr auto given_inner(const G& grammar, [[maybe_unused]] std::size_t s, std::size_t i, std::size_t j) {
  if constexpr (requires { grammar.inner(s, i, j); }) {
    return grammar.inner(s, i, j);
  } else {
    return grammar.inner(i, j);
  }
}
template <class G>
constexpr auto given_join(const G& grammar, [[maybe_unused]] std::size_t s, std::size_t i, std::size_t j) {
  if constexpr (requires { grammar.join(s, i, j); }) {
    return grammar.join(s, i, j);
  } else {
    return grammar.join(i, j);
  }
}

/// The weight of interval (i,j) for stencil s of a grammar with `inner`.
template <class G>
constexpr typename CheckedGrammar<G>::Value inner_of(const G& grammar, std::size_t s, std::size_t i, std::size_t j) {
  return static_cast<typename CheckedGrammar<G>::Value>(given_inner(grammar, s, i, j));
}
/// The weight of interval (i,j) for prefix sum s of a grammar with `join`.
template <class G>
constexpr typename CheckedGrammar<G>::Value join_of(const G& grammar, std::size_t s, std::size_t i, std::size_t j) {
  return static_cast<typename CheckedGrammar<G>::Value>(given_join(grammar, s, i, j));
}

/// The number of sparse tables, the first ones, of a grammar that names them, else 0.
template <class G>
constexpr unsigned sparse_of() {
  if constexpr (requires { G::sparse; }) {
    return G::sparse;
  } else {
    return 0;
  }
}

/// The number of parts of sparse_terms: 1, if the grammar does not name them.
template <class G>
constexpr unsigned sparse_parts_of() {
  if constexpr (requires { G::sparse_parts; }) {
    return G::sparse_parts;
  } else {
    return 1;
  }
}

/// What the caller returns for stencil s at (a,b): a Value or a Weight.
template <class G>
constexpr auto given_loop([[maybe_unused]] const G& grammar, [[maybe_unused]] std::size_t s,
                          [[maybe_unused]] std::size_t a, [[maybe_unused]] std::size_t b) {
  if constexpr (CheckedGrammar<G>::has_loops) {
    return grammar.loop(s, a, b);
  } else if constexpr (CheckedGrammar<G>::has_loop) {
    return grammar.loop(a, b);
  } else {
    return G::Semiring::zero();  // there is no stencil
  }
}
/// The weight of stencil s at (a,b).
template <class G>
constexpr typename CheckedGrammar<G>::Value loop_of(const G& grammar, std::size_t s, std::size_t a, std::size_t b) {
  return static_cast<typename CheckedGrammar<G>::Value>(given_loop(grammar, s, a, b));
}

}  // namespace detail

/// The values of a grammar G, whose semiring's they are.
template <class G>
using GrammarValue = typename detail::CheckedGrammar<G>::Value;

/// The number of tables of a grammar, and of its prefix tables.
template <class G>
inline constexpr unsigned table_count = static_cast<unsigned>(G::tables);
template <class G>
inline constexpr unsigned prefix_count = detail::prefixes_of<G>();
template <class G>
inline constexpr bool has_prefixes = prefix_count<G> != 0;

/// The finished tables of a grammar.
template <class G>
class GrammarTables {
 public:
  using T = GrammarValue<G>;
  using Semiring = typename G::Semiring;
  /// A value as the caller sees it: under ScaledSum a number of any magnitude.
  using Value = std::conditional_t<is_scaled<Semiring>, Scaled, T>;

  explicit GrammarTables(std::size_t points, Pages pages = Pages::huge) {
    TableMeaning<T> meaning = TableMeaning<T>::template of<Semiring>();
    meaning.one = Semiring::zero();  // of an interval without length
    const std::size_t size = table_size(points, IntervalTable<T>::side);
    tables_.reserve(table_count<G>);
    for (unsigned t = 0; t < table_count<G>; ++t) {
      tables_.emplace_back(points, meaning, TileStorage<T>(detail::is_kept<G>(t) ? size : 1, pages));
    }
    rims_.resize(rim_size(points));
    prefixes_.resize(prefix_count<G> * points);
    if (is_scaled<Semiring>) exponents_.resize(tiles::tiles_in_table(IntervalTable<T>::tiles(points)));
  }

  static std::size_t bytes(std::size_t points) {
    const std::size_t exponents = is_scaled<Semiring> ? tiles::tiles_in_table(IntervalTable<T>::tiles(points)) : 0;
    return bytes_of(table_count<G> - not_kept.size(), held_bytes_of_tiles(IntervalTable<T>::bytes(points))) +
           exponents * sizeof(std::int32_t) + rim_size(points) * sizeof(T) + prefix_count<G> * points * sizeof(Value);
  }

  [[nodiscard]] std::size_t points() const { return tables_[0].points(); }
  /// T(table,i,j), i <= j < points(). Of a prefix table i is 0.
  [[nodiscard]] Value value(unsigned table, std::size_t i, std::size_t j) const {
    if constexpr (has_prefixes<G>) {
      if (table >= table_count<G>) return prefix_value(table - table_count<G>, j);
    }
    if constexpr (!not_kept.empty()) {
      if (!detail::is_kept<G>(table)) return product_value(not_kept[detail::not_kept_place<G>(table)].product, i, j);
    }
    if constexpr (is_scaled<Semiring>) {
      return Scaled(tables_[table].value(i, j), exponents_[tiles::tile_number(i / side, j / side)]);
    } else {
      return tables_[table].value(i, j);
    }
  }
  /// F(prefix,j), j < points().
  [[nodiscard]] Value prefix_value(unsigned prefix, std::size_t j) const {
    if constexpr (is_scaled<Semiring>) {
      return stored_prefix(prefix, j);
    } else {
      return TableMeaning<T>::template of<Semiring>()(stored_prefix(prefix, j));
    }
  }
  /// The value of the whole: T(start, 0, points()-1).
  [[nodiscard]] Value value() const { return value(detail::start_of<G>(), 0, points() - 1); }

  /// F(prefix,j) as it is stored; under ScaledSum the value itself. For the solvers.
  [[nodiscard]] Value& stored_prefix(unsigned prefix, std::size_t j) { return prefixes_[prefix * points() + j]; }
  [[nodiscard]] const Value& stored_prefix(unsigned prefix, std::size_t j) const {
    return prefixes_[prefix * points() + j];
  }

  /// A table that is kept.
  [[nodiscard]] const IntervalTable<T>& table(unsigned table) const { return tables_[table]; }
  /// The memory of a table, without which it has no values.
  [[nodiscard]] TileStorage<T> take_storage(unsigned table) { return tables_[table].take_storage(); }
  /// Under ScaledSum, the exponent of each tile by its number (detail/tile_scales.hpp). For the solvers.
  [[nodiscard]] std::vector<std::int32_t>& exponents() { return exponents_; }
  [[nodiscard]] const std::vector<std::int32_t>& exponents() const { return exponents_; }

  /// Keeps the first row and the last column of a tile, as they are stored, of the table with this place among those
  /// that are not kept. For the solvers.
  void keep_rim(std::size_t place, std::size_t tile_i, std::size_t tile_j, const T* tile) {
    T* rim = rims_.data() + rim_place(place, tile_i, tile_j);
    std::copy_n(tile, side, rim);
    for (std::size_t row = 0; row < side; ++row) rim[side + row] = tile[row * side + side - 1];
  }
  /// All that is kept of the tiles, one place for each table, for a checkpointer. Super-tiles have `group` tiles a
  /// side.
  [[nodiscard]] std::vector<SuperTiles> super_tiles(std::size_t group) {
    const std::size_t along = IntervalTable<T>::tiles(points());
    std::vector<SuperTiles> places;
    for (unsigned t = 0; t < table_count<G>; ++t) {
      if (!detail::is_kept<G>(t)) continue;
      places.push_back({reinterpret_cast<std::byte*>(tables_[t].tile(0, 0)), side * side * sizeof(T), along, group});
    }
    if (rims_.empty()) return places;
    places.push_back(
        {reinterpret_cast<std::byte*>(rims_.data()), 2 * side * not_kept.size() * sizeof(T), along, group});
    return places;
  }
  /// The entry (i,j) of such a table, if it is in a rim, else null.
  [[nodiscard]] const T* in_rim(std::size_t place, std::size_t i, std::size_t j) const {
    const T* rim = rims_.data() + rim_place(place, i / side, j / side);
    if (i % side == 0) return rim + j % side;
    return j % side == side - 1 ? rim + side + i % side : nullptr;
  }

 private:
  static constexpr std::size_t side = tiles::tile_side;
  static constexpr auto not_kept = detail::not_kept_of<G>();

  static std::size_t rim_size(std::size_t points) {
    return 2 * side * not_kept.size() * tiles::tiles_in_table(IntervalTable<T>::tiles(points));
  }
  static std::size_t rim_place(std::size_t place, std::size_t tile_i, std::size_t tile_j) {
    return (tiles::tile_number(tile_i, tile_j) * not_kept.size() + place) * 2 * side;
  }
  [[nodiscard]] T product_value(unsigned product, std::size_t i, std::size_t j) const {
    const auto [left, right] = detail::products_of<G>()[product];
    T sum = Semiring::zero();
    for (std::size_t k = i + 1; k < j; ++k) {
      sum = Semiring::plus(sum, Semiring::times(tables_[left].value(i, k), tables_[right].value(k, j)));
    }
    return Semiring::is_zero(sum) ? Semiring::zero() : sum;
  }

  std::vector<IntervalTable<T>> tables_;
  std::vector<std::int32_t> exponents_;
  std::vector<T> rims_;          ///< of the tables that are not kept
  std::vector<Value> prefixes_;  ///< of each prefix table, by points
};

/// One step of a derivation: the term that gives T(table,i,j) its value.
struct Step {
  unsigned table;
  std::uint32_t i, j;
  unsigned term;  ///< the number of the call of `add` in `terms` for this interval, over all tables, from 0; of a
                  ///< prefix table in `prefix_terms`
  /// The interval that the term reads. A product reads (i,k) and (k,j): first == last == k, and so does a prefix sum. A
  /// term that reads none has first == last == i.
  std::uint32_t first, last;
};

}  // namespace warpfold::interval
