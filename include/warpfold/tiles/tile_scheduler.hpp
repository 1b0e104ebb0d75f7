#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <thread>

#include "warpfold/run/checkpointer.hpp"
#include "warpfold/run/run.hpp"

namespace warpfold::tiles {

/// tile(i,j) = plus(tile(i,j), tile(i,k) (x) tile(k,j)), i < k < j.
struct TileProduct {
  std::size_t i;
  std::size_t k;
  std::size_t j;
};

/// The three operations on the tiles of one table. Several threads call them at one time, for different tiles.
class TileKernel {
 public:
  /// Prepares tile (i,j) for its first product.
  virtual void clear(std::size_t i, std::size_t j) = 0;
  /// Applies a product. `next` is this thread's next product, whose operands may be prefetched.
  virtual void accumulate(const TileProduct& product, const TileProduct& next) = 0;
  /// Finishes tile (i,j), which has all its products. Every tile below it and left of it is final.
  virtual void close(std::size_t i, std::size_t j) = 0;

 protected:
  ~TileKernel() = default;
};

/// Schedules the tiles of a table over threads.
///
/// A turn is a tile, or a small square group of tiles. Threads take turns diagonal by diagonal. In its turn, a group
/// gets all its products, so that its tiles stay in the first-level cache (docs/decisions).
///
/// There is no barrier. A product waits only for its two operands. Products run from the middle outwards, because the
/// outermost operands become final last.
class TileScheduler {
 public:
  /// `tiles`: along a side of the table. `operations`: of one operation on a tile, for progress. `group`: tiles along a
  /// side of a group, at least 1. Any group size gives the same table.
  TileScheduler(std::size_t tiles, double operations, std::size_t group);
  /// Uses groups of `fastest_group` tiles.
  TileScheduler(std::size_t tiles, double operations);

  /// The fastest group size, in tiles along a side.
  [[nodiscard]] static std::size_t fastest_group(std::size_t tiles);

  /// The threads that are worth starting. Few tiles are finished before a second thread has started.
  [[nodiscard]] static int useful_threads(std::size_t tiles, int threads);

  /// The number of operations on tiles for a whole table.
  [[nodiscard]] static double count(std::size_t tiles);

  /// Finishes every tile that does not come from `exchange`, and returns the number of threads that ran. Raises what
  /// `monitor`, `work` and `exchange` raise.
  int run(int threads, SolveMonitor& monitor, TileKernel& work, TableExchange* exchange = nullptr);

 private:
  void take_turns(std::size_t* reported, SolveMonitor& monitor, TileKernel& work);
  bool finish_group(std::size_t first_i, std::size_t first_j, TileKernel& work);
  bool accumulate_between(std::size_t first_i, std::size_t end_i, std::size_t first_j, std::size_t end_j,
                          TileKernel& work);
  bool finish_tile(std::size_t i, std::size_t end_i, std::size_t first_j, std::size_t j, TileKernel& work);
  bool accumulate(const TileProduct& product, const TileProduct& next, TileKernel& work);
  bool wait_for(std::size_t i, std::size_t j);
  void back_off() const;
  void poll_exchange();
  void take_over(std::size_t group_i, std::size_t group_j);
  [[nodiscard]] std::size_t turns_of_own() const;
  [[nodiscard]] std::size_t report(std::size_t reported, SolveMonitor& monitor) const;

  std::size_t tiles_;
  std::size_t group_;   ///< tiles along a side of a group
  std::size_t groups_;  ///< groups along a side of the table
  double operations_;
  std::unique_ptr<std::atomic<bool>[]> final_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> abandoned_ = false;
  std::atomic<std::size_t> done_ = 0;  ///< operations on tiles
  TableExchange* exchange_ = nullptr;
  std::thread::id caller_;
  std::atomic<std::size_t> turns_left_ = 0;  ///< turns of this run that have not ended; counted only with an exchange
};

}  // namespace warpfold::tiles
