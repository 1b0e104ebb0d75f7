#pragma once

#include <concepts>
#include <cstddef>

#include "warpfold/core/tile_storage.hpp"
#include "warpfold/interval/tile_operations.hpp"

/// A recurrence of your own over the intervals of n points, as one struct:
///
///     value(i,i)   = one()
///     value(i,i+1) = leaf(i)
///     value(i,j)   = close(i, j, best[, value(i+1,j-1)]),
///                    best = plus over i<k<j of times(value(i,k), value(k,j))[ and split(i,k,j)]
///
/// The struct names its semiring (core/semiring.hpp, or one of your own) and has these members, all const:
///
///     using Semiring = MinPlus<double>;
///     Value leaf(i);
///
/// one of these three, called for j >= i+2:
///
///     Value weight(i, j);              // close is times(best, weight(i,j)): the fastest, where it says enough
///     Value close(i, j, best);
///     Value close(i, j, best, inner);  // the inner value counts
///
/// and at most one of these two:
///
///     ProductSplit<Value> product_split();  // a split that is a product (tile_operations.hpp)
///     Value split(i, k, j);                 // any other
///
/// n(n-1)(n-2)/6 products. They run in the vector code of the machine's best instruction set for the semirings of
/// tile_operations.hpp with no split or a product; otherwise as your compiler makes them. Memory: about n*n/2 values.
/// docs/your-own-recurrence.md is the guide.
namespace warpfold::interval {

template <class R>
using ValueOf = typename R::Semiring::Value;

template <class R>
concept ClosesWithInner = requires(const R& r, std::size_t i, ValueOf<R> v) {
  { r.close(i, i, v, v) } -> std::convertible_to<ValueOf<R>>;
};
template <class R>
concept ClosesByWeight = requires(const R& r, std::size_t i) {
  { r.weight(i, i) } -> std::convertible_to<ValueOf<R>>;
};
template <class R>
concept SplitsByProduct = requires(const R& r) {
  { r.product_split() } -> std::same_as<ProductSplit<ValueOf<R>>>;
};
template <class R>
concept SplitsFreely = requires(const R& r, std::size_t i) {
  { r.split(i, i, i) } -> std::convertible_to<ValueOf<R>>;
};
template <class R>
concept Recurrence = requires(const R& r, std::size_t i, ValueOf<R> v) {
  { r.leaf(i) } -> std::convertible_to<ValueOf<R>>;
  requires ClosesByWeight<R> || ClosesWithInner<R> || requires {
    { r.close(i, i, v) } -> std::convertible_to<ValueOf<R>>;
  };
};

/// The finished table: value(i,j) for i <= j < points().
template <class T>
class RecurrenceTable {
 public:
  static constexpr std::size_t side = recurrence_tile_side;

  explicit RecurrenceTable(std::size_t points, T one)
      : points_(points), one_(one), values_(bytes(points) / sizeof(T)) {}

  static std::size_t tiles(std::size_t points) { return (points + side - 1) / side; }
  static std::size_t bytes(std::size_t points) {
    return tiles(points) * (tiles(points) + 1) / 2 * side * side * sizeof(T);
  }

  [[nodiscard]] std::size_t points() const { return points_; }
  [[nodiscard]] T value(std::size_t i, std::size_t j) const {
    return i == j ? one_ : tile(i / side, j / side)[i % side * side + j % side];
  }

  /// The entries of tile (i,j), row by row; for the solver.
  [[nodiscard]] T* tile(std::size_t i, std::size_t j) const {
    return values_.data() + (j * (j + 1) / 2 + i) * side * side;
  }

 private:
  std::size_t points_;
  T one_;
  TileStorage<T> values_;
};

}  // namespace warpfold::interval
