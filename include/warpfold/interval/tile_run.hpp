#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>

#include "warpfold/core/run.hpp"

namespace warpfold::interval {

/// Which tiles of a table are final, and the threads that finish them.
///
/// Threads take whole tiles, diagonal by diagonal, and apply all products of a tile when its turn comes. There is no
/// barrier: a product waits for its two operands alone.
class TileRun {
 public:
  /// `tiles` along a side of the table. Finishing tile (i,j) counts as j-i+1 times `operations` for the progress.
  TileRun(std::size_t tiles, double operations);

  /// Calls finish(i, j) once for every tile i <= j. Whatever finish reads of other tiles it first waits for, and it
  /// returns false where a wait did. Raises what `watch` raises.
  void run(int threads, Watch& watch, const std::function<bool(std::size_t, std::size_t)>& finish);

  /// Waits until tile (i,j) is final. False when the run was abandoned meanwhile.
  [[nodiscard]] bool wait_for(std::size_t i, std::size_t j) const;

 private:
  void take_tiles(bool reports, Watch& watch, const std::function<bool(std::size_t, std::size_t)>& finish);

  std::size_t tiles_;
  double operations_;
  std::unique_ptr<std::atomic<bool>[]> final_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> abandoned_ = false;
  std::atomic<double> done_ = 0;
};

}  // namespace warpfold::interval
