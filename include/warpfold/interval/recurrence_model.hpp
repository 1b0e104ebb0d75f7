#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "warpfold/core/arithmetic.hpp"
#include "warpfold/core/tile_storage.hpp"
#include "warpfold/interval/stored_values.hpp"
#include "warpfold/tiles/tile_operations.hpp"
#include "warpfold/tiles/tile_table.hpp"

/// How to write a recurrence over the intervals of n points, as one struct:
///
///     value(i,i)   = one()
///     value(i,i+1) = leaf(i)
///     value(i,j)   = close(i, j, best[, value(i+1,j-1)]),
///                    best = plus over i<k<j of times(value(i,k), value(k,j))[ and split(i,k,j)]
///
/// The struct names its semiring (core/semiring.hpp, or your own) and has these members, all const:
///
///     using Semiring = MinPlus<double>;
///     Value leaf(i);
///
/// one of these three, called for j >= i+2:
///
///     Value weight(i, j);              // close is times(best, weight(i,j)): the fastest
///     Value close(i, j, best);
///     Value close(i, j, best, inner);  // with the inner value, value(i+1,j-1)
///
/// and at most one of these two:
///
///     ProductSplit<Value> product_split();  // a split that is a product (tile_operations.hpp)
///     Value split(i, k, j);                 // any other split
///
/// Cost: n(n-1)(n-2)/6 products and about n*n/2 values. The library's vector code runs the products if it has the
/// semiring (tile_operations.hpp) and the split is a product or absent. Otherwise your compiler generates the loops.
///
/// Values: leaf, weight, close and split return zero() for "none", or an accepted value. Under (min,+) zero() is
/// infinity<T> or anything beyond. Under (min,+) and (max,+), integers up to max/16 in absolute value and floats up to
/// max/8 are accepted. Elsewhere everything but NaN is accepted, or what the semiring's accepts(value) accepts.
///
/// Any other value, returned or in the table, raises Error{overflow} that names the interval, or Error{input} for NaN.
/// A product split raises Error{overflow} if the product of its lists' largest numbers is not accepted. It also does so
/// if that of `middle` and `right`, which is formed first, does not fit the type.
///
/// The guide is docs/guides/your-own-recurrence.md.
namespace warpfold::interval {

namespace detail {

/// Detects whether R has a member of a given name, of any kind, access and constness. A second member of that name,
/// from another base, makes it ambiguous.
struct Leaf {
  int leaf;
};
struct Weight {
  int weight;
};
struct Close {
  int close;
};
struct Split {
  int split;
};
struct FactoredSplit {
  int product_split;
};
template <class R, class Name>
struct Beside : R, Name {};
template <class R>
inline constexpr bool names_leaf = !requires {
  &Beside<R, Leaf>::leaf;
};
template <class R>
inline constexpr bool names_weight = !requires {
  &Beside<R, Weight>::weight;
};
template <class R>
inline constexpr bool names_close = !requires {
  &Beside<R, Close>::close;
};
template <class R>
inline constexpr bool names_split = !requires {
  &Beside<R, Split>::split;
};
template <class R>
inline constexpr bool names_product_split = !requires {
  &Beside<R, FactoredSplit>::product_split;
};

/// Whether a function that returns From may be used where a Value is expected. No number may be truncated, and no
/// finite number may become infinite. Floating point may round an integer.
template <class From, class Value>
constexpr bool becomes() {
  using Given = std::remove_cvref_t<From>;
  if constexpr (!std::is_convertible_v<From, Value>) return false;
  if constexpr (!std::is_arithmetic_v<Value> || !std::is_arithmetic_v<Given>) return true;
  if constexpr (std::is_floating_point_v<Value> && std::is_integral_v<Given>) return true;
  if constexpr (std::is_integral_v<Value> && std::is_floating_point_v<Given>) return false;
  return std::numeric_limits<Given>::digits <= std::numeric_limits<Value>::digits &&
         (std::is_signed_v<Value> || std::is_unsigned_v<Given>);
}
template <class From, class Value>
concept Becomes = becomes<From, Value>();

template <class R>
concept NamesSemiring = IsSemiring<typename R::Semiring>;
template <class R>
struct SemiringOf {
  using Type = MinPlus<double>;  // keeps the error output after the message short
};
template <NamesSemiring R>
struct SemiringOf<R> {
  using Type = typename R::Semiring;
};

/// The checked members of R. Each rule stops the compilation with a message that says what to write.
template <class R>
struct CheckedRecurrence {
  static_assert(NamesSemiring<R>,
                "a recurrence names its semiring: using Semiring = warpfold::MinPlus<double>; one of "
                "your own has Value, which is made without arguments and copied, and static zero(), one(), plus(a, b), "
                "times(a, b), is_zero(a)");
  static_assert(std::is_class_v<R> && !std::is_final_v<R>, "a recurrence is a struct or class that is not final");
  using Value = typename SemiringOf<R>::Type::Value;
  using Index = std::size_t;

  static constexpr bool has_leaf = requires(const R& r, Index i) {
    { r.leaf(i) } -> Becomes<Value>;
  };
  static constexpr bool has_weight = requires(const R& r, Index i) {
    { r.weight(i, i) } -> Becomes<Value>;
  };
  static constexpr bool has_close = requires(const R& r, Index i, Value v) {
    { r.close(i, i, v) } -> Becomes<Value>;
  };
  static constexpr bool has_close_with_inner = requires(const R& r, Index i, Value v) {
    { r.close(i, i, v, v) } -> Becomes<Value>;
  };
  static constexpr bool has_split = requires(const R& r, Index i) {
    { r.split(i, i, i) } -> Becomes<Value>;
  };
  static constexpr bool has_product_split = requires(const R& r) {
    { r.product_split() } -> std::same_as<ProductSplit<Value>>;
  };

  static_assert(has_leaf,
                "a recurrence has a public member: Value leaf(std::size_t i) const; no wider type, no fraction "
                "for integers");
  static_assert(has_weight || !names_weight<R>,
                "weight is a public member: Value weight(std::size_t i, std::size_t j) const; no wider type, no "
                "fraction for integers");
  static_assert(has_close || has_close_with_inner || !names_close<R>,
                "close is a public member: Value close(std::size_t i, std::size_t j, Value best) const; or with a last "
                "Value inner; no wider type, no fraction for integers");
  static_assert(!(names_weight<R> && names_close<R>), "a recurrence has weight or close, not both");
  static_assert(!(has_close && has_close_with_inner), "a recurrence has one close: with inner, or without");
  static_assert(names_weight<R> || names_close<R>,
                "a recurrence has a public member: Value weight(std::size_t i, std::size_t j) const; or Value "
                "close(std::size_t i, std::size_t j, Value best) const; or close with a last Value inner");
  static_assert(has_split || !names_split<R>,
                "split is a public member: Value split(std::size_t i, std::size_t k, std::size_t j) const; no wider "
                "type, no fraction for integers");
  static_assert(has_product_split || !names_product_split<R>,
                "product_split is a public member: ProductSplit<Value> product_split() const; with the semiring's "
                "Value, returned by value");
  static_assert(!(names_split<R> && names_product_split<R>), "a recurrence has split or product_split, not both");
};

}  // namespace detail

template <class R>
using ValueOf = typename detail::CheckedRecurrence<R>::Value;

template <class R>
inline constexpr bool closes_with_inner = detail::CheckedRecurrence<R>::has_close_with_inner;
template <class R>
inline constexpr bool closes_by_weight = detail::CheckedRecurrence<R>::has_weight;
template <class R>
inline constexpr bool splits_by_product = detail::CheckedRecurrence<R>::has_product_split;
template <class R>
inline constexpr bool splits_freely = detail::CheckedRecurrence<R>::has_split;

/// Translates stored numbers to values.
template <class T>
struct TableMeaning {
  T zero, one;
  T stored_zero;  ///< zero() as it is stored

  template <class S>
  static constexpr TableMeaning of() {
    return {S::zero(), S::one(), detail::Stored<S>::zero()};
  }
  [[nodiscard]] T operator()(const T& stored) const {
    if constexpr (std::is_integral_v<T>) return stored == stored_zero ? zero : stored;
    return stored;
  }
};

/// A finished table: value(i,j) for i <= j < points().
template <class T>
class IntervalTable {
 public:
  static constexpr std::size_t side = warpfold::tiles::tile_side;
  /// the most that a Split can name
  static constexpr std::size_t max_points = std::numeric_limits<std::uint32_t>::max();

  explicit IntervalTable(std::size_t points, const TableMeaning<T>& meaning, Pages pages = Pages::huge)
      : IntervalTable(points, meaning, TileStorage<T>(table_size(points, side), pages)) {}
  /// A table in memory of another one for as many points.
  IntervalTable(std::size_t points, const TableMeaning<T>& meaning, TileStorage<T> values)
      : points_(points), meaning_(meaning), values_(std::move(values)) {}

  static std::size_t tiles(std::size_t points) { return tile_count(points, side); }
  static std::size_t bytes(std::size_t points) { return bytes_of(table_size(points, side), sizeof(T)); }

  [[nodiscard]] std::size_t points() const { return points_; }
  [[nodiscard]] T value(std::size_t i, std::size_t j) const {
    return i == j ? meaning_.one : meaning_(values_.data()[entry_offset(i, j, side)]);
  }
  [[nodiscard]] T value() const { return value(0, points_ - 1); }  ///< of the whole interval
  [[nodiscard]] const T& zero() const { return meaning_.zero; }    ///< value(i,j) if the interval has none

  /// The entries of tile (i,j) as they are stored (stored_values.hpp), row by row. For the solvers.
  [[nodiscard]] T* tile(std::size_t i, std::size_t j) const {
    return values_.data() + warpfold::tiles::tile_offset(i, j, side);
  }
  /// The table's memory, without which it has no values.
  [[nodiscard]] TileStorage<T> take_storage() { return std::move(values_); }

 private:
  std::size_t points_;
  TableMeaning<T> meaning_;
  TileStorage<T> values_;
};

}  // namespace warpfold::interval
