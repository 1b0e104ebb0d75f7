#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <thread>

#include "interval/backend.hpp"
#include "interval/tile_operations.hpp"
#include "interval/tile_table.hpp"
#include "interval/traceback.hpp"
#include "minplus/magnitude.hpp"
#include "warpfold/core/parallel.hpp"
#include "warpfold/core/tile_storage.hpp"

namespace warpfold::interval::cpu {

namespace {

constexpr std::size_t side = cpu_tile_side;
constexpr std::size_t tile_size = side * side;

/// From here on a turn is a group of 2 x 2 tiles: half the traffic between the table and the caches, but fewer turns.
constexpr std::size_t grouped_from_tiles = 24;

/// One solve: the table, and which of its tiles are final.
///
/// Threads take turns, a tile or a small square group of tiles each, diagonal by diagonal, and apply all products of
/// their tiles when their turn comes: two cores share a cache, and a tile then stays in the first level
/// (docs/decisions). There is no barrier: a product waits for its two operands alone, and the latest ones come last.
template <class T>
class TiledSolver {
 public:
  TiledSolver(const Triangulation<T>& problem, std::size_t tiles)
      : problem_(problem),
        tiles_(tiles),
        group_(tiles < grouped_from_tiles ? 1 : 2),
        groups_((tiles + group_ - 1) / group_),
        infinite_(minplus::infinite_from(problem.largest_total())),
        products_(minplus::tile_products<T>()),
        operations_(tile_operations<T>()),
        table_(tile_offset(0, tiles, side)),
        final_(new std::atomic<bool>[tile_number(0, tiles)]()) {}

  void fill(int threads, Watch& watch) {
    std::size_t reported = 0;
    parallel(threads, [&](int thread) { take_turns(thread == 0 ? &reported : nullptr, watch); });
    watch.check();
    report(reported, watch);
  }

  /// Tile operations of a whole solve, as Progress counts them (times the results of one).
  [[nodiscard]] static double operations(std::size_t tiles) {
    const auto m = static_cast<double>(tiles);
    return (m * (m - 1) * (m - 2) / 6 + m * (m + 1) / 2) * (side * tile_size);
  }

  [[nodiscard]] T value(std::size_t i, std::size_t j) const { return table_.data()[entry_offset(i, j, side)]; }

  /// The smallest k that attains the minimum of interval (i,j).
  [[nodiscard]] std::size_t split(std::size_t i, std::size_t j) const {
    T best = std::numeric_limits<T>::max();
    std::size_t best_k = i + 1;
    for (std::size_t first = i + 1; first < j;) {
      const std::size_t last = std::min((first / side + 1) * side, j);
      const T* row = table_.data() + entry_offset(i, first, side);
      const T* column = table_.data() + entry_offset(first, j, side);
      for (std::size_t k = first; k < last; ++k, ++row, column += side) {
        const T candidate = static_cast<T>(*row + *column);
        if (candidate < best) {
          best = candidate;
          best_k = k;
        }
      }
      first = last;
    }
    return best_k;
  }

 private:
  T* tile(std::size_t i, std::size_t j) const { return table_.data() + tile_offset(i, j, side); }
  std::atomic<bool>& is_final(std::size_t i, std::size_t j) { return final_[tile_number(i, j)]; }

  void take_turns(std::size_t* reported, Watch& watch) {
    alignas(64) T weight[tile_size];
    std::size_t distance = 0;
    std::size_t before = 0;  // turns on the diagonals up to `distance`
    for (std::size_t turn = next_++; turn < tile_number(0, groups_); turn = next_++) {
      while (turn >= before + groups_ - distance) before += groups_ - distance++;
      const std::size_t first_i = (turn - before) * group_;
      const std::size_t first_j = first_i + distance * group_;
      if (watch.stopped()) abandoned_ = true;
      if (!finish_group(first_i, first_j, weight)) return;
      if (reported) *reported = report(*reported, watch);
    }
  }

  std::size_t report(std::size_t reported, Watch& watch) const {
    const std::size_t done = done_;
    watch.advance(static_cast<double>(done - reported) * (side * tile_size));
    return done;
  }

  /// Finishes the tiles of a group, rows from the last and columns from the first. False when the solve was abandoned.
  bool finish_group(std::size_t first_i, std::size_t first_j, T* weight) {
    const std::size_t end_i = std::min(first_i + group_, tiles_);
    const std::size_t end_j = std::min(first_j + group_, tiles_);
    for (std::size_t i = first_i; i < end_i; ++i) {
      for (std::size_t j = std::max(i, first_j); j < end_j; ++j) std::fill_n(tile(i, j), tile_size, infinity<T>);
    }
    if (!accumulate_between(first_i, end_i, first_j, end_j)) return false;
    for (std::size_t i = end_i; i-- > first_i;) {
      for (std::size_t j = std::max(i, first_j); j < end_j; ++j) {
        if (!finish_tile(i, end_i, first_j, j, weight)) return false;
        is_final(i, j).store(true, std::memory_order_release);
      }
    }
    return true;
  }

  /// Applies the products of a group's tiles with middle tiles outside the group. Neighbours in this order share an
  /// operand; the next operands are asked for while a product runs.
  bool accumulate_between(std::size_t first_i, std::size_t end_i, std::size_t first_j, std::size_t end_j) {
    for (std::size_t k = end_i; k < first_j; ++k) {
      if (abandoned_) return false;
      const std::size_t next_k = k + 1 < first_j ? k + 1 : k;
      for (std::size_t i = first_i; i < end_i; ++i) {
        for (std::size_t j = first_j; j < end_j; ++j) {
          const bool last = j + 1 == end_j;
          const bool turns = last && i + 1 == end_i;
          const T* next_a = tile(turns ? first_i : last ? i + 1 : i, turns ? next_k : k);
          const T* next_b = tile(turns ? next_k : k, last ? first_j : j + 1);
          if (!accumulate(i, k, j, next_a, next_b)) return false;
        }
      }
    }
    return true;
  }

  /// Applies the products of tile (i,j) with middle tiles i+1 .. end_i-1 and first_j .. j-1, and closes it.
  bool finish_tile(std::size_t i, std::size_t end_i, std::size_t first_j, std::size_t j, T* weight) {
    T* c = tile(i, j);
    for (std::size_t k = i + 1; k < std::min(end_i, j); ++k) {
      if (!accumulate(i, k, j, tile(i, i), tile(j, j))) return false;
    }
    for (std::size_t k = std::max(first_j, end_i); k < j; ++k) {
      if (!accumulate(i, k, j, tile(i, i), tile(j, j))) return false;
    }
    copy_weights(i, j, weight);
    ++done_;
    if (i == j) {
      for (std::size_t row = 0; row + 1 < side; ++row) c[row * side + row + 1] = 0;
      operations_.close_diagonal(c, weight, infinite_);
      return true;
    }
    if (!wait_for(i, i) || !wait_for(j, j)) return false;
    if (j == i + 1) c[(side - 1) * side] = 0;
    operations_.close(c, tile(i, i), tile(j, j), weight, infinite_);
    return true;
  }

  /// False when the solve was abandoned while it waited for an operand.
  bool accumulate(std::size_t i, std::size_t k, std::size_t j, const T* next_a, const T* next_b) {
    if (!wait_for(i, k) || !wait_for(k, j)) return false;
    products_.accumulate(tile(i, j), tile(i, k), tile(k, j), side, next_a, next_b);
    ++done_;
    return true;
  }

  bool wait_for(std::size_t i, std::size_t j) {
    const std::atomic<bool>& flag = is_final(i, j);
    for (int turns = 0; !flag.load(std::memory_order_acquire); ++turns) {
      if (abandoned_) return false;
      if (turns > 1000) std::this_thread::yield();
    }
    return true;
  }

  /// The weights of tile (i,j) as TileOperations wants them.
  void copy_weights(std::size_t tile_i, std::size_t tile_j, T* weight) const {
    const std::size_t n = problem_.vertices();
    std::fill_n(weight, tile_size, T{0});
    for (std::size_t i = tile_i * side; i < std::min((tile_i + 1) * side, n); ++i) {
      const std::size_t first = std::max(tile_j * side, i + 2);
      const std::size_t last = std::min((tile_j + 1) * side, n - (i == 0));
      const T* from = problem_.weights().row(i);
      T* to = weight + i % side * side - tile_j * side;
      if constexpr (std::is_floating_point_v<T>) {
        if (first < last) std::copy(from + first, from + last, to + first);
      } else {
        for (std::size_t j = first; j < last; ++j) to[j] = std::min(from[j], infinity<T>);
      }
    }
  }

  const Triangulation<T>& problem_;
  std::size_t tiles_;
  std::size_t group_;   ///< tiles along a side of a group
  std::size_t groups_;  ///< groups along a side of the table
  T infinite_;
  minplus::TileProducts<T> products_;
  TileOperations<T> operations_;
  TileStorage<T> table_;
  std::unique_ptr<std::atomic<bool>[]> final_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> abandoned_ = false;
  std::atomic<std::size_t> done_ = 0;  ///< tile operations
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

template <class T>
Solution<T> solve(const Triangulation<T>& problem, const Options& options, Report& report) {
  const std::size_t n = problem.vertices();
  const std::size_t tiles = tile_count(n, side);
  report.threads =
      tiles < 4 ? 1 : std::min(thread_count(options.threads), static_cast<int>(std::min<std::size_t>(tiles, 1024)));
  report.peak_bytes = table_size(n, side) * sizeof(T);
  check_memory(options, report.peak_bytes);

  const auto start = std::chrono::steady_clock::now();
  TiledSolver<T> solver(problem, tiles);
  Watch watch(options, TiledSolver<T>::operations(tiles));
  solver.fill(report.threads, watch);
  report.solve_seconds = seconds_since(start);

  const auto solved = std::chrono::steady_clock::now();
  Solution<T> solution;
  solution.cost = solver.value(0, n - 1);
  search_structure(
      n, [&](std::size_t i, std::size_t j) { return solver.split(i, j); }, solution);
  report.traceback_seconds = seconds_since(solved);
  return solution;
}

template Solution<std::int32_t> solve(const Triangulation<std::int32_t>&, const Options&, Report&);
template Solution<std::int64_t> solve(const Triangulation<std::int64_t>&, const Options&, Report&);
template Solution<float> solve(const Triangulation<float>&, const Options&, Report&);
template Solution<double> solve(const Triangulation<double>&, const Options&, Report&);

}  // namespace warpfold::interval::cpu
