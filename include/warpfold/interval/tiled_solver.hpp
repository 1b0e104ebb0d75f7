#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "warpfold/core/error.hpp"
#include "warpfold/core/run.hpp"
#include "warpfold/interval/recurrence_model.hpp"
#include "warpfold/interval/tile_run.hpp"

namespace warpfold::interval::detail {

/// How far whole numbers under sums may go, where max/4 plays infinity. Two values, a split and a weight stay below
/// `infinite`, and an infinity that took up a value, a split and a weight of the other sign does not. All positive.
template <class T>
struct SumLimits {
  static constexpr T infinite = static_cast<T>(MinPlus<T>::zero() / 8 * 5);
  static constexpr T split = static_cast<T>(MinPlus<T>::zero() / 4);
  static constexpr T weight = static_cast<T>(MinPlus<T>::zero() / 8);
  static constexpr T split_beside_weight = static_cast<T>(MinPlus<T>::zero() / 16);  ///< and a weight beside a split
};

/// Whether SumLimits apply, on any device.
template <class Semiring, class T = typename Semiring::Value>
inline constexpr bool has_sum_limits = std::is_integral_v<T>&& is_one_of<Semiring, MinPlus<T>, MaxPlus<T>>;

/// Fills one table on the CPU: the operations on its tiles for one recurrence. Vector code of the library multiplies,
/// and closes where the recurrence closes by weights; the rest is compiled straight, by blocks of
/// recurrence_block_side to keep it small.
template <Recurrence R>
class TiledSolver final : public TileWork {
 public:
  using Semiring = typename R::Semiring;
  using T = ValueOf<R>;
  static constexpr std::size_t side = recurrence_tile_side;

  TiledSolver(const R& recurrence, std::size_t points)
      : recurrence_(recurrence), points_(points), table_(points, Semiring::one()) {
    if constexpr (multiplies_in_vectors) operations_ = tile_operations<Semiring>();
    if constexpr (SplitsByProduct<R>) copy_split();
  }

  /// Operations of the recurrence in a whole table, as `fill` counts them.
  static double operations(std::size_t points) {
    return TileRun::count(RecurrenceTable<T>::tiles(points)) * static_cast<double>(side * side * side);
  }
  /// Few tiles are finished before a second thread has started.
  static int useful_threads(std::size_t points, int threads) {
    const std::size_t tiles = RecurrenceTable<T>::tiles(points);
    return tiles < 4 ? 1 : static_cast<int>(std::min(static_cast<std::size_t>(threads), tiles));
  }

  void fill(int threads, Watch& watch) {
    TileRun(RecurrenceTable<T>::tiles(points_), static_cast<double>(side * side * side)).run(threads, watch, *this);
  }
  [[nodiscard]] const RecurrenceTable<T>& table() const { return table_; }
  [[nodiscard]] RecurrenceTable<T> take_table() { return std::move(table_); }

  void clear(std::size_t tile_i, std::size_t tile_j) override;
  void accumulate(const TileProduct& product, const TileProduct& next) override;
  void close(std::size_t tile_i, std::size_t tile_j) override;

 private:
  static constexpr bool proven = std::is_same_v<Semiring, ProvenMinPlus<T>>;
  static constexpr bool sums = proven || is_one_of<Semiring, MinPlus<T>, MaxPlus<T>>;
  static constexpr bool multiplies_in_vectors =
      has_tile_operations<Semiring> && !SplitsFreely<R> && (sums || !SplitsByProduct<R>);
  static constexpr bool closes_in_vectors = multiplies_in_vectors && ClosesByWeight<R>;
  static constexpr bool bounded = has_sum_limits<Semiring>;
  static constexpr bool whole_rows = multiplies_in_vectors;
  static constexpr std::size_t block = recurrence_block_side;
  static constexpr std::size_t blocks = side / block;

  void copy_split();
  void close_in_vectors(std::size_t tile_i, std::size_t tile_j);
  void copy_weights(std::size_t tile_i, std::size_t tile_j, T* weight) const;
  T accepted_weight(std::size_t i, std::size_t j) const;
  T accepted_value(std::size_t i, std::size_t j, T value) const;
  void close_block(std::size_t block_i, std::size_t block_j);
  T close_entry(std::size_t i, std::size_t j, T best) const;
  void accumulate_blocks(std::size_t block_i, std::size_t first_k, std::size_t last_k, std::size_t block_j);
  void multiply(T* c, const T* a, const T* b, std::size_t rows, std::size_t columns, std::size_t depth, std::size_t i,
                std::size_t k, std::size_t j) const;

  /// times(a, b), and the split of the points i < k < j.
  T join(const T& a, const T& b, std::size_t i, std::size_t k, std::size_t j) const {
    if constexpr (SplitsFreely<R>) return Semiring::times(Semiring::times(a, b), recurrence_.split(i, k, j));
    if constexpr (SplitsByProduct<R>) return Semiring::times(Semiring::times(a, b), split_(i, k, j));
    return Semiring::times(a, b);
  }

  [[nodiscard]] ProductSplit<T> split_at(std::size_t i, std::size_t k, std::size_t j) const {
    if constexpr (!SplitsByProduct<R>) return {};
    return {split_.left + i, split_.middle + k, split_.right + j, split_.fused};
  }

  /// The block's first entry; its rows are a tile side apart.
  T* at_block(std::size_t block_i, std::size_t block_j) const {
    return table_.tile(block_i / blocks, block_j / blocks) + block_i % blocks * block * side + block_j % blocks * block;
  }

  const R& recurrence_;
  std::size_t points_;
  RecurrenceTable<T> table_;
  TileOperations<T> operations_{};
  std::vector<T> factors_;  ///< the split's three lists, filled up with zeros to whole tiles
  ProductSplit<T> split_;
};

template <Recurrence R>
void TiledSolver<R>::copy_split() {
  const ProductSplit<T> given = recurrence_.product_split();
  const std::size_t padded = RecurrenceTable<T>::tiles(points_) * side;
  factors_.assign(3 * padded, T{0});
  long double largest = 1;
  T* to = factors_.data();
  for (const T* list : std::array{given.left, given.middle, given.right}) {
    std::copy_n(list, points_, to);
    long double most = 0;
    for (std::size_t t = 0; t < points_; ++t) most = std::max(most, std::abs(static_cast<long double>(list[t])));
    largest *= most;
    to += padded;
  }
  split_ = {factors_.data(), factors_.data() + padded, factors_.data() + 2 * padded, given.fused};
  if constexpr (bounded) {
    const T limit = ClosesByWeight<R> ? SumLimits<T>::split_beside_weight : SumLimits<T>::split;
    if (largest >= static_cast<long double>(limit)) {
      throw Error(ErrorKind::input,
                  "the product split does not fit the type: products below " + std::to_string(limit) + " are accepted");
    }
  }
}

template <Recurrence R>
void TiledSolver<R>::clear(std::size_t tile_i, std::size_t tile_j) {
  std::fill_n(table_.tile(tile_i, tile_j), side * side, Semiring::zero());
}

template <Recurrence R>
void TiledSolver<R>::accumulate(const TileProduct& product, const TileProduct& next) {
  const auto [i, k, j] = product;
  T* c = table_.tile(i, j);
  const T* a = table_.tile(i, k);
  const T* b = table_.tile(k, j);
  if constexpr (multiplies_in_vectors) {
    operations_.product(c, a, b, split_at(i * side, k * side, j * side), table_.tile(next.i, next.k),
                        table_.tile(next.k, next.j));
  } else {
    multiply(c, a, b, side, side, side, i * side, k * side, j * side);
  }
}

/// Compiled straight, block columns go from the left, block rows from the bottom: a block needs those left of it and
/// below it.
template <Recurrence R>
void TiledSolver<R>::close(std::size_t tile_i, std::size_t tile_j) {
  if constexpr (closes_in_vectors) return close_in_vectors(tile_i, tile_j);
  const std::size_t end_block = (points_ + block - 1) / block;
  const std::size_t first_i = tile_i * blocks;
  const std::size_t first_j = tile_j * blocks;
  for (std::size_t bj = first_j; bj < std::min(first_j + blocks, end_block); ++bj) {
    const std::size_t last_i = tile_i == tile_j ? bj + 1 : first_i + blocks;
    for (std::size_t bi = last_i; bi-- > first_i;) {
      if (tile_i == tile_j) {
        accumulate_blocks(bi, bi + 1, bj, bj);
      } else {
        accumulate_blocks(bi, bi + 1, first_i + blocks, bj);
        accumulate_blocks(bi, first_j, bj, bj);
      }
      close_block(bi, bj);
    }
  }
}

template <Recurrence R>
void TiledSolver<R>::close_in_vectors(std::size_t tile_i, std::size_t tile_j) {
  T* c = table_.tile(tile_i, tile_j);
  // The leaves, of points that are neighbours, in this tile.
  for (std::size_t i = tile_i * side; i < std::min((tile_i + 1) * side, points_ - 1); ++i) {
    if ((i + 1) / side == tile_j) c[i % side * side + (i + 1) % side] = accepted_value(i, i + 1, recurrence_.leaf(i));
  }
  alignas(64) T weight[side * side];
  copy_weights(tile_i, tile_j, weight);
  Closing<T> closing{weight, Semiring::zero(), Semiring::zero(), split_, tile_i * side, tile_j * side};
  if constexpr (bounded) {
    closing.infinite = static_cast<T>(Semiring::zero() > 0 ? SumLimits<T>::infinite : -SumLimits<T>::infinite);
  } else if constexpr (proven && std::is_integral_v<T>) {
    closing.infinite = static_cast<T>(Semiring::zero() - Semiring::zero() / 2);
  }
  if (tile_i == tile_j) {
    operations_.close_diagonal(c, closing);
  } else {
    operations_.close(c, table_.tile(tile_i, tile_i), table_.tile(tile_j, tile_j), closing);
  }
  if constexpr (sums && !proven) {
    bool fit = true;
    for (std::size_t t = 0; t < side * side; ++t) fit &= Semiring::fits(c[t]);
    for (std::size_t t = 0; !fit && t < side * side; ++t) {
      static_cast<void>(accepted_value(tile_i * side + t / side, tile_j * side + t % side, c[t]));
    }
  }
}

/// The weights of a tile as Closing wants them.
template <Recurrence R>
void TiledSolver<R>::copy_weights(std::size_t tile_i, std::size_t tile_j, T* weight) const {
  const std::size_t last_j = std::min((tile_j + 1) * side, points_);
  for (std::size_t row = 0; row < side; ++row, weight += side) {
    const std::size_t i = tile_i * side + row;
    const std::size_t first_j = std::min(std::max(tile_j * side, i + 2), last_j);
    std::fill(weight, weight + (first_j - tile_j * side), Semiring::one());
    for (std::size_t j = first_j; j < last_j; ++j) weight[j - tile_j * side] = accepted_weight(i, j);
    std::fill(weight + (last_j - tile_j * side), weight + side, Semiring::one());
  }
}

template <Recurrence R>
ValueOf<R> TiledSolver<R>::accepted_weight(std::size_t i, std::size_t j) const {
  const T weight = recurrence_.weight(i, j);
  if constexpr (!proven && (bounded || std::is_floating_point_v<T>)) {
    bool accepted = true;
    if constexpr (bounded) {
      if (Semiring::is_zero(weight)) return static_cast<T>(2 * Semiring::zero());  // stays infinite beside any value
      const T limit = SplitsByProduct<R> ? SumLimits<T>::split_beside_weight : SumLimits<T>::weight;
      accepted = weight > -limit && weight < limit;
    } else {
      accepted = weight == weight && (!sums || weight != -Semiring::zero());
    }
    if (!accepted) {
      throw Error(ErrorKind::input, "weight(" + std::to_string(i) + "," + std::to_string(j) + ") is " +
                                        std::to_string(weight) + ": it does not fit the type");
    }
  }
  return weight;
}

/// The value as it stands in the table. Raises Error{input} where it does not fit.
template <Recurrence R>
ValueOf<R> TiledSolver<R>::accepted_value(std::size_t i, std::size_t j, T value) const {
  if constexpr (requires { Semiring::fits(value); }) {
    if (!Semiring::fits(value)) {
      throw Error(ErrorKind::input, "value(" + std::to_string(i) + "," + std::to_string(j) + ") is " +
                                        std::to_string(value) + ": it does not fit the type");
    }
  }
  return Semiring::is_zero(value) ? Semiring::zero() : value;
}

/// Adds to a block the products of the blocks (block_i, k) and (k, block_j), first_k <= k < last_k, of one tile each.
template <Recurrence R>
void TiledSolver<R>::accumulate_blocks(std::size_t block_i, std::size_t first_k, std::size_t last_k,
                                       std::size_t block_j) {
  if (first_k >= last_k) return;
  T* c = at_block(block_i, block_j);
  const T* a = at_block(block_i, first_k);
  const T* b = at_block(first_k, block_j);
  const std::size_t depth = (last_k - first_k) * block;
  if constexpr (multiplies_in_vectors) {
    operations_.block_product(c, a, b, depth, split_at(block_i * block, first_k * block, block_j * block));
  } else {
    multiply(c, a, b, block, block, depth, block_i * block, first_k * block, block_j * block);
  }
}

/// The products as the user's compiler makes them. i, k, j: the points at the first row and columns.
template <Recurrence R>
void TiledSolver<R>::multiply(T* c, const T* a, const T* b, std::size_t rows, std::size_t columns, std::size_t depth,
                              std::size_t i, std::size_t k, std::size_t j) const {
  const std::size_t used_rows = std::min(rows, points_ - i);
  const std::size_t used_columns = std::min(columns, points_ - j);
  for (std::size_t row = 0; row < used_rows; ++row) {
    for (std::size_t middle = 0; middle < depth; ++middle) {
      const T from_a = a[row * side + middle];
      for (std::size_t column = 0; column < used_columns; ++column) {
        T& target = c[row * side + column];
        target = Semiring::plus(target, join(from_a, b[middle * side + column], i + row, k + middle, j + column));
      }
    }
  }
}

/// What is left of a block: splits at the points of its own rows and columns, and the entries themselves.
template <Recurrence R>
void TiledSolver<R>::close_block(std::size_t block_i, std::size_t block_j) {
  const bool diagonal = block_i == block_j;
  T* c = at_block(block_i, block_j);
  const T* left = at_block(block_i, block_i);
  const T* below = at_block(block_j, block_j);
  const std::size_t i0 = block_i * block;
  const std::size_t j0 = block_j * block;
  const std::size_t columns = std::min(block, points_ - j0);
  for (std::size_t row = std::min(block, points_ - i0); row-- > 0;) {
    std::array<T, block> best;
    std::copy_n(c + row * side, block, best.begin());
    for (std::size_t k = row + 1; !diagonal && k < block; ++k) {
      for (std::size_t column = 0; column < block; ++column) {
        const T candidate = join(left[row * side + k], c[k * side + column], i0 + row, i0 + k, j0 + column);
        best[column] = Semiring::plus(best[column], candidate);
      }
    }
    for (std::size_t column = diagonal ? row + 1 : 0; column < columns; ++column) {
      const T value = close_entry(i0 + row, j0 + column, best[column]);
      c[row * side + column] = value;
      // Whole rows where the semiring is a vector's: up to the diagonal stands zero, which changes nothing.
      for (std::size_t next = whole_rows ? 0 : column + 1; next < (whole_rows ? block : columns); ++next) {
        const T candidate = join(value, below[column * side + next], i0 + row, j0 + column, j0 + next);
        best[next] = Semiring::plus(best[next], candidate);
      }
    }
  }
}

template <Recurrence R>
ValueOf<R> TiledSolver<R>::close_entry(std::size_t i, std::size_t j, T best) const {
  if (j == i + 1) return accepted_value(i, j, recurrence_.leaf(i));
  if constexpr (has_tile_operations<Semiring>) best = Semiring::is_zero(best) ? Semiring::zero() : best;
  if constexpr (ClosesByWeight<R>) {
    return accepted_value(i, j, Semiring::times(best, accepted_weight(i, j)));
  } else if constexpr (ClosesWithInner<R>) {
    return accepted_value(i, j, recurrence_.close(i, j, best, table_.value(i + 1, j - 1)));
  } else {
    return accepted_value(i, j, recurrence_.close(i, j, best));
  }
}

}  // namespace warpfold::interval::detail
