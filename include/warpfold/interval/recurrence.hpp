#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "warpfold/core/error.hpp"
#include "warpfold/core/parallel.hpp"
#include "warpfold/core/run.hpp"
#include "warpfold/core/semiring.hpp"
#include "warpfold/core/tile_storage.hpp"
#include "warpfold/interval/tile_products.hpp"
#include "warpfold/interval/tile_run.hpp"

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
///     ProductSplit<Value> product_split();  // a split that is a product (tile_products.hpp)
///     Value split(i, k, j);                 // any other
///
/// n(n-1)(n-2)/6 products. They run in the vector code of the machine's best instruction set for the semirings of
/// tile_products.hpp with no split or a product; otherwise as your compiler makes them. Memory: about n*n/2 values.
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

/// One interval of the optimal structure: split at k, or (k == i) closed around the inner interval (i+1,j-1).
struct RecurrenceNode {
  std::uint32_t i = 0;
  std::uint32_t k = 0;
  std::uint32_t j = 0;
  bool operator==(const RecurrenceNode&) const = default;
};

template <class T>
struct RecurrenceResult {
  RecurrenceTable<T> table;
  Report report;

  /// The value of the whole, value(0, n-1).
  [[nodiscard]] T value() const { return table.value(0, table.points() - 1); }
};

namespace detail {

/// Fills one table. Blocks of recurrence_block_side within a tile keep the part that is compiled straight small.
template <Recurrence R>
class RecurrenceSolver {
 public:
  using Semiring = typename R::Semiring;
  using T = ValueOf<R>;
  static constexpr std::size_t side = recurrence_tile_side;
  static constexpr std::size_t block = recurrence_block_side;
  static constexpr std::size_t blocks = side / block;
  static constexpr bool in_library = has_tile_products<Semiring> && !SplitsFreely<R>;

  RecurrenceSolver(const R& recurrence, std::size_t points)
      : recurrence_(recurrence), points_(points), table_(points, Semiring::one()) {
    if constexpr (in_library) products_ = tile_products<Semiring>();
    if constexpr (SplitsByProduct<R>) copy_split();
  }

  void fill(int threads, Watch& watch);
  [[nodiscard]] RecurrenceTable<T> take_table() { return std::move(table_); }

 private:
  void copy_split();
  bool finish_tile(std::size_t i, std::size_t j, TileRun& run);
  void close_tile(std::size_t tile_i, std::size_t tile_j);
  void close_block(std::size_t block_i, std::size_t block_j);
  T close_entry(std::size_t i, std::size_t j, T best) const;
  void accumulate(std::size_t i, std::size_t k, std::size_t j, std::size_t next_k);
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
    if (!split_.left) return {};
    return {split_.left + i, split_.middle + k, split_.right + j, split_.fused};
  }

  /// The block's first entry; its rows are a tile side apart.
  T* at_block(std::size_t block_i, std::size_t block_j) const {
    return table_.tile(block_i / blocks, block_j / blocks) + block_i % blocks * block * side + block_j % blocks * block;
  }

  const R& recurrence_;
  std::size_t points_;
  RecurrenceTable<T> table_;
  TileProducts<T> products_{};
  std::vector<T> factors_;  ///< the split's three lists, filled up with zeros to whole tiles
  ProductSplit<T> split_;
};

template <Recurrence R>
void RecurrenceSolver<R>::copy_split() {
  const ProductSplit<T> given = recurrence_.product_split();
  const std::size_t padded = RecurrenceTable<T>::tiles(points_) * side;
  factors_.assign(3 * padded, T{0});
  std::copy_n(given.left, points_, factors_.data());
  std::copy_n(given.middle, points_, factors_.data() + padded);
  std::copy_n(given.right, points_, factors_.data() + 2 * padded);
  split_ = {factors_.data(), factors_.data() + padded, factors_.data() + 2 * padded, given.fused};
  if constexpr (std::is_integral_v<T>) {
    long double largest = 1;
    for (int list = 0; list < 3; ++list) {
      long double most = 0;
      for (std::size_t t = 0; t < padded; ++t) {
        most =
            std::max(most, std::abs(static_cast<long double>(factors_[static_cast<std::size_t>(list) * padded + t])));
      }
      largest *= most;
    }
    if (largest >= static_cast<long double>(warpfold::detail::unreachable<T> / 4)) {
      throw Error(ErrorKind::input, "the product split does not fit: products below max/16 of the type are accepted");
    }
  }
}

template <Recurrence R>
void RecurrenceSolver<R>::fill(int threads, Watch& watch) {
  TileRun run(RecurrenceTable<T>::tiles(points_), static_cast<double>(side * side * side));
  run.run(threads, watch, [&](std::size_t i, std::size_t j) { return finish_tile(i, j, run); });
}

template <Recurrence R>
bool RecurrenceSolver<R>::finish_tile(std::size_t i, std::size_t j, TileRun& run) {
  std::fill_n(table_.tile(i, j), side * side, Semiring::zero());
  // The operands that were finished last, (i, j-1) and (i+1, j), come last.
  for (std::size_t k = i + 2; k <= j && j > i + 1; ++k) {
    const std::size_t middle = k < j ? k : i + 1;
    if (!run.wait_for(i, middle) || !run.wait_for(middle, j)) return false;
    accumulate(i, middle, j, k + 1 < j ? k + 1 : i + 1);
  }
  if (i != j && (!run.wait_for(i, i) || !run.wait_for(j, j))) return false;
  if (ClosesWithInner<R> && i != j) {
    // The entries below and left of this tile: its neighbours on the diagonal before.
    if (!run.wait_for(i + 1, j) || !run.wait_for(i, j - 1) || (i + 1 < j && !run.wait_for(i + 1, j - 1))) return false;
  }
  close_tile(i, j);
  return true;
}

template <Recurrence R>
void RecurrenceSolver<R>::accumulate(std::size_t i, std::size_t k, std::size_t j, std::size_t next_k) {
  T* c = table_.tile(i, j);
  const T* a = table_.tile(i, k);
  const T* b = table_.tile(k, j);
  if constexpr (in_library) {
    products_.tile(c, a, b, split_at(i * side, k * side, j * side), table_.tile(i, next_k), table_.tile(next_k, j));
  } else {
    multiply(c, a, b, side, side, side, i * side, k * side, j * side);
  }
}

/// Adds to a block the products of the blocks (block_i, k) and (k, block_j), first_k <= k < last_k, of one tile each.
template <Recurrence R>
void RecurrenceSolver<R>::accumulate_blocks(std::size_t block_i, std::size_t first_k, std::size_t last_k,
                                            std::size_t block_j) {
  if (first_k >= last_k) return;
  T* c = at_block(block_i, block_j);
  const T* a = at_block(block_i, first_k);
  const T* b = at_block(first_k, block_j);
  const std::size_t depth = (last_k - first_k) * block;
  if constexpr (in_library) {
    products_.block(c, a, b, depth, split_at(block_i * block, first_k * block, block_j * block));
  } else {
    multiply(c, a, b, block, block, depth, block_i * block, first_k * block, block_j * block);
  }
}

/// The products as the user's compiler makes them. i, k, j: the points at the first row and columns.
template <Recurrence R>
void RecurrenceSolver<R>::multiply(T* c, const T* a, const T* b, std::size_t rows, std::size_t columns,
                                   std::size_t depth, std::size_t i, std::size_t k, std::size_t j) const {
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

/// Block columns from the left, block rows from the bottom: a block needs those left of it and below it.
template <Recurrence R>
void RecurrenceSolver<R>::close_tile(std::size_t tile_i, std::size_t tile_j) {
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

/// What is left of a block: splits at the points of its own rows and columns, and the entries themselves.
template <Recurrence R>
void RecurrenceSolver<R>::close_block(std::size_t block_i, std::size_t block_j) {
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
      for (std::size_t next = column + 1; next < columns; ++next) {
        const T candidate = join(value, below[column * side + next], i0 + row, j0 + column, j0 + next);
        best[next] = Semiring::plus(best[next], candidate);
      }
    }
  }
}

template <Recurrence R>
ValueOf<R> RecurrenceSolver<R>::close_entry(std::size_t i, std::size_t j, T best) const {
  if (j == i + 1) return recurrence_.leaf(i);
  if constexpr (has_tile_products<Semiring>) best = Semiring::is_zero(best) ? Semiring::zero() : best;
  T value;
  if constexpr (ClosesByWeight<R>) {
    value = Semiring::times(best, recurrence_.weight(i, j));
  } else if constexpr (ClosesWithInner<R>) {
    value = recurrence_.close(i, j, best, table_.value(i + 1, j - 1));
  } else {
    value = recurrence_.close(i, j, best);
  }
  if constexpr (requires { Semiring::fits(value); }) {
    if (!Semiring::fits(value)) {
      throw Error(ErrorKind::input, "value(" + std::to_string(i) + "," + std::to_string(j) + ") is " +
                                        std::to_string(value) + ": it does not fit the type");
    }
  }
  return Semiring::is_zero(value) ? Semiring::zero() : value;
}

}  // namespace detail

/// Solves a recurrence for n >= 2 points. Raises Error{input} for fewer, and where a whole number does not fit;
/// Error{limit} and Error{cancelled} as the options ask. The order in which `plus` sees its candidates is the same for
/// every number of threads.
template <Recurrence R>
[[nodiscard]] RecurrenceResult<ValueOf<R>> solve_recurrence(const R& recurrence, std::size_t points,
                                                            const Options& options = {}) {
  using T = ValueOf<R>;
  if (points < 2) {
    throw Error(ErrorKind::input, "a recurrence has " + std::to_string(points) + " points: 2 or more are accepted");
  }
  const auto start = std::chrono::steady_clock::now();
  const std::size_t tiles = RecurrenceTable<T>::tiles(points);
  Report report{.device = "cpu", .algorithm = "tiled", .peak_bytes = RecurrenceTable<T>::bytes(points)};
  report.threads = std::min(thread_count(options.threads), static_cast<int>(std::min<std::size_t>(tiles, 1024)));
  check_memory(options, report.peak_bytes);
  const double whole = static_cast<double>(tiles) * static_cast<double>(tiles + 1) * static_cast<double>(tiles + 2) / 6;
  Watch watch(options, whole * static_cast<double>(recurrence_tile_side * recurrence_tile_side * recurrence_tile_side));
  detail::RecurrenceSolver<R> solver(recurrence, points);
  solver.fill(report.threads, watch);
  report.solve_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return {solver.take_table(), report};
}

/// Solves many recurrences at once, recurrences[t] for points[t] points; the values of the wholes come back. Each runs
/// on one thread, all threads share them.
template <Recurrence R>
[[nodiscard]] std::vector<ValueOf<R>> solve_recurrences(std::span<const R> recurrences,
                                                        std::span<const std::size_t> points,
                                                        const Options& options = {}) {
  if (recurrences.size() != points.size()) {
    throw Error(ErrorKind::usage, std::to_string(recurrences.size()) + " recurrences have " +
                                      std::to_string(points.size()) + " numbers of points: as many are accepted");
  }
  std::vector<ValueOf<R>> values(recurrences.size());
  std::atomic<std::size_t> next = 0;
  Options each = options;
  each.threads = 1;
  each.progress = nullptr;
  parallel(thread_count(options.threads), [&](int) {
    for (std::size_t t = next++; t < values.size(); t = next++) {
      values[t] = solve_recurrence(recurrences[t], points[t], each).value();
    }
  });
  return values;
}

/// The structure of an optimum, each interval before those inside it: found by searching again. Where several choices
/// attain a value a split wins over the inner interval, and the smallest k over the others. For semirings that choose,
/// and a `close` that is monotone in its last two arguments.
template <Recurrence R>
[[nodiscard]] std::vector<RecurrenceNode> structure(const R& recurrence, const RecurrenceTable<ValueOf<R>>& table) {
  using Semiring = typename R::Semiring;
  using T = ValueOf<R>;
  const auto join = [&](std::size_t i, std::size_t k, std::size_t j) {
    const T joined = Semiring::times(table.value(i, k), table.value(k, j));
    if constexpr (SplitsFreely<R>) return Semiring::times(joined, recurrence.split(i, k, j));
    if constexpr (SplitsByProduct<R>) return Semiring::times(joined, recurrence.product_split()(i, k, j));
    return joined;
  };
  std::vector<RecurrenceNode> nodes;
  std::vector<RecurrenceNode> open{{0, 0, static_cast<std::uint32_t>(table.points() - 1)}};
  while (!open.empty()) {
    auto [i, k, j] = open.back();
    open.pop_back();
    if (j < i + 2) continue;
    T best = Semiring::zero();
    k = i + 1;
    for (std::uint32_t middle = i + 1; middle < j; ++middle) {
      const T better = Semiring::plus(best, join(i, middle, j));
      if (better != best) k = middle;
      best = better;
    }
    bool inner = false;
    if constexpr (ClosesWithInner<R>) inner = recurrence.close(i, j, best, Semiring::zero()) != table.value(i, j);
    if (inner) {
      nodes.push_back({i, i, j});
      open.push_back({i + 1, 0, j - 1});
    } else {
      nodes.push_back({i, k, j});
      open.push_back({k, 0, j});
      open.push_back({i, 0, k});
    }
  }
  return nodes;
}

}  // namespace warpfold::interval
