#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <type_traits>

#include "warpfold/core/error.hpp"
#include "warpfold/interval/detail/caller_functions.hpp"
#include "warpfold/interval/detail/tile_scales.hpp"
#include "warpfold/interval/grammar_model.hpp"

/// The terms of one interval of a grammar. The solver and the search for a derivation each pass an object of their own
/// to the grammar's `terms`; both compute a term's value here.
namespace warpfold::interval::detail {

/// What a term reads from the tables, with its value as it is stored.
template <class T>
struct Operand {
  enum class Kind : unsigned char { none, inside, here, product, stencil, before, prefix };
  Kind kind;
  unsigned index;    ///< the table or prefix table, or the number of the product, stencil or prefix sum
  std::size_t i, j;  ///< the interval that it reads; of a product, a stencil or a sum the one that it is for
  T stored;
};

template <class Part>
inline constexpr bool is_operand = false;
template <class T>
inline constexpr bool is_operand<Operand<T>> = true;

inline std::string place_in_table(unsigned table, std::size_t i, std::size_t j) {
  return "table " + std::to_string(table) + " at " + interval_text(i, j);
}

/// Checks that the tables' terms come in their order.
class TableOrder {
 public:
  /// For terms of the tables begin .. end-1.
  TableOrder(unsigned begin, unsigned end) : first_open_(begin), end_(end) {}

  /// A term of this table comes. Raises Error{usage} if a later table was begun, or this one was read.
  void add(unsigned table) {
    if (table < first_open_ || table >= end_) reject(table);
    first_open_ = table;
  }
  /// This table is read at the same interval. It takes no more terms.
  void read(unsigned table) { first_open_ = std::max(first_open_, table + 1); }

  /// Raises that error.
  [[noreturn, gnu::noinline]] static void reject(unsigned table) {
    throw Error(ErrorKind::usage, "a term of table " + std::to_string(table) +
                                      " comes after `here` of it or after a later table: the tables' terms are "
                                      "accepted in their order, those of sparse tables in sparse_terms");
  }

 private:
  unsigned first_open_;  ///< the tables before it are complete
  unsigned end_;
};

[[noreturn, gnu::noinline]] inline void reject_number(const char* what, std::size_t number, std::size_t count) {
  throw Error(ErrorKind::usage, std::string(what) + " " + std::to_string(number) + " is read: the grammar has " +
                                    std::to_string(count) + ", counted from 0");
}
/// Raises Error{usage} for a number that the grammar does not have. `what`: "table", "product" and so on. Costs nothing
/// for a constant.
inline void check_number(const char* what, std::size_t number, std::size_t count) {
  if (number >= count) reject_number(what, number, count);
}

template <class G>
[[noreturn, gnu::noinline]] void reject_part(unsigned table, std::size_t i, std::size_t j,
                                             const GrammarValue<G> value) {
  reject_value<typename G::Semiring>("a value of " + place_in_table(table, i, j), value);
}

/// `a` if the condition holds, else `b`. Integers without a branch: nothing predicts which intervals have a value.
template <class T>
constexpr T select(bool condition, const T& a, const T& b) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(b ^ ((a ^ b) & static_cast<T>(-static_cast<T>(condition))));
  } else {
    return condition ? a : b;
  }
}

/// Whether zero() is the number 0, and one() is 1.
template <class S>
inline constexpr bool multiplies_numbers = [] {
  if constexpr (std::is_floating_point_v<typename S::Value>) return S::zero() == 0 && S::one() == 1;
  return false;
}();

/// A part of a term as it is stored.
template <class G, class Part>
GrammarValue<G> stored_part(unsigned table, std::size_t i, std::size_t j, const Part& part) {
  using T = GrammarValue<G>;
  static_assert(is_operand<Part> || BecomesValue<Part, T>,
                "a term's parts are the semiring's values; no wider type, no fraction for integers");
  static_assert(!is_weight<Part> || multiplies_numbers<typename G::Semiring>,
                "a Weight is a part of terms whose semiring multiplies and has 0 for zero(): ScaledSum, Counting, "
                "MaxTimes");
  if constexpr (is_operand<Part>) {
    return part.stored;
  } else {
    using Values = Stored<typename G::Semiring>;
    const auto value = static_cast<T>(part);
    if (!Values::accepts(value)) reject_part<G>(table, i, j, value);
    return Values::of(value);
  }
}

/// The product of parts as they are stored, in their order: zero() if any has no value.
template <class S>
constexpr typename S::Value product_of_parts(std::initializer_list<typename S::Value> parts) {
  using T = typename S::Value;
  using Values = Stored<S>;
  T total = Values::of(S::one());
  bool is_absent = false;
  for (const T& value : parts) {
    const bool is_zero = Values::is_zero(value);
    // A sum of several infinities may not fit the type.
    total = Values::times(total, Values::limited ? select(is_zero, Values::of(S::one()), value) : value);
    is_absent |= is_zero;
  }
  if constexpr (is_scaled<S>) return with_trace(total, 1);
  return select(is_absent, Values::zero(), total);
}

/// What a term may be made of.
template <class... Parts>
constexpr void check_parts() {
  static_assert(sizeof...(Parts) >= 1 && sizeof...(Parts) <= 8, "a term has 1 to 8 parts");
  static_assert((is_operand<Parts> + ...) <= 1, "a term reads the tables once: split it into two tables");
}

/// The value of a term as it is stored, or something that is zero.
template <class G, class... Parts>
GrammarValue<G> term_value(unsigned table, std::size_t i, std::size_t j, const Parts&... parts) {
  using Values = Stored<typename G::Semiring>;
  check_parts<Parts...>();
  if constexpr (Values::limited && sizeof...(Parts) <= 2) {  // two infinities fit the type, and their sum is infinite
    GrammarValue<G> sum = 0;
    ((sum = Values::times(sum, stored_part<G>(table, i, j, parts))), ...);
    return sum;
  }
  return product_of_parts<typename G::Semiring>({stored_part<G>(table, i, j, parts)...});
}

template <class S, class T>
[[noreturn, gnu::noinline]] void reject_inner(std::size_t i, std::size_t j, const T weight) {
  reject_value<S>("inner" + interval_text(i, j), weight);
}

/// What stencil s reads of interval (i,j) with this value: its product with the weight of the interval, if the grammar
/// has one.
template <class G>
GrammarValue<G> inner_times([[maybe_unused]] const G& grammar, [[maybe_unused]] std::size_t s,
                            [[maybe_unused]] std::size_t i, [[maybe_unused]] std::size_t j,
                            const GrammarValue<G>& stored) {
  if constexpr (weights_inner<G>) {
    using Values = Stored<typename G::Semiring>;
    if (Values::is_zero(stored)) return stored;
    const GrammarValue<G> weight = inner_of(grammar, s, i, j);
    if (!Values::accepts(weight)) reject_inner<typename G::Semiring>(i, j, weight);
    return Values::is_zero(weight) ? Values::zero() : Values::times(stored, Values::of(weight));
  } else {
    return stored;
  }
}

/// The address of T(table,i,j), i < j.
template <class T>
T* entry_of(const IntervalTable<T>& table, std::size_t i, std::size_t j) {
  constexpr std::size_t side = IntervalTable<T>::side;
  return table.tile(i / side, j / side) + i % side * side + j % side;
}

[[noreturn, gnu::noinline]] inline void reject_same_row() {
  throw Error(
      ErrorKind::usage,
      "a term of a sparse table reads an interval that begins at i: stencils and inside(table, a, b) with a >= 1 "
      "are accepted");
}

[[noreturn, gnu::noinline]] inline void reject_inside_of_nothing() {
  throw Error(ErrorKind::usage, "inside(table, 0, 0) is the interval itself: here(table) reads it");
}

/// T(table,i,j), i < j, as it is stored. Of a prefix table i is 0, and j may be 0: not under ScaledSum.
template <class G>
GrammarValue<G> stored_value(const GrammarTables<G>& tables, unsigned table, std::size_t i, std::size_t j) {
  if constexpr (has_prefixes<G> && !is_scaled<typename G::Semiring>) {
    if (table >= table_count<G>) return tables.stored_prefix(table - table_count<G>, j);
  }
  if constexpr (names_not_kept<G>) {
    if (!is_kept<G>(table)) return Stored<typename G::Semiring>::of(tables.value(table, i, j));
  }
  return *entry_of(tables.table(table), i, j);
}

/// T(table, i+a, j-b) for a term of interval (i,j). Raises Error{usage} if a + b is 0.
template <class G, class Tables>
Operand<GrammarValue<G>> read_inside(const Tables& tables, unsigned table, std::size_t i, std::size_t j, std::size_t a,
                                     std::size_t b) {
  using T = GrammarValue<G>;
  if (a + b == 0) reject_inside_of_nothing();
  const bool has_length = a < j - i && b < j - i - a;
  const T stored = has_length ? stored_value(tables, table, i + a, j - b) : Stored<typename G::Semiring>::zero();
  return {Operand<T>::Kind::inside, table, i + a, j - b, stored};
}

/// The same in a tile's unit, for what may be in another tile.
template <class G>
[[gnu::noinline]] GrammarValue<G> read_beyond(const GrammarTables<G>& tables, const UnitOf<typename G::Semiring>& unit,
                                              unsigned table, std::size_t i, std::size_t j, std::size_t a,
                                              std::size_t b) {
  if constexpr (names_not_kept<G>) {
    const bool has_length = a < j - i && b < j - i - a;
    if (has_length && !is_kept<G>(table)) {
      if (const auto* entry = tables.in_rim(not_kept_place<G>(table), i + a, j - b)) return *entry;
    }
  }
  const auto operand = read_inside<G>(tables, table, i, j, a, b);
  const bool is_zero = Stored<typename G::Semiring>::is_zero(operand.stored);
  return is_zero ? operand.stored : unit.read(operand.stored, operand.i, operand.j);
}

template <class S, class T>
[[noreturn, gnu::noinline]] void reject_total(unsigned table, std::size_t i, std::size_t j, const T value) {
  reject_value<S>(place_in_table(table, i, j), value);
}
[[noreturn, gnu::noinline]] inline void leave_unit(unsigned table, std::size_t i, std::size_t j, bool is_large) {
  throw OutOfUnit{table, i, j, is_large};
}

/// A value after all its terms as it is stored. Raises what `reject_value` raises.
template <class S, class T = typename S::Value>
[[gnu::always_inline]] inline T stored_total(unsigned table, std::size_t i, std::size_t j, const T& value) {
  using Values = Stored<S>;
  const bool is_zero = Values::is_zero(value);
  if (!Values::accepts(value) && !is_zero) reject_total<S>(table, i, j, value);
  return select(is_zero, Values::zero(), Values::of(value));
}

/// Computes the values of the tables begin .. end-1 of one interval from its terms. All intervals inside it are final,
/// and so are the tables before `begin`. If `end` is not the number of tables, the intervals that begin after i are.
template <class G, unsigned begin, unsigned end>
class IntervalTerms {
 public:
  using S = typename G::Semiring;
  using T = GrammarValue<G>;
  using Values = Stored<S>;
  using Kind = typename Operand<T>::Kind;

  /// `products` and `stencils`: their values for this interval, as they are stored.
  /// `tile`: the tile of each table that the interval is in.
  IntervalTerms(const GrammarTables<G>& tables, const std::array<T*, table_count<G>>& tile, const UnitOf<S>& unit,
                std::size_t i, std::size_t j, const T* products, const T* stencils)
      : tables_(tables), tile_(tile), unit_(unit), i_(i), j_(j), products_(products), stencils_(stencils) {
    values_.fill(Values::zero());
  }

  template <class... Parts>
  void operator()(unsigned table, const Parts&... parts) {
    order_.add(table);
    const T term = term_value<G>(table, i_, j_, parts...);
    constexpr bool reads = (is_operand<Parts> || ...);
    T& value = values_[table - begin];
    value = S::plus(value, reads ? term : unit_.constant(term));
  }
  [[nodiscard]] Operand<T> inside(unsigned table, std::size_t a, std::size_t b) const {
    constexpr std::size_t side = tiles::tile_side;
    check_number("table", table, table_count<G>);
    if (is_first && a == 0) reject_same_row();
    const bool is_near = a + b > 0 && a < side - row_ && b <= column_;
    return {Kind::inside, table, i_ + a, j_ - b,
            is_near ? tile_[table][place() + a * side - b] : read_beyond(tables_, unit_, table, i_, j_, a, b)};
  }
  [[nodiscard]] Operand<T> here(unsigned table) {
    order_.read(table);
    return {Kind::here, table, i_, j_, table < begin ? tile_[table][place()] : final_value(table)};
  }
  [[nodiscard]] Operand<T> product(unsigned p) const {
    check_number("product", p, products_of<G>().size());
    if (is_first) reject_same_row();
    return {Kind::product, p, i_, j_, products_[p]};
  }
  [[nodiscard]] Operand<T> stencil(unsigned s) const {
    check_number("stencil", s, stencils_of<G>().size());
    return {Kind::stencil, s, i_, j_, stencils_[s]};
  }

  /// The value of a table after all its terms. Raises what `reject_value` raises, or OutOfUnit.
  [[nodiscard]] T final_value(unsigned table) const {
    const T value = values_[table - begin];
    if constexpr (is_scaled<S>) {
      const bool is_zero = Values::is_zero(value);
      const bool is_small = !is_zero && value < smallest_value;
      if (is_small && unit_.lost() != LostValues::rejected) {
        return unit_.lost() == LostValues::bounded ? smallest_value : 0;
      }
      if (is_small || !(value <= largest_value)) leave_unit(table, i_, j_, !is_small);
      return select(is_zero, Values::zero(), Values::of(value));
    } else {
      return stored_total<S>(table, i_, j_, value);
    }
  }
  /// Puts the values into the tiles.
  void finish() const {
    for (unsigned t = begin; t < end; ++t) tile_[t][place()] = final_value(t);
  }
  /// The interval's place in its tile.
  [[nodiscard]] std::size_t place() const { return row_ * tiles::tile_side + column_; }

 private:
  static constexpr bool is_first = end < table_count<G>;

  const GrammarTables<G>& tables_;
  const std::array<T*, table_count<G>>& tile_;
  const UnitOf<S>& unit_;
  std::size_t i_, j_;
  std::size_t row_ = i_ % tiles::tile_side, column_ = j_ % tiles::tile_side;  ///< in the tile
  const T* products_;
  const T* stencils_;
  std::array<T, end - begin> values_;
  TableOrder order_{begin, end};
};

/// Reads the terms of an interval as those of a recurrence, for a grammar of one table and one product: a weight of the
/// product, and a value beside it.
template <class G>
class RecurrenceTerms {
 public:
  using S = typename G::Semiring;
  using T = GrammarValue<G>;
  using Values = Stored<S>;
  using Kind = typename Operand<T>::Kind;

  RecurrenceTerms(std::size_t i, std::size_t j) : i_(i), j_(j) {}

  template <class... Parts>
  void operator()(unsigned table, const Parts&... parts) {
    const T term = term_value<G>(table, i_, j_, parts...);  // the product counts as one()
    fits_ &= table == 0;
    if constexpr ((is_operand<Parts> || ...)) {
      fits_ &= sizeof...(Parts) <= 2 && !has_weight_;  // more parts may round in another order
      has_weight_ = true;
      weight_ = term;
    } else {
      value_ = S::plus(value_, term);
    }
  }
  [[nodiscard]] Operand<T> product(unsigned p) {
    fits_ &= p == 0;
    return {Kind::product, p, i_, j_, one};
  }
  [[nodiscard]] Operand<T> inside(unsigned table, std::size_t, std::size_t) { return other(table); }
  [[nodiscard]] Operand<T> here(unsigned table) { return other(table); }
  [[nodiscard]] Operand<T> stencil(unsigned s) { return other(s); }

  /// Whether the interval's value is plus(value(), times(product, weight())).
  [[nodiscard]] bool fits() const { return fits_ && (!has_value() || j_ == i_ + 1 || weight_ == one); }
  [[nodiscard]] T value() const { return has_value() ? value_ : Values::zero(); }
  /// It is one() where there is a value, which closing a tile would weigh, too.
  [[nodiscard]] T weight() const { return has_value() ? one : weight_; }

 private:
  static constexpr T one = Values::of(S::one());

  [[nodiscard]] bool has_value() const { return !Values::is_zero(value_); }
  [[nodiscard]] Operand<T> other(unsigned index) {
    fits_ = false;
    return {Kind::none, index, i_, j_, one};
  }

  std::size_t i_, j_;
  bool fits_ = true, has_weight_ = false;
  T weight_ = Values::zero(), value_ = Values::zero();
};

}  // namespace warpfold::interval::detail
