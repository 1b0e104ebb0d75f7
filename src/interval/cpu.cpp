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

namespace warpfold::interval::cpu {

namespace {

constexpr std::size_t side = cpu_tile_side;
constexpr std::size_t tile_size = side * side;

/// One solve: the table, and which of its tiles are final.
///
/// Threads take whole tiles, diagonal by diagonal, and apply all products of a tile when its turn comes: two cores
/// share a cache, and the tile then stays in the first level (docs/decisions). No barrier: a product waits for its two
/// operands alone, and the latest ones come last.
template <class T>
class TiledSolver {
 public:
  TiledSolver(const Triangulation<T>& problem, std::size_t tiles)
      : problem_(problem),
        tiles_(tiles),
        infinite_(minplus::infinite_from(problem.largest_total())),
        operations_(tile_operations<T>()),
        table_(tile_offset(0, tiles, side)),
        final_(new std::atomic<bool>[tile_number(0, tiles)]()) {}

  void fill(int threads, Watch& watch) {
    parallel(threads, [&](int thread) { take_tiles(thread == 0, watch); });
    watch.check();
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

  void take_tiles(bool reports, Watch& watch) {
    alignas(64) T weight[tile_size];
    std::size_t distance = 0;
    std::size_t before = 0;  // tiles on the diagonals up to `distance`
    double reported = 0;
    for (std::size_t task = next_++; task < tile_number(0, tiles_); task = next_++) {
      while (task >= before + tiles_ - distance) before += tiles_ - distance++;
      const std::size_t i = task - before;
      if (abandoned_ || watch.stopped()) {
        abandoned_ = true;
        return;
      }
      if (!finish_tile(i, i + distance, weight)) return;
      is_final(i, i + distance).store(true, std::memory_order_release);
      done_ += static_cast<double>(distance + 1) * (side * tile_size);
      if (!reports) continue;
      watch.advance(done_ - reported);
      reported = done_;
    }
  }

  /// False when the solve was abandoned meanwhile.
  bool finish_tile(std::size_t i, std::size_t j, T* weight) {
    T* c = tile(i, j);
    std::fill_n(c, tile_size, infinity<T>);
    copy_weights(i, j, weight);
    if (i == j) {
      for (std::size_t row = 0; row + 1 < side; ++row) c[row * side + row + 1] = 0;
      operations_.close_diagonal(c, weight, infinite_);
      return true;
    }
    for (std::size_t k = i + 2; k + 1 < j; ++k) {
      if (!accumulate(i, k, j, c)) return false;
    }
    if (j > i + 1 && !accumulate(i, i + 1, j, c)) return false;
    if (j > i + 2 && !accumulate(i, j - 1, j, c)) return false;
    if (!wait_for(i, i) || !wait_for(j, j)) return false;
    if (j == i + 1) c[(side - 1) * side] = 0;
    operations_.close(c, tile(i, i), tile(j, j), weight, infinite_);
    return true;
  }

  bool accumulate(std::size_t i, std::size_t k, std::size_t j, T* c) {
    if (!wait_for(i, k) || !wait_for(k, j)) return false;
    operations_.accumulate(c, tile(i, k), tile(k, j));
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
      T* to = weight + i % side * side;
      for (std::size_t j = first; j < last; ++j) to[j % side] = std::min(from[j], infinity<T>);
    }
  }

  const Triangulation<T>& problem_;
  std::size_t tiles_;
  T infinite_;
  TileOperations<T> operations_;
  TileStorage<T> table_;
  std::unique_ptr<std::atomic<bool>[]> final_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> abandoned_ = false;
  std::atomic<double> done_ = 0;
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
  const double whole = static_cast<double>(tiles) * static_cast<double>(tiles + 1) * static_cast<double>(tiles + 2) / 6;
  Watch watch(options, whole * side * tile_size);
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
