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

/// The three operations on the tiles of one table. Several threads call them at once, for different tiles.
class TileKernel {
 public:
  /// Makes tile (i,j) ready for its first product.
  virtual void clear(std::size_t i, std::size_t j) = 0;
  /// `next`: the product that this thread will be asked for afterwards, to fetch its operands ahead.
  virtual void accumulate(const TileProduct& product, const TileProduct& next) = 0;
  /// Finishes tile (i,j), which has all its products. Every tile below it and left of it is final.
  virtual void close(std::size_t i, std::size_t j) = 0;

 protected:
  ~TileKernel() = default;
};

/// The order in which threads finish the tiles of a table.
///
/// They take turns, a tile or a small square group of tiles each, diagonal by diagonal, and apply all products of
/// their tiles when their turn comes: two cores share a cache, and a tile then stays in the first level
/// (docs/decisions). There is no barrier: a product waits for its two operands alone, and the latest ones come last.
class TileScheduler {
 public:
  /// `tiles` along a side of the table; an operation on a tile counts as `operations` for the progress. A turn is a
  /// group of `group` x `group` tiles, at least one: any size gives the same table.
  TileScheduler(std::size_t tiles, double operations, std::size_t group);
  /// In groups of the size that is fastest.
  TileScheduler(std::size_t tiles, double operations);

  /// That size.
  [[nodiscard]] static std::size_t fastest_group(std::size_t tiles);

  /// How many operations on tiles a whole table takes.
  [[nodiscard]] static double count(std::size_t tiles);

  /// Finishes every tile but those that come from `exchange`, and returns how many threads ran. Raises what `monitor`,
  /// `work` and `exchange` raise.
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
  std::atomic<std::size_t> turns_left_ = 0;  ///< of those that are this run's; counted where there is an exchange
};

}  // namespace warpfold::tiles
