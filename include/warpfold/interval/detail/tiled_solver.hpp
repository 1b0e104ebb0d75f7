#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "warpfold/core/error.hpp"
#include "warpfold/interval/detail/caller_functions.hpp"
#include "warpfold/interval/recurrence_model.hpp"
#include "warpfold/run/run.hpp"
#include "warpfold/tiles/tile_scheduler.hpp"

namespace warpfold::interval::detail {

/// Closes a tile that has all its products and leaves, in the library's vector code. `weight`: as in tiles::Closing.
template <class S, class T = typename S::Value>
void close_by_weights(const tiles::TileOperations<T>& operations, const IntervalTable<T>& table, std::size_t tile_i,
                      std::size_t tile_j, const T* weight, const ProductSplit<T>& split) {
  using Values = Stored<S>;
  constexpr std::size_t side = tiles::tile_side;
  tiles::Closing<T> closing{weight, Values::zero(), Values::zero(), split, tile_i * side, tile_j * side};
  if constexpr (requires { Values::infinite_from; }) {
    closing.infinite = static_cast<T>(Values::zero() > 0 ? Values::infinite_from : -Values::infinite_from);
  }
  T* c = table.tile(tile_i, tile_j);
  if (tile_i == tile_j) {
    operations.close_diagonal(c, closing);
  } else {
    operations.close(c, table.tile(tile_i, tile_i), table.tile(tile_j, tile_j), closing);
  }
}

/// Whether the solver accepts all values of a tile. There is no value below the diagonal.
template <class S, class T = typename S::Value>
bool accepts_tile([[maybe_unused]] const T* c, [[maybe_unused]] std::size_t tile_i,
                  [[maybe_unused]] std::size_t tile_j) {
  using Values = Stored<S>;
  if constexpr (Values::limited) {
    constexpr std::size_t side = tiles::tile_side;
    const auto fits = [&](std::size_t t) {  // without branches
      return ((c[t] >= -Values::largest) & (c[t] <= Values::largest)) | (c[t] == Values::zero());
    };
    unsigned all_fit = 1;
    for (std::size_t t = 0; t < side * side; ++t) all_fit &= fits(t);
    for (std::size_t t = 0; !all_fit && t < side * side; ++t) {
      const bool is_interval = tile_i < tile_j || t / side < t % side;
      if (is_interval && !fits(t)) return false;
    }
  }
  return true;
}

/// Fills one table on the CPU: the operations on its tiles for one recurrence. The library's vector code multiplies,
/// and closes if the recurrence closes by weights. The user's compiler makes the rest, in blocks of tiles::block_side
/// to keep it small.
template <class R>
class TiledSolver final : public tiles::TileKernel {
 public:
  using Semiring = typename R::Semiring;
  using T = ValueOf<R>;
  static constexpr std::size_t side = tiles::tile_side;

  TiledSolver(const R& recurrence, std::size_t points, Pages pages = Pages::huge)
      : recurrence_(recurrence), points_(points), table_(points, TableMeaning<T>::template of<Semiring>(), pages) {
    if constexpr (multiplies_in_vectors) operations_ = tiles::tile_operations<Semiring>();
    if constexpr (splits_by_product<R>) copy_split();
  }

  /// The operations of the recurrence in a whole table, as `fill` counts them.
  static double operations(std::size_t points) {
    return tiles::TileScheduler::count(IntervalTable<T>::tiles(points)) * static_cast<double>(side * side * side);
  }
  /// The threads that are worth starting.
  static int useful_threads(std::size_t points, int threads) {
    return tiles::TileScheduler::useful_threads(IntervalTable<T>::tiles(points), threads);
  }

  /// Fills the table and returns the number of threads that ran.
  int fill(int threads, SolveMonitor& monitor, TableExchange* exchange = nullptr) {
    monitor_ = &monitor;
    return tiles::TileScheduler(IntervalTable<T>::tiles(points_), static_cast<double>(side * side * side))
        .run(threads, monitor, *this, exchange);
  }
  /// The place of the table's super-tiles.
  [[nodiscard]] SuperTiles super_tiles() const {
    const std::size_t along = IntervalTable<T>::tiles(points_);
    return {reinterpret_cast<std::byte*>(table_.tile(0, 0)), side * side * sizeof(T), along,
            tiles::TileScheduler::fastest_group(along)};
  }
  [[nodiscard]] const IntervalTable<T>& table() const { return table_; }
  [[nodiscard]] IntervalTable<T> take_table() { return std::move(table_); }

  void clear(std::size_t tile_i, std::size_t tile_j) override;
  void accumulate(const tiles::TileProduct& product, const tiles::TileProduct& next) override;
  void close(std::size_t tile_i, std::size_t tile_j) override;

 private:
  using Values = Stored<Semiring>;
  static constexpr bool multiplies_in_vectors =
      tiles::has_tile_operations<Semiring> && !splits_freely<R> && (Values::limited || !splits_by_product<R>);
  static constexpr bool closes_in_vectors = multiplies_in_vectors && closes_by_weight<R>;
  static constexpr bool whole_rows = multiplies_in_vectors;
  static constexpr std::size_t block = tiles::block_side;
  static constexpr std::size_t blocks = side / block;

  void copy_split();
  void close_in_vectors(std::size_t tile_i, std::size_t tile_j);
  void reject_tile(std::size_t tile_i, std::size_t tile_j);
  void copy_weights(std::size_t tile_i, std::size_t tile_j, T* weight) const;
  T accepted_weight(std::size_t i, std::size_t j) const;
  T accepted_leaf(std::size_t i) const;
  T accepted_value(std::size_t i, std::size_t j, const T& value) const;
  void close_block(std::size_t block_i, std::size_t block_j, ClosingCalls& calls);
  T close_entry(std::size_t i, std::size_t j, const T& best) const;
  void accumulate_blocks(std::size_t block_i, std::size_t first_k, std::size_t last_k, std::size_t block_j,
                         CallerCalls& calls);
  void multiply(T* c, const T* a, const T* b, std::size_t rows, std::size_t columns, std::size_t depth, std::size_t i,
                std::size_t k, std::size_t j, CallerCalls& calls) const;

  [[nodiscard]] ProductSplit<T> split_at(std::size_t i, std::size_t k, std::size_t j) const {
    if constexpr (!splits_by_product<R>) return {};
    return {split_.left + i, split_.middle + k, split_.right + j, split_.fused};
  }

  /// The block's first entry. Its rows are a tile side apart.
  T* at_block(std::size_t block_i, std::size_t block_j) const {
    return table_.tile(block_i / blocks, block_j / blocks) + block_i % blocks * block * side + block_j % blocks * block;
  }

  const R& recurrence_;
  std::size_t points_;
  IntervalTable<T> table_;
  tiles::TileOperations<T> operations_{};
  const SolveMonitor* monitor_ = nullptr;
  std::vector<T> factors_;  ///< the split's three lists, filled with zeros to whole tiles
  ProductSplit<T> split_;
};

template <class R>
void TiledSolver<R>::copy_split() {
  const ProductSplit<T> given = recurrence_.product_split();
  const std::array<const T*, 3> lists = {given.left, given.middle, given.right};
  check_product<Semiring>(lists, points_);
  const std::size_t padded = IntervalTable<T>::tiles(points_) * side;
  factors_.assign(3 * padded, T{0});
  for (std::size_t list = 0; list < lists.size(); ++list) {
    std::copy_n(lists[list], points_, factors_.data() + list * padded);
  }
  split_ = {factors_.data(), factors_.data() + padded, factors_.data() + 2 * padded, given.fused};
}

template <class R>
void TiledSolver<R>::clear(std::size_t tile_i, std::size_t tile_j) {
  std::fill_n(table_.tile(tile_i, tile_j), side * side, Values::zero());
}

template <class R>
void TiledSolver<R>::accumulate(const tiles::TileProduct& product, const tiles::TileProduct& next) {
  const auto [i, k, j] = product;
  T* c = table_.tile(i, j);
  const T* a = table_.tile(i, k);
  const T* b = table_.tile(k, j);
  if constexpr (multiplies_in_vectors) {
    operations_.product(c, a, b, split_at(i * side, k * side, j * side), table_.tile(next.i, next.k),
                        table_.tile(next.k, next.j));
  } else {
    CallerCalls calls(monitor_);
    multiply(c, a, b, side, side, side, i * side, k * side, j * side, calls);
  }
}

/// Closes without vector code. Block columns go from the left, block rows from the bottom: a block needs those left of
/// it and below it.
template <class R>
void TiledSolver<R>::close(std::size_t tile_i, std::size_t tile_j) {
  if constexpr (closes_in_vectors) return close_in_vectors(tile_i, tile_j);
  const std::size_t end_block = (points_ + block - 1) / block;
  const std::size_t first_i = tile_i * blocks;
  const std::size_t first_j = tile_j * blocks;
  ClosingCalls calls(monitor_);
  for (std::size_t bj = first_j; bj < std::min(first_j + blocks, end_block); ++bj) {
    const std::size_t last_i = tile_i == tile_j ? bj + 1 : first_i + blocks;
    for (std::size_t bi = last_i; bi-- > first_i;) {
      if (tile_i == tile_j) {
        accumulate_blocks(bi, bi + 1, bj, bj, calls.splits);
      } else {
        accumulate_blocks(bi, bi + 1, first_i + blocks, bj, calls.splits);
        accumulate_blocks(bi, first_j, bj, bj, calls.splits);
      }
      close_block(bi, bj, calls);
    }
  }
}

template <class R>
void TiledSolver<R>::close_in_vectors(std::size_t tile_i, std::size_t tile_j) {
  T* c = table_.tile(tile_i, tile_j);
  // The leaves in this tile: intervals of neighboring points.
  for (std::size_t i = tile_i * side; i < std::min((tile_i + 1) * side, points_ - 1); ++i) {
    if ((i + 1) / side == tile_j) c[i % side * side + (i + 1) % side] = accepted_leaf(i);
  }
  alignas(64) T weight[side * side];
  copy_weights(tile_i, tile_j, weight);
  close_by_weights<Semiring>(operations_, table_, tile_i, tile_j, weight, split_);
  if (!accepts_tile<Semiring>(c, tile_i, tile_j)) reject_tile(tile_i, tile_j);
}

/// Raises what `reject_value` raises for the first value of a tile, by its interval's length, that is not accepted.
/// Vector code went on with the value and may have wrapped since, even at leaves. So the tile is filled again, one
/// value after the other.
template <class R>
void TiledSolver<R>::reject_tile(std::size_t tile_i, std::size_t tile_j) {
  const auto at = [&](std::size_t i, std::size_t j) -> T& {
    return table_.tile(i / side, j / side)[i % side * side + j % side];
  };
  const std::size_t end_j = std::min((tile_j + 1) * side, points_);
  for (std::size_t length = 1; length < end_j; ++length) {
    for (std::size_t i = tile_i * side; i < (tile_i + 1) * side && i + length < end_j; ++i) {
      const std::size_t j = i + length;
      if (j < tile_j * side) continue;
      T best = Values::zero();
      bool misfit = false;  // from a free split, which vector code does not have
      for (std::size_t k = i + 1; k < j; ++k) {
        best = Semiring::plus(best, join(recurrence_, split_, at(i, k), at(k, j), i, k, j, misfit));
      }
      at(i, j) = close_entry(i, j, best);
    }
  }
}

/// Writes the weights of a tile in the form of tiles::Closing.
template <class R>
void TiledSolver<R>::copy_weights(std::size_t tile_i, std::size_t tile_j, T* weight) const {
  const std::size_t last_j = std::min((tile_j + 1) * side, points_);
  CallerCalls calls(monitor_);
  for (std::size_t row = 0; row < side; ++row, weight += side) {
    const std::size_t i = tile_i * side + row;
    const std::size_t first_j = std::min(std::max(tile_j * side, i + 2), last_j);
    std::fill(weight, weight + (first_j - tile_j * side), Semiring::one());
    for (std::size_t j = first_j; j < last_j;) {
      const std::size_t begun = j, end = std::min(last_j, j + calls.until_look());
      for (; j < end; ++j) weight[j - tile_j * side] = accepted_weight(i, j);
      calls.made(end - begun);
    }
    std::fill(weight + (last_j - tile_j * side), weight + side, Semiring::one());
  }
}

template <class R>
ValueOf<R> TiledSolver<R>::accepted_weight(std::size_t i, std::size_t j) const {
  const T weight = recurrence_.weight(i, j);
  if (!Values::accepts(weight)) reject_value<Semiring>("weight" + interval_text(i, j), weight);
  return Values::of(weight);
}

template <class R>
ValueOf<R> TiledSolver<R>::accepted_leaf(std::size_t i) const {
  const T leaf = recurrence_.leaf(i);
  if (!Values::accepts(leaf)) reject_value<Semiring>("leaf(" + std::to_string(i) + ')', leaf);
  return Values::of(leaf);
}

/// A value of the caller's close as it is stored.
template <class R>
ValueOf<R> TiledSolver<R>::accepted_value(std::size_t i, std::size_t j, const T& value) const {
  if (!Values::accepts(value)) reject_value<Semiring>("value" + interval_text(i, j), value);
  return Values::of(value);
}

/// Adds the products of the blocks (block_i, k) and (k, block_j), first_k <= k < last_k, of one tile each, to a block.
template <class R>
void TiledSolver<R>::accumulate_blocks(std::size_t block_i, std::size_t first_k, std::size_t last_k,
                                       std::size_t block_j, CallerCalls& calls) {
  if (first_k >= last_k) return;
  T* c = at_block(block_i, block_j);
  const T* a = at_block(block_i, first_k);
  const T* b = at_block(first_k, block_j);
  const std::size_t depth = (last_k - first_k) * block;
  if constexpr (multiplies_in_vectors) {
    operations_.block_product(c, a, b, depth, split_at(block_i * block, first_k * block, block_j * block));
  } else {
    multiply(c, a, b, block, block, depth, block_i * block, first_k * block, block_j * block, calls);
  }
}

/// The products as the user's compiler makes them. i, k, j: the points at the first row and columns.
template <class R>
void TiledSolver<R>::multiply(T* c, const T* a, const T* b, std::size_t rows, std::size_t columns, std::size_t depth,
                              std::size_t i, std::size_t k, std::size_t j, CallerCalls& calls) const {
  const std::size_t used_rows = std::min(rows, points_ - i);
  const std::size_t used_columns = std::min(columns, points_ - j);
  for (std::size_t row = 0; row < used_rows; ++row) {
    for (std::size_t middle = 0; middle < depth; ++middle) {
      const T from_a = a[row * side + middle];
      bool misfit = false;
      for (std::size_t first = 0; first < used_columns;) {
        const std::size_t last = std::min(used_columns, first + calls.until_look());
        for (std::size_t column = first; column < last; ++column) {
          T& target = c[row * side + column];
          target = Semiring::plus(target, join(recurrence_, split_, from_a, b[middle * side + column], i + row,
                                               k + middle, j + column, misfit));
        }
        calls.made(last - first);
        first = last;
      }
      if (misfit) reject_split(recurrence_, i + row, k + middle, j, j + used_columns);
    }
  }
}

/// Finishes a block: the splits at the points of its own rows and columns, and the entries themselves.
template <class R>
void TiledSolver<R>::close_block(std::size_t block_i, std::size_t block_j, ClosingCalls& calls) {
  const bool diagonal = block_i == block_j;
  T* c = at_block(block_i, block_j);
  const T* left = at_block(block_i, block_i);
  const T* below = at_block(block_j, block_j);
  const std::size_t i0 = block_i * block;
  const std::size_t j0 = block_j * block;
  const std::size_t columns = std::min(block, points_ - j0);
  const std::size_t joined = whole_rows ? block : columns;  // a caller's split is called for points only
  const auto add = [&](T& best, const T& from_left, const T& from_right, std::size_t i, std::size_t k, std::size_t j) {
    bool misfit = false;
    best = Semiring::plus(best, join(recurrence_, split_, from_left, from_right, i, k, j, misfit));
    if (misfit) reject_split(recurrence_, i, k, j, j + 1);
    if constexpr (splits_freely<R>) calls.splits.made(1);
  };
  for (std::size_t row = std::min(block, points_ - i0); row-- > 0;) {
    std::array<T, block> best;
    std::copy_n(c + row * side, block, best.begin());
    for (std::size_t k = row + 1; !diagonal && k < block; ++k) {
      for (std::size_t column = 0; column < joined; ++column) {
        add(best[column], left[row * side + k], c[k * side + column], i0 + row, i0 + k, j0 + column);
      }
    }
    for (std::size_t column = diagonal ? row + 1 : 0; column < columns; ++column) {
      const T value = close_entry(i0 + row, j0 + column, best[column]);
      if (j0 + column > i0 + row + 1) calls.closes.made(1);  // a leaf closes nothing
      c[row * side + column] = value;
      // Whole rows if the semiring has vector code. Up to the diagonal there is zero, which changes nothing.
      for (std::size_t next = whole_rows ? 0 : column + 1; next < joined; ++next) {
        add(best[next], value, below[column * side + next], i0 + row, j0 + column, j0 + next);
      }
    }
  }
}

template <class R>
ValueOf<R> TiledSolver<R>::close_entry(std::size_t i, std::size_t j, const T& best) const {
  if (j == i + 1) return accepted_leaf(i);
  const T stored = Values::is_zero(best) ? Values::zero() : best;
  if constexpr (closes_by_weight<R>) {
    const T value = Values::times(stored, accepted_weight(i, j));
    return Values::is_zero(value) ? Values::zero() : accepted_value(i, j, value);
  } else if constexpr (closes_with_inner<R>) {
    return accepted_value(i, j, recurrence_.close(i, j, Values::meant(stored), table_.value(i + 1, j - 1)));
  } else {
    return accepted_value(i, j, recurrence_.close(i, j, Values::meant(stored)));
  }
}

}  // namespace warpfold::interval::detail
